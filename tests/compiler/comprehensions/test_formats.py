"""A comprehension over an operand in any format computes what it computes over a dense one: the sizes that it names are
those of the operand, whatever its levels hold of them (blocks, slices, slots, parts)."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd

FORMATS = (
    *("csr", "csc", "coo", "dcsr", "ell", "dia", "dense, bitmap", "dense, hashed", "dense, ragged"),
    *("bcsr(2,2)", "bcsr(4)", "dbsr(2,3)", "srbcrs(2,2)", "csb(2,3)", "sell(2)", "sell-runs(2)", "pieces(2)"),
    *("hyb(1,2)", "bcsr(2,2) where tile(2,2) >= 2 + csr", "dia where depth >= 50 + csr"),
    "parts(2), dense, compressed : 0,0,1",
)
MATRIX = np.where(np.arange(91).reshape(7, 13) % 3 == 1, np.arange(91.0).reshape(7, 13), 0)
VECTOR = np.arange(13.0) - 4
PROGRAMS = {
    "sum": ("def f(double(N,M) A) -> (s) { s +=! A(i,j) }", MATRIX.sum()),
    "product": ("def f(double(N,M) A, double(M) x) -> (y) { y(i) +=! A(i,j) * x(j) }", MATRIX @ VECTOR),
    "copy": ("def f(double(N,M) A) -> (B) { B(j,i) = A(i,j) }", MATRIX.T),
    "position": ("def f(double(N,M) A) -> (y) { y(i) +=! A(i,j) * j }", MATRIX @ np.arange(13)),
    "part": ("def f(double(N,M) A, double(M) x) -> (y) { y(i) +=! A(i,j) * x(j) where j in 0:M }", MATRIX @ VECTOR),
}


def results(text: str, format: str, target: str) -> np.ndarray:
    operands = {"A": MATRIX} | ({"x": VECTOR} if "double(M) x" in text else {})
    kernel = hd.compile(text, formats={"A": format}, target=target, language="comprehension")
    values: np.ndarray = kernel(**operands).to_numpy()
    return values


@pytest.mark.combinations(4, "name", "format")
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_format(name: str, format: str) -> None:
    text, expected = PROGRAMS[name]
    np.testing.assert_array_equal(results(text, format, "interpreter"), expected)


@pytest.mark.parametrize("format", ["bcsr(2,2)", "csb(2,3)", "sell(2)", "hyb(1,2)"])
def test_in_c(format: str) -> None:
    text, expected = PROGRAMS["product"]
    np.testing.assert_array_equal(results(text, format, "c"), expected)


@pytest.mark.combinations(2)
@pytest.mark.parametrize("format", FORMATS)
def test_an_operand_that_is_not_read(format: str) -> None:
    text = "def f(double(N,M) A, double(M) x) -> (y) { y(j) = 2 * x(j) }"
    np.testing.assert_array_equal(results(text, format, "interpreter"), 2 * VECTOR)
    chosen = hd.compile(text, formats={"A": format}, language="comprehension", options={"schedule": "auto"})
    np.testing.assert_array_equal(chosen(A=MATRIX, x=VECTOR).to_numpy(), 2 * VECTOR)


def test_a_producer_inside_of_an_earlier_producer() -> None:
    """The loops of the second one hang below a loop that the first one made."""
    text = "def f(double(N) A) -> (s) { s max=! A(2*k) }"
    schedule = (
        *("split(k, u, v, 2)", "split(v, u1, v1, 3)"),
        *("precompute(A(k_at), {u}, {uq}, E0)", "precompute(A(k_at2), {u1, v1}, {u1q, v1q}, E1)"),
    )
    for target in ("interpreter", "c"):
        kernel = hd.compile(text, schedule=schedule, target=target, language="comprehension")
        assert kernel(A=VECTOR).to_numpy() == VECTOR[::2].max()
