"""mergeby: intersections that gallop, alone, nested, in tiles and in parallel; and the search itself."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from tests.differential.check import check

SPMV, PRODUCT = "y(i) = A(i,j) * x(j)", "C(i,j) = A(i,j) * B(i,j)"
TRIPLE = "s = b(i) * c(i) * d(i)"
SPARSE = {"A": "dcsr", "B": "dcsr"}
CASES = [
    (SPMV, {"A": "csr", "x": "sparse"}, "mergeby(j, Gallop)"),
    (SPMV, {"A": "csr", "x": "sparse"}, "parallelize(i, CPUThread, NoRaces); mergeby(j, Gallop)"),
    (SPMV, {"A": "csr", "x": "sparse"}, "mergeby(j, TwoFinger)"),
    (PRODUCT, SPARSE, "mergeby(i, Gallop); mergeby(j, Gallop)"),
    (PRODUCT, SPARSE, "mergeby(i, Gallop)"),
    (PRODUCT, SPARSE, "split(j, j0, j1, 4); mergeby(j1, Gallop)"),
    ("C(i,j) = A(i,j) + B(i,j)", SPARSE, "mergeby(j, TwoFinger)"),
    (TRIPLE, dict.fromkeys("bcd", "sparse"), "mergeby(i, Gallop)"),
    (TRIPLE, {"b": "sparse", "c": "sparse"}, "mergeby(i, Gallop)"),
    (TRIPLE, dict.fromkeys("bcd", "sparse"), "split(i,i0,i1,4); mergeby(i1,Gallop); parallelize(i0,CPUThread,Atomics)"),
    ("s = b(i) * c(i)", dict.fromkeys("bc", "sparse"), "divide(i, i0, i1, 3); mergeby(i1, Gallop)"),
]


@pytest.mark.combinations(2, "expression", "formats")
@pytest.mark.parametrize(("expression", "formats", "schedule"), CASES, ids=[f"{c[0]} {c[2]}" for c in CASES])
def test_mergeby(expression: str, formats: dict[str, str], schedule: str) -> None:
    check(expression, formats, schedule.replace(";", "\n"))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("target", ["interpreter", "c"])
def test_operands_of_very_unlike_size(seed: int, target: str) -> None:
    """Long jumps, jumps after the last coordinate, and operands without any."""
    rng, size = np.random.default_rng(seed), 400
    long = np.where(rng.random(size) < 0.8, rng.integers(1, 9, size), 0).astype(float)
    short = np.where(rng.random(size) < (0.0, 0.003, 0.02)[seed % 3], 2.0, 0.0)
    kernel = hd.compile("s = b(i) * c(i)", {"b": "sparse", "c": "sparse"}, "mergeby(i, Gallop)", target)
    assert kernel(b=long, c=short).to_numpy() == long @ short
    assert kernel(b=short, c=long).to_numpy() == long @ short
