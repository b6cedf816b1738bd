"""Studies X1 to X4 (docs/sources.toml) by name: what ``heddle study`` measures on its own, and the page as
experiments."""

from __future__ import annotations

from collections.abc import Mapping

from heddle_server.studies.few_rows import FEW_ROWS
from heddle_server.studies.portability import PORTABILITY
from heddle_server.studies.skew import SKEW
from heddle_server.studies.study import Study
from heddle_server.studies.unrolling import UNROLLING

STUDIES: Mapping[str, Study] = {study.name: study for study in (PORTABILITY, UNROLLING, SKEW, FEW_ROWS)}
OPENCL_SHARE = 0.05
"""Warps are slow on a CPU, so that the matrices are smaller there."""
