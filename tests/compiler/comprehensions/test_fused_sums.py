"""Statements that share a parallel loop, of which one adds up: its sum is apart for each worker. Summed in memory,
threads and lanes would overwrite what the others added."""

from __future__ import annotations

import numpy as np
import pytest

import compiler as hd

TEXT = """def step(double a, double(N) x, double(N) r) -> (y, z, s) {
    y(i) = x(i) + a * r(i)
    z(i) = x(i) - r(i)
    s +=! y(i) * r(i)
}"""
ROWS = """def rows(double(N,M) A, double(N,M) B) -> (total, most, C) {
    total(i) +=! A(i,j)
    most(i) max=! A(i,j)
    C(i,j) = A(i,j) + B(i,j)
}"""
TOGETHER = ("together(i, i2)", "together(i, i3)")
WORKERS = {
    "lanes": ("parallelize(i, CPUVector, ParallelReduction)",),
    "threads": ("parallelize(i, CPUThread, ParallelReduction)",),
    "both": (
        *("split(i, i0, i1, 8)", "parallelize(i0, CPUThread, ParallelReduction)"),
        "parallelize(i1, CPUVector, ParallelReduction)",
    ),
}


@pytest.mark.parametrize("target", ["interpreter", "c"])
@pytest.mark.parametrize("workers", WORKERS)
def test_each_worker_sums_apart(workers: str, target: str) -> None:
    """The checked interpreter finds two workers at one place."""
    x, r = np.arange(200.0) % 7, np.arange(200.0) % 5 - 2
    kernel = hd.compile(TEXT, schedule=(*TOGETHER, *WORKERS[workers]), target=target, language="comprehension")
    results = kernel(a=2.0, x=x, r=r)
    np.testing.assert_array_equal(results["y"].to_numpy(), x + 2 * r)
    assert results["s"].to_numpy() == (x + 2 * r) @ r
    np.testing.assert_array_equal(results["z"].to_numpy(), x - r)


@pytest.mark.parametrize("target", ["interpreter", "c"])
@pytest.mark.parametrize("unit", ["CPUVector", "CPUThread"])
def test_two_sums_of_a_row_beside_what_is_stored(unit: str, target: str) -> None:
    schedule = (
        *("together(i, i2)", "together(i, i3)", "together(j, j2)", "together(j, j3)"),
        f"parallelize(j, {unit}, ParallelReduction)",
    )
    a, b = np.arange(60.0).reshape(4, 15) % 11, np.ones((4, 15))
    results = hd.compile(ROWS, schedule=schedule, target=target, language="comprehension")(A=a, B=b)
    np.testing.assert_array_equal(results["total"].to_numpy(), a.sum(1))
    np.testing.assert_array_equal(results["most"].to_numpy(), a.max(1))
    np.testing.assert_array_equal(results["C"].to_numpy(), a + b)


def test_lanes_have_a_clause_for_the_sum() -> None:
    text = hd.lower(TEXT, schedule=(*TOGETHER, *WORKERS["lanes"]), language="comprehension").source
    assert text is not None
    assert "#pragma omp simd reduction(+:s_sum)" in text.text
