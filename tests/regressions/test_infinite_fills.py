"""Differences of infinities that tensors do not store."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd

INF = float("inf")


@pytest.mark.combinations(4, "formats", "schedule", "target")
@pytest.mark.parametrize("target", ["interpreter", "c"])
@pytest.mark.parametrize("schedule", ["", "split(j, j0, j1, 3)", "precompute(B(i,j), j, jw)"])
@pytest.mark.parametrize("formats", [{"A": "csr", "B": "csr"}, {"A": "coo", "B": "csr"}, {"A": "dcsr", "B": "dcsr"}])
def test_an_absent_infinity_does_not_decide_a_difference_alone(
    formats: dict[str, str], schedule: str, target: str
) -> None:
    """Where B is absent the difference is -inf where A is there, and NaN where A is absent too."""
    rng = np.random.default_rng(0)
    a, b = (np.where(rng.random((5, 7)) < 0.4, rng.integers(-3, 4, (5, 7)), INF) for _ in "AB")
    fills = {"A": INF, "B": INF}
    kernel = hd.compile("C(i,j) = min(A(i,j), B(i,j)) - B(i,j)", formats, schedule, target, fills=fills)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(kernel(A=a, B=b).to_numpy(), np.minimum(a, b) - b)
