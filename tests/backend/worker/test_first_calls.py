"""Each kernel's first call is compared with NumPy: right ones pass, whatever is compared, and wrong ones do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from heddle.algorithms.decompose import AlgorithmRun
from heddle.algorithms.document.reader import parse_algorithm
from heddle.algorithms.tensor_input import Input
from heddle.diagnostics import InternalError
from heddle_server.worker.decomposition import first_calls
from heddle_server.worker.decomposition.first_calls import check_first_calls

SHAPE = (9, 40, 7)


def started(**parameters: object) -> AlgorithmRun:
    rng = np.random.default_rng(4)
    columns = tuple(rng.integers(0, size, 500) for size in SHAPE)
    algorithm = parse_algorithm({"algorithm": "cp-als", "parameters": {"rank": 5, "sweeps": 2, **parameters}})
    return AlgorithmRun(algorithm, (columns, rng.standard_normal(500), SHAPE))


def test_every_row_is_compared_or_those_of_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    run = started()
    whole = check_first_calls(run)
    assert [(one["role"], one["rows"], one["of"]) for one in whole] == [
        ("mttkrp.0", 9, 9), ("mttkrp.1", 40, 40), ("mttkrp.2", 7, 7)
    ]  # fmt: skip
    # Of a larger product some rows, and in many pieces; shorter modes whole.
    monkeypatch.setattr(first_calls, "WHOLE", 100)
    monkeypatch.setattr(first_calls, "ROWS", 8)
    monkeypatch.setattr(first_calls, "PIECE", 5)
    sampled = check_first_calls(run)
    assert [one["rows"] for one in sampled] == [8, 8, 7]
    assert all(one["max_error"] <= one["tolerance"] < 1e-12 for one in (*whole, *sampled))


@pytest.mark.parametrize("rows", [40, 8])
def test_a_kernel_that_computes_something_else_ends_the_run(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_calls, "ROWS", rows)
    monkeypatch.setattr(first_calls, "WHOLE", 100)
    run = started(reuse="((0 1) 2)")
    check_first_calls(run)
    # What is compared, not what the kernels hold.
    run.input = Input(replace(run.input.entries, values=run.input.entries.values + 1e-9), 0)
    with pytest.raises(InternalError, match=r"leaf\.0 differs from NumPy by"):
        check_first_calls(run)
