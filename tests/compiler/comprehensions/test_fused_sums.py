"""Statements that share a parallel loop, of which one adds up: its sum is apart for each worker. Summed in memory,
threads and lanes would overwrite what the others added."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd

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
    "threads that need not be told": ("parallelize(i, CPUThread, IgnoreRaces)",),
    "threads with a temporary": ("parallelize(i, CPUThread, Temporary)",),
    "lanes with a temporary": ("parallelize(i, CPUVector, Temporary)",),
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


@pytest.mark.parametrize("target", ["interpreter", "c"])
def test_a_loop_that_a_producer_copied_may_be_shared_with_its_original(target: str) -> None:
    """The copy has the range of the loop whose place it takes, also for what comes next."""
    text = "def f(double(N,M) A) -> (T0, T1) { T0(i) max=! A(j,i)  T1 +=! T0(i) * A(j,i) }"
    schedule = ("precompute(T0(i2), {j2, i2}, {j2q, i2q}, E)", "together(j2q, j2)", "together(i2q, i2)")
    for length in (2, 3):
        lowered = hd.lower(text, schedule=schedule[:length], language="comprehension")
        assert lowered.ok, lowered.diagnostics
        assert {command.name for command in hd.legal(lowered)} >= {"together", "split"}
    matrix = np.arange(30.0).reshape(10, 3) % 7
    results = hd.compile(text, schedule=schedule, target=target, language="comprehension")(A=matrix)
    assert results["T1"].to_numpy() == matrix.max(0) @ matrix.sum(0)
