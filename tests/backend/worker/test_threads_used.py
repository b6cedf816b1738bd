"""How many threads a contender runs on is what its loops say, not what the run has."""

from __future__ import annotations

from typing import Any

import pytest

from heddle.measuring.threads_used import threads_used
from heddle.pipeline import lower
from heddle.plan import parse_plan

SPMV: dict[str, Any] = {"expression": "y(i) = A(i,j) * x(j)", "tensors": {"A": {"format": "csr"}}}
SHARED: dict[str, Any] = {**SPMV, "schedule": ["parallelize(i, CPUThread, NoRaces)"]}


@pytest.mark.parametrize(
    ("document", "threads"),
    [
        (SPMV, 1),
        (SHARED, 4),
        ({**SHARED, "target": "interpreter"}, 1),
        ({**SPMV, "schedule": ["split(j, j0, j1, 4)", "parallelize(j1, CPUVector, ParallelReduction)"]}, 1),
    ],
    ids=["unscheduled", "on threads", "interpreted", "in lanes"],
)
def test_threads_are_those_that_share_a_loop(document: dict[str, Any], threads: int) -> None:
    result = lower(parse_plan({"version": 1, **document}))
    assert result.function is not None, result.diagnostics
    assert threads_used(result, 4) == threads
