"""Everything that is not index notation is refused with its place, and what repairs it."""

from __future__ import annotations

import pytest

from compiler.notation.parser import parse, parse_expression
from tests.errors.expect import marked, refusal

OPERAND = "expected a tensor, a number or `(`"
MORE = "expected an operator or the end of the expression"


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("y(i) = A(i,j * x(j)", "expected `,` or `)`, found `*`", "*"),
        ("y(i) = A(i,j) * ", f"{OPERAND}, found end of text", ""),
        ("y(i) =", f"{OPERAND}, found end of text", ""),
        ("y(i) = x(i,", "expected an index variable, found end of text", ""),
        ("y(i) = x(i,)", "expected an index variable, found `)`", ")"),
        ("y(i) = A_{i,j", "expected `}`, found end of text", ""),
        ("y(i) = A_", "expected an index variable or `{`, found end of text", ""),
        ("y(i) = @", f"{OPERAND}, found `@`", "@"),
        ("y(i) = x(i)\x00", f"{MORE}, found the character \\x00", "\x00"),
        ("y(i) = x(é)", "expected an index variable, found `é`", "é"),
        ("1 = x", "expected a tensor, found `1`", "1"),
        ("(y) = x", "expected a tensor, found `(`", "("),
        ("y i = x", "expected `=` or `+=`, found `i`", "i"),
    ],
)
def test_expected_and_found(text: str, message: str, at: str) -> None:
    diagnostic = refusal(lambda: parse(text))
    assert (diagnostic.code, diagnostic.message, marked(text, diagnostic)) == ("expression/syntax", message, at)
    assert diagnostic.message == f"expected {diagnostic.expected}, found {diagnostic.found}"


@pytest.mark.parametrize(
    ("text", "at", "repaired"),
    [
        ("y(i) = A(i,j) x(j)", "x", "y(i) = A(i,j) * x(j)"),
        ("y(i) = 2x(i)", "x", "y(i) = 2 * x(i)"),
        ("y(i) = (A(i,j) * x(j)", "", "y(i) = (A(i,j) * x(j))"),
        ("y(i) = x(i))", ")", "y(i) = x(i)"),
        ("y(i) == x(i)", "==", "y(i) = x(i)"),
        ("y[i] = A[i,j]*x[j]", "[", "y(i) = A(i,j)*x(j)"),
        ("y(i) = A(i,j) × x(j)", "×", "y(i) = A(i,j) * x(j)"),
        ("y() = x(i)", ")", "y = x(i)"),
        ("y_out(i) = x(i)", "(", "yout(i) = x(i)"),
    ],
)
def test_repairs_parse(text: str, at: str, repaired: str) -> None:
    diagnostic = refusal(lambda: parse(text))
    assert marked(text, diagnostic) == at
    assert [fix.expression for fix in diagnostic.fixes] == [repaired]
    parse(repaired)


@pytest.mark.parametrize(
    ("text", "at", "hint"),
    [
        ("y(i)", "", "an assignment is a result, `=` and an expression, for example y(i) = A(i,j) * x(j)"),
        ("y(i) = x(i)^2", "^", "there is no power operator; write the product out, for example x(i) * x(i)"),
        ("y(i) = x(i)**2", "**", "there is no power operator; write the product out, for example x(i) * x(i)"),
        ("y(i) *= x(i)", "*=", "an assignment is `=` or `+=`"),
        ("y(i) = x(i); z(i) = x(i)", ";", "one expression holds one assignment"),
        ("y(i) = z(i) = x(i)", "=", "one expression holds one assignment"),
        ("y(i) = sqrt(x(i))", "(", "`sqrt` would be a function; only + - * / and unary minus are known"),
        ("y(i) = x(i+1)", "+", "an index is a variable alone: no arithmetic and no constants inside an access"),
        ("y(i) = x(0)", "0", "an index is a variable alone: no arithmetic and no constants inside an access"),
    ],
)
def test_hints(text: str, at: str, hint: str) -> None:
    diagnostic = refusal(lambda: parse(text))
    assert (marked(text, diagnostic), diagnostic.hint) == (at, hint)
    assert diagnostic.fixes == ()


@pytest.mark.parametrize("text", ["", " \n "])
def test_empty(text: str) -> None:
    diagnostic = refusal(lambda: parse(text))
    assert (diagnostic.code, diagnostic.message) == ("expression/empty", "the expression is empty")
    assert diagnostic.hint == "write what to compute, for example y(i) = A(i,j) * x(j)"


def test_too_long() -> None:
    text = "y = " + "x" * 1021
    diagnostic = refusal(lambda: parse(text))
    assert diagnostic.code == "expression/too-long"
    assert diagnostic.message == "the expression has 1025 characters, the limit is 1024"
    assert marked(text, diagnostic) == "x"


@pytest.mark.parametrize("text", ["y = " + "-" * 100 + "x", "y = " + "x+" * 100 + "x"])
def test_too_deep(text: str) -> None:
    diagnostic = refusal(lambda: parse(text))
    assert diagnostic.code == "expression/too-deep"
    assert diagnostic.message == "the expression nests more than 64 operators"


@pytest.mark.parametrize(
    ("number", "message"),
    [
        ("9223372036854775808", "the number 9223372036854775808 does not fit into 64 bits"),
        ("1e999", "the number 1e999 is larger than any float64"),
        ("1" * 900, f"the number {'1' * 37}... does not fit into 64 bits"),
    ],
)
def test_numbers_that_do_not_fit(number: str, message: str) -> None:
    text = f"y(i) = {number} * x(i)"
    diagnostic = refusal(lambda: parse(text))
    assert (diagnostic.code, diagnostic.message) == ("expression/literal", message)
    assert marked(text, diagnostic) == number


def test_an_expression_alone_offers_no_assignments() -> None:
    diagnostic = refusal(lambda: parse_expression("A(i,j) x(j)"))
    assert diagnostic.message == f"{MORE}, found `x`"
    assert diagnostic.hint == "a product needs its `*`"
    assert diagnostic.fixes == ()
