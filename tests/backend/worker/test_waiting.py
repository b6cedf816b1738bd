"""Kernels and libraries wait alike for the next parallel region, and a result says how."""

from __future__ import annotations

import os

import pytest

from heddle.measuring.waiting import let_libraries_wait_alike, waiting_of
from heddle.runtime.native import toolchain

SOON = "awake for 5 to 50 µs, then asleep"


@pytest.mark.parametrize(
    ("openmp", "environment", "expected"),
    [
        (toolchain.POOL, {"GOMP_SPINCOUNT": "1000"}, (SOON, "awake for 1000 rounds of GNU OpenMP, then asleep")),
        (toolchain.POOL, {"OMP_WAIT_POLICY": "PASSIVE"}, ("asleep", "asleep")),
        (toolchain.POOL, {"OMP_WAIT_POLICY": "active"}, ("awake", "awake")),
        ("libiomp5", {}, ("awake for 50 µs, then asleep", "awake for 50 µs, then asleep")),
        ("libiomp5", {"KMP_BLOCKTIME": "7us"}, ("as set: KMP_BLOCKTIME=7us", "as set: KMP_BLOCKTIME=7us")),
        ("libomp", {}, ("as libomp does", "as libomp does")),
    ],
)
def test_a_result_says_how_threads_wait(openmp: str, environment: dict[str, str], expected: tuple[str, str]) -> None:
    assert waiting_of(openmp, True, environment) == {"heddle": expected[0], "mkl": expected[1]}
    assert waiting_of(openmp, False, environment) == {"heddle": expected[0]}


def test_without_parallel_regions_nobody_waits() -> None:
    assert waiting_of(None, True, {}) == {}


@pytest.mark.parametrize(("policy", "expected"), [(None, "1000"), ("passive", None)])
def test_a_policy_of_the_person_holds_for_libraries_too(
    monkeypatch: pytest.MonkeyPatch, policy: str | None, expected: str | None
) -> None:
    """With OMP_WAIT_POLICY=passive, threads of MKL spun on all the same, for their count went before the policy."""
    for name in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT"):
        monkeypatch.setenv(name, "to be restored")
        monkeypatch.delenv(name)
    if policy is not None:
        monkeypatch.setenv("OMP_WAIT_POLICY", policy)
    let_libraries_wait_alike()
    assert os.environ.get("GOMP_SPINCOUNT") == expected
