"""Kernels in turn with BLAS are timed, whatever comes of it."""

from __future__ import annotations

import pytest

from benchmarks import in_turn


def test_every_kernel_has_a_row() -> None:
    found = in_turn.rows(side=6, rounds=2)
    assert [row.name for row in found] == list(in_turn.KERNELS)
    assert all(min(row.kernel, row.dot, row.both) > 0 for row in found)
    assert in_turn.Row("SpMV", 3.0, 1.0, 6.0).ratio == pytest.approx(1.5)


def test_gradients_multiply_in_two_ways() -> None:
    assert list(in_turn.gradients(side=5, iterations=2, repetitions=1)) == ["SciPy", "SciPy with a kernel"]
