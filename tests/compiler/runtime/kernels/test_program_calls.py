"""Calls of a program: what its sizes allow is decided once for each, and again for others."""

from __future__ import annotations

from functools import cache
from typing import Any, NoReturn

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import heddle as hd
from heddle.diagnostics import OperandError
from heddle.runtime.kernels.kernel import Kernel

SHIFTED = (
    "def shift(float64(N,M) u, int d, int n) -> (v) { v(i,j) = 2 * u(i+d,j) - u(i,j+1) where i in 0:n, j in 0:M-1 }"
)
TARGETS = ("c", "interpreter")


@cache
def shifted(target: str) -> Kernel[Any]:
    return hd.compile(SHIFTED, language="comprehension", target=target, schedule="auto" if target == "c" else "")


def in_numpy(u: Any, d: int, n: int) -> Any:
    """None where the program has no meaning."""
    rows, columns = u.shape
    if n < 0 or columns < 1:
        return None
    if n and not (d >= 0 and n + d <= rows):
        return None
    if not n:
        return np.zeros((0, columns - 1))
    return 2 * u[d : d + n, :-1] - u[:n, 1:]


SIZES = st.tuples(st.integers(0, 5), st.integers(0, 4), st.integers(-2, 6), st.integers(-1, 6))


@settings(max_examples=20)
@given(st.lists(SIZES, min_size=1, max_size=3))
def test_shifts_are_computed_or_refused_for_each_size_alike(sizes: list[tuple[int, int, int, int]]) -> None:
    for rows, columns, d, n in [*sizes, *sizes]:
        u = np.arange(float(rows * columns)).reshape(rows, columns) ** 2
        expected = in_numpy(u, d, n)
        for target in TARGETS:
            if expected is None:
                with pytest.raises(OperandError) as refused:
                    shifted(target)(u=u, d=d, n=n)
                assert refused.value.diagnostics[0].code in ("runtime/precondition", "runtime/empty-range")
            else:
                result = shifted(target)(u=u, d=d, n=n)
                assert result.shape == expected.shape
                np.testing.assert_array_equal(result.to_numpy(), expected)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 64, 65])
def test_a_stencil_of_seven_points_is_numpys(count: int) -> None:
    u = np.random.default_rng(count).random((count + 2, count + 2, 3))
    inner = slice(1, -1)
    sides = u[:-2, inner, inner] + u[2:, inner, inner] + u[inner, :-2, inner] + u[inner, 2:, inner]
    expected = 0.4 * u[inner, inner, inner] + 0.1 * (sides + u[inner, inner, :-2] + u[inner, inner, 2:])
    np.testing.assert_allclose(stencil()(u=u).to_numpy(), expected, rtol=1e-14)


@cache
def stencil() -> Kernel[Any]:
    return hd.compile(
        "def step(float64(N,M,L) u) -> (v) {"
        " v(i,j,k) = 0.4 * u(i+1,j+1,k+1) + 0.1 * (u(i,j+1,k+1) + u(i+2,j+1,k+1)"
        " + u(i+1,j,k+1) + u(i+1,j+2,k+1) + u(i+1,j+1,k) + u(i+1,j+1,k+2))"
        " where i in 0:N-2, j in 0:M-2, k in 0:L-2 }",
        language="comprehension",
        schedule="auto",
    )


def test_a_program_with_a_dense_result_is_not_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, u = shifted("c"), np.arange(12.0).reshape(4, 3)

    def refuse(*_: object) -> NoReturn:
        raise AssertionError("prepared")

    monkeypatch.setattr(Kernel, "_prepare", refuse)
    first, second = (kernel(u=u, d=1, n=3).to_numpy() for _ in range(2))
    np.testing.assert_array_equal(first, in_numpy(u, 1, 3))
    assert not np.shares_memory(first, second)
    out = np.empty((3, 2))
    assert kernel(u=u, d=1, n=3, out=out) is out
    np.testing.assert_array_equal(out, first)


def test_out_may_be_the_operand_that_is_read_shifted() -> None:
    u = np.arange(12.0).reshape(4, 3)
    kernel = hd.compile(
        "def f(float64(N,M) u) -> (v) { v(i,j) = i > 0 ? u(i-1,j) : 0.0 where i in 0:N, j in 0:M }",
        language="comprehension",
    )
    expected = np.vstack([np.zeros(3), u[:-1]])
    kernel(u=u, out=u)
    np.testing.assert_array_equal(u, expected)


def test_indices_that_change_in_place_are_looked_at_in_every_call() -> None:
    kernel = hd.compile(
        "def f(float64(N) u, int32(M) at) -> (v) { v(i) = u(at(i)) where i in 0:M }", language="comprehension"
    )
    u, at = np.arange(4.0), np.array([3, 0], np.int32)
    np.testing.assert_array_equal(kernel(u=u, at=at).to_numpy(), [3.0, 0.0])
    at[1] = 4
    with pytest.raises(OperandError, match="is an index into dimension 0 of u, which has 4 elements") as refused:
        kernel(u=u, at=at)
    assert refused.value.diagnostics[0].code == "runtime/index-range"
    at[1] = 2
    np.testing.assert_array_equal(kernel(u=u, at=at).to_numpy(), [3.0, 2.0])


def test_repeated_operands_of_a_program_are_read_anew() -> None:
    program = "def add(float64(N) u) -> (v) { v(i) = u(i) + u(i+1) where i in 0:N-1 }"
    kernel = hd.compile(program, language="comprehension", schedule="auto")
    for size in (5, 20_000):
        u = np.arange(float(size))
        results = []
        for _ in range(3):
            results.append(kernel(u=u).to_numpy())
            np.testing.assert_array_equal(results[-1], u[:-1] + u[1:])
            u += 1
        assert not np.shares_memory(results[0], results[1])
    u.shape = (2, 10_000)
    with pytest.raises(OperandError):
        kernel(u=u)
