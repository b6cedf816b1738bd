"""Types that a comprehension has not, functions that make floats of integers: what each text says to write."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.diagnostics import Diagnostic

ALLOWED = "float, double, int, byte, bool, int8 to int64 or uint8 to uint64"
REAL = f"numbers are real, of type {ALLOWED}: hold real and imaginary parts as two tensors"


def first(text: str) -> Diagnostic:
    return hd.lower(text, language="comprehension").diagnostics[0]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("def f(complex64(N) x) -> (y) { y(i) = x(i) }", REAL),
        ("def f(float(N) x, complex(N) z) -> (y) { y(i) = x(i) }", REAL),
        ("def f(float(N) x) -> (complex128(N) y) { y(i) = x(i) }", REAL),
        ("def f(float(N) x) -> (y) { y(i) = complex64(x(i)) }", REAL),
        ("def f(flot(N) x) -> (y) { y(i) = x(i) }", f"a type is {ALLOWED}; did you mean float?"),
        ("def f(long(N) x) -> (y) { y(i) = x(i) }", f"a type is {ALLOWED}; did you mean int64?"),
        ("def f(float(N) x) -> (y) { y(i) = x(i) + uint(3) }", f"a type is {ALLOWED}; did you mean uint32?"),
        ("def f(tensor(N) x) -> (y) { y(i) = x(i) }", f"a type is {ALLOWED}"),
    ],
)
def test_what_is_no_type_names_those_that_are(text: str, hint: str) -> None:
    assert first(text).hint == hint


def test_complex_values_for_a_real_parameter_are_not_told_to_declare_complex() -> None:
    kernel = hd.compile("def f(float(N) x) -> (y) { y(i) = x(i) }", language="comprehension")
    with pytest.raises(hd.OperandError) as caught:
        kernel(x=np.ones(3, np.complex64))
    assert caught.value.diagnostics[0].hint == (
        "Programs compute with real numbers: pass the real and the imaginary parts of x as two tensors."
    )


@pytest.mark.parametrize(
    ("call", "other", "mended"),
    [("fmax(Y(i), 3)", "max", [3, 3, 7]), ("2 * fmin(Y(i), 3)", "min", [-4, 2, 6]), ("fabs(Y(i))", "abs", [2, 1, 7])],
)
def test_a_function_of_floats_among_integers_names_that_of_integers(call: str, other: str, mended: list[int]) -> None:
    diagnostic = first(f"def f(int(N) Y) -> (int(N) y) {{ y(i) = {call} }}")
    function = call.removeprefix("2 * ").partition("(")[0]
    assert diagnostic.code == "tc/narrowing"
    assert diagnostic.hint == f"{function} computes floats, {other} keeps integers; or write the cast: int(…)"
    use, cast = diagnostic.fixes
    assert (use.title, cast.title) == (f"Use {other}", "Cast to int")
    for fix in (use, cast):
        assert fix.expression is not None
        kernel = hd.compile(fix.expression, language="comprehension", target="interpreter")
        assert kernel(Y=np.array([-2, 1, 7], np.int32)).to_numpy().tolist() == mended


def test_floats_that_the_function_does_not_make_keep_the_plain_hint() -> None:
    for call in ("fmax(float(Y(i)), 3)", "sqrt(Y(i))", "fmin(Y(i), 2.5)"):
        assert first(f"def f(int(N) Y) -> (int(N) y) {{ y(i) = {call} }}").hint == "write the cast: int(…)"


def test_a_factor_behind_a_sum_of_a_sparse_product_says_where_to_write_it() -> None:
    formats = {"A": "csr", "B": "csr", "C": "csr"}
    (diagnostic,) = hd.lower("C(i,k) = a * sum(j, A(i,j) * B(j,k))", formats).diagnostics
    assert diagnostic.code == "format/conflicting-orders"
    assert diagnostic.hint == (
        "B is reduced inside an expression, so that each element is reduced by itself: write factors into the sum, as "
        "in sum(j, a * x(j)) for a * sum(j, x(j)), or compute the reduction in a statement of its own and read that."
    )
    a, b = (np.random.default_rng(seed).integers(0, 2, (6, 6)) * 1.5 for seed in (1, 2))
    for expression in (
        "C(i,k) = sum(j, a * A(i,j) * B(j,k))",
        "T(i,k) = sum(j, A(i,j) * B(j,k)); C(i,k) = a * T(i,k)",
    ):
        result = hd.compile(expression, formats, target="interpreter")(A=a, B=b, a=3.0)
        np.testing.assert_allclose(result.to_numpy(), 3 * (a @ b))


def test_a_maximum_inside_an_expression_is_told_of_a_statement_alone() -> None:
    formats = {"A": "csr", "B": "csr", "C": "csr"}
    (diagnostic,) = hd.lower("C(i,k) = a * max(j, A(i,j) * B(j,k))", formats).diagnostics
    assert diagnostic.hint == (
        "B is reduced inside an expression, so that each element is reduced by itself: compute the reduction in a "
        "statement of its own and read that."
    )
