"""A diagnosis needs a run that says something: of a noisy one only what is beyond doubt."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest
import scipy.sparse as sp

from heddle.formats.parser import parse_format
from heddle.measuring.verdicts import conclude
from heddle.plan import Plan, parse_plan
from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.tensor import Tensor
from heddle_server.schema.run import RunResult
from heddle_server.worker.measuring.diagnosis import diagnosis_of
from tests.backend.fake_child import ENTRY, RESULT

NOISE = {"value": 1.0, "low": 0.8, "high": 1.2, "resolution": 0.02, "quiet": False}
QUIET = {**NOISE, "low": 0.99, "high": 1.01}
TILES = ["split(i, i0, i1, 3)"]


def padded() -> tuple[Plan, dict[str, Tensor]]:
    """One long row in a format as wide as the longest: 3 million values for 20 thousand."""
    matrix = sp.lil_array((400, 9000))
    matrix[0, :] = 1
    matrix[:, 0] = 1
    plan = parse_plan(
        {"expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "ell"}}, "schedule": TILES, "inputs": {}}
    )
    packed = pack(matrix.tocsr(), parse_format("ell", 2, "A"), name="A")
    return plan, {"A": packed, "x": pack(np.ones(9000), parse_format("dense", 1, "x"), name="x")}


def run(scipy: float, control: dict[str, Any], paired: float | None = None) -> RunResult:
    """A run in which SciPy takes ``scipy`` times as long as our kernel."""
    ratio = {"value": scipy, "low": scipy * 0.9, "high": scipy * 1.1, "paired": paired or scipy, "verdict": "slower"}
    other = {**ENTRY, "id": "scipy", "label": "SciPy", "ratio_to_heddle": {**ratio, "statement": ""}}
    inputs = [{"tensor": "A", "nnz": 9399}, {"tensor": "x", "nnz": 9000}]
    own = {**ENTRY, "id": "heddle", "label": "Heddle", "ratio_to_heddle": None}
    raw = {key: value for key, value in RESULT.items() if key != "conclusion"}
    return conclude(cast(RunResult, {**raw, "entries": [own, other], "control": control, "inputs": inputs}))


@pytest.mark.parametrize(
    ("scipy", "control", "paired", "beginning"),
    [
        (1 / 90, NOISE, None, "The run was noisy, but this is beyond doubt. The format of A stores"),
        (1 / 90, NOISE, 1 / 2, None),
        (1 / 2, NOISE, None, None),
        (90.0, NOISE, None, None),
        (1 / 2, QUIET, None, "The format of A stores"),
    ],
)
def test_a_noisy_run_is_explained_where_the_ratio_is_beyond_doubt(
    scipy: float, control: dict[str, Any], paired: float | None, beginning: str | None
) -> None:
    result = run(scipy, control, paired)
    assert "conclusion" in result
    ratio = result["entries"][1]["ratio_to_heddle"]
    assert ratio is not None
    found = diagnosis_of(*padded(), result)
    # What is called beyond doubt is a verdict of the table, too.
    assert (found is not None) == (ratio["verdict"] == "slower")
    assert result["conclusion"]["noisy"] == (ratio["verdict"] == "inconclusive")
    assert (found is None) == (beginning is None)
    if found is not None and beginning is not None:
        assert found["text"].startswith(beginning)
