"""Sums of float32 keep their digits beyond 2**24 terms."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd

ONES = 20_000_000
SCHEDULES = (
    "",
    "unroll(i, 4)",
    "split(i, i0, i1, 32)",
    "parallelize(i, CPUVector, ParallelReduction)",
    "split(i, i0, i1, 32)\nparallelize(i1, CPUVector, ParallelReduction)",
    "split(i, i0, i1, 100000)\nparallelize(i0, CPUThread, ParallelReduction)",
)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_twenty_million_ones(schedule: str) -> None:
    x = np.ones(ONES, np.float32)
    total = hd.compile("y = x(i)", schedule=schedule, dtypes={"x": "float32"})(x=x)
    np.testing.assert_allclose(total.item(), ONES, rtol=1e-6)


@pytest.mark.parametrize("program", ["y = sqrt(sum(i, x(i) * x(i)))", "t = x(i); y = t * t", "y(k) = x(i) + 0 * z(k)"])
def test_sums_inside_of_programs(program: str) -> None:
    x, z = np.full(40_000, 1 + 2.0**-12, np.float32), np.ones(2, np.float32)
    operands = {"x": x, **({"z": z} if "z(k)" in program else {})}
    found = hd.compile(program, dtypes=dict.fromkeys(operands, "float32"))(**operands).to_numpy()
    whole = x.astype(np.float64)
    want = np.sqrt(whole @ whole) if "sqrt" in program else whole.sum() ** 2 if "t" in program else whole.sum()
    np.testing.assert_allclose(found, want, rtol=1e-6)


@pytest.mark.parametrize("schedule", ["", "parallelize(j, CPUVector, ParallelReduction)", "unroll(j, 4)"])
def test_the_interpreter_adds_as_the_compiled_code(schedule: str) -> None:
    rng = np.random.default_rng(0)
    matrix = np.where(rng.random((7, 500)) < 0.7, rng.random((7, 500)), 0).astype(np.float32)
    dtypes = {"A": "float32", "x": "float32"}
    compiled, checked = (
        hd.compile("y(i) = A(i,j) * x(j)", {"A": "csr"}, schedule, target, dtypes)(A=matrix, x=np.ones(500, np.float32))
        for target in ("c", "interpreter")
    )
    np.testing.assert_allclose(compiled.to_numpy(), checked.to_numpy(), rtol=2e-7)
    np.testing.assert_allclose(compiled.to_numpy(), matrix.astype(np.float64).sum(1), rtol=1e-6)


def test_complex_sums_are_wider_too() -> None:
    x = np.full(ONES, 1 + 1j, np.complex64)
    total = hd.compile("y = x(i)", dtypes={"x": "complex64"})(x=x)
    np.testing.assert_allclose(total.item(), ONES * (1 + 1j), rtol=1e-6)
