"""The GPU benchmark without a GPU: every schedule that it tries compiles for CUDA, is right on OpenCL, and its summary
says what it should."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import compiler as hd
from benchmarks.gpu import best_of_cusparse, line, summary
from benchmarks.gpu_kernels import KERNELS, Kernel, matrices
from compiler.runtime import opencl_devices


def made(name: str) -> list[Kernel]:
    return list(KERNELS[name](matrices(2_000)["power law"]))


@pytest.mark.parametrize("name", KERNELS)
def test_every_schedule_compiles_for_cuda(name: str) -> None:
    for kernel in made(name):
        for schedule in kernel.schedules.values():
            hd.lower(kernel.expression, dict(kernel.formats), schedule, "cuda").raise_errors()


@pytest.mark.skipif(not opencl_devices.devices(), reason="there is no OpenCL device")
@pytest.mark.parametrize("name", KERNELS)
def test_what_is_expected_is_right(name: str) -> None:
    """The first and the last schedule of each kernel give it."""
    for kernel in made(name):
        for schedule in [*kernel.schedules.values()][:: max(1, len(kernel.schedules) - 1)]:
            compiled = hd.compile(kernel.expression, dict(kernel.formats), schedule, "opencl")
            found = compiled(**kernel.operands)
            values = found.vals if kernel.expected.ndim == 1 else found.to_numpy()
            np.testing.assert_allclose(values, kernel.expected, rtol=1e-9)


def test_matrices_have_the_structure_that_they_are_named_for() -> None:
    found = {name: np.diff(matrix.indptr) for name, matrix in matrices(16_000).items()}
    assert found["3 entries per row"].max() == 3
    assert found["16 uniform entries per row"].max() == 16
    assert np.sort(found["8 long rows"])[-8:].min() > 10 * np.median(found["8 long rows"])
    assert found["power law"].max() > 20 * found["power law"].mean()


def row(ours: dict[str, float], theirs: dict[str, float]) -> dict[str, Any]:
    algorithms = {name: {"ms": ms, "preparation_ms": 1.0} for name, ms in theirs.items()}
    return {"matrix": "m", "kernel": "SpMV", "bytes": 2_000_000, "ours_ms": ours, "cusparse": algorithms}


def test_the_summary_compares_with_the_best_algorithm_of_each_matrix() -> None:
    rows = [row({"a": 1.0, "b": 2.0}, {"ALG1": 4.0, "ALG2": 2.0}), row({"a": 8.0, "b": 2.0}, {"ALG1": 8.0})]
    (entry,) = summary(rows, 100.0)
    assert entry["best_speedup"] == pytest.approx(np.sqrt(2.0 * 4.0))
    assert (entry["one_schedule"], entry["one_speedup"]) == ("b", pytest.approx(np.sqrt(1.0 * 4.0)))
    assert entry["bandwidth_share"] == [0.02, 0.01]
    assert best_of_cusparse(row({}, {})) is None
    assert line(rows[0]).endswith("1.000 ms (a)  cuSPARSE 2.000 ms (ALG2)")
