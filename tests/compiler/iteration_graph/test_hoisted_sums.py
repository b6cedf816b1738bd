"""Precompute of a whole sum: an array of sums in place of a number, in front of the loops that use it."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from tests.differential.check import check

LAYER = "y(i) = b(i) + A(i,j) * x(j)"
TILES = (
    "precompute(A(i,j) * B(j,k), {i, k}, {iw, kw}, S); split(iw, i0, i1, 2); reorder(i0, j, i1, kw); "
    "precompute(A(iw,j) * B(j,kw), {i1, kw}, {it, kt}, t); parallelize(kt, CPUVector, NoRaces)"
)


@pytest.mark.parametrize("formats", [{}, {"A": "csr"}, {"A": "csr", "x": "sparse"}])
@pytest.mark.parametrize(
    "schedule",
    [
        "precompute(A(i,j) * x(j), i, iw, S)",
        "precompute(A(i,j) * x(j), i, i)\nsplit(iw, i0, i1, 4)\nparallelize(i0, CPUThread, NoRaces)",
        "split(i, i0, i1, 4)\nprecompute(A(i,j) * x(j), i1, iw, S)\nparallelize(i0, CPUThread, NoRaces)",
        "split(i, i0, i1, 4)\nprecompute(A(i,j) * x(j), {i0, i1}, {p, q}, S)",
    ],
)
def test_a_sum_that_another_expression_uses(formats: dict[str, str], schedule: str) -> None:
    targets = ("interpreter", "c") if formats == {"A": "csr"} else ("interpreter",)
    check(LAYER, formats, schedule, targets=targets)


def test_its_loops_are_one_nest_that_can_be_cut_into_tiles() -> None:
    check(
        "C(i,k) = max(D(k) + sum(j, A(i,j) * B(j,k)), 0)", {}, TILES.replace("; ", "\n"), targets=("interpreter", "c")
    )


def test_the_sum_is_computed_in_front_of_the_loops() -> None:
    result = hd.lower(LAYER, {}, "precompute(A(i,j) * x(j), i, iw, S)")
    assert result.source is not None
    first, last = result.source.text.split("S[iw] = S_sum;")
    assert "for (int64_t iw" in first
    assert "S_sum += A_vals[jA] * x_vals[j];" in first
    assert "y_vals[i] = b_vals[i] + S[i];" in last


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_a_largest_value_is_one_too(target: str) -> None:
    """The array begins with what no element is smaller than."""
    text = "def f(float(N,D) X, float(N) b) -> (O) { m(n) max=! X(n,d) * 2.0  O(n) = b(n) + m(n) }"
    schedule = "inline(m); precompute(X(n2,d) * 2.0, n2, nw, S)"
    kernel = hd.compile(text, language="comprehension", target=target, schedule=schedule)
    x, b = -np.arange(1, 7, dtype="float32").reshape(2, 3), np.zeros(2, dtype="float32")
    np.testing.assert_array_equal(kernel(X=x, b=b).to_numpy(), [-2, -8])


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_a_sum_at_computed_coordinates(target: str) -> None:
    text = "def f(float(N) I, float(K) W, float B) -> (O) { c(i) +=! W(x) * I(i+x)  O(i) = c(i) + B }"
    schedule = "inline(c); precompute(W(x) * I(i_x2), i2, iw, S)"
    kernel = hd.compile(text, language="comprehension", target=target, schedule=schedule)
    i, w = np.arange(9, dtype="float32"), np.array([1, 2, 4], dtype="float32")
    np.testing.assert_array_equal(kernel(I=i, W=w, B=np.float32(1)).to_numpy(), np.correlate(i, w) + 1)
