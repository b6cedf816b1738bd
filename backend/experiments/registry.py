"""All experiments by id. Adding one is one file and one line here; the page shows whatever there is."""

from __future__ import annotations

from collections.abc import Mapping

from backend.experiments.experiment import Experiment
from backend.experiments.roofline import ROOFLINE
from backend.experiments.skew import SKEW

EXPERIMENTS: Mapping[str, Experiment] = {one.view["id"]: one for one in (SKEW, ROOFLINE)}
