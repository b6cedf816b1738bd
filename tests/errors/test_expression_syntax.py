"""Everything that is not index notation is refused with its place, and what repairs it."""

from __future__ import annotations

import pytest

from heddle.notation.foreign import FUNCTIONS_INSTEAD, SELECT, written_instead
from heddle.notation.parser import parse, parse_expression
from tests.errors.expect import marked, refusal

OPERAND = "expected a tensor, a number or `(`"
MORE = "expected an operator or the end of the expression"


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("y(i) = A(i,j * x(j)", "expected `,` or `)`, found `*`", "*"),
        ("y(i) = A(i,j x(j)", "expected `,` or `)`, found `x`", "x"),
        ("y(i) = A(i,j) * ", f"{OPERAND}, found end of text", ""),
        ("y(i) =", f"{OPERAND}, found end of text", ""),
        ("y(i) = x(i,", "expected an index variable, found end of text", ""),
        ("y(i) = x(i,)", "expected an index variable, found `)`", ")"),
        ("y(i) = A_{i,j", "expected `}`, found end of text", ""),
        ("y(i) = A_", "expected an index variable or `{`, found the end of the subscript", ""),
        ("y(i) = @", f"{OPERAND}, found `@`", "@"),
        ("y(i) = x(i)\x00", f"{MORE}, found the character \\x00", "\x00"),
        ("y(i) = x(é)", "expected an index variable, found `é`", "é"),
        ("1 = x", "expected a tensor, found `1`", "1"),
        ("(y) = x", "expected a tensor, found `(`", "("),
        ("y i = x", "expected `=` or one of `+=` `*=` `min=` `max=` `|=` `&=`, found `i`", "i"),
    ],
)
def test_expected_and_found(text: str, message: str, at: str) -> None:
    diagnostic = refusal(lambda: parse(text))
    assert (diagnostic.code, diagnostic.message, marked(text, diagnostic)) == ("expression/syntax", message, at)
    assert diagnostic.message == f"expected {diagnostic.expected}, found {diagnostic.found}"


@pytest.mark.parametrize(("index", "apart"), [("ij", "i,j"), ("ijk", "i,j,k")])
def test_letters_of_a_subscript_that_run_together(index: str, apart: str) -> None:
    text = f"y_i = A_{{{index}}} * x_j"
    diagnostic = refusal(lambda: parse(text))
    assert (diagnostic.code, marked(text, diagnostic)) == ("expression/run-together", index)
    assert diagnostic.message == f"A_{{{index}}} has a single index that is called {index}"
    assert diagnostic.hint == f"write A_{{{apart}}} or A({apart}); for the one index, A({index})"
    assert parse("y(i) = A_{i0,row}").expression is not None


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
        ("y(i) = x(i)^2", "^", "a power is written pow(x(i), 2)"),
        ("y(i) = x(i)**2", "**", "a power is written pow(x(i), 2)"),
        ("y(i) -= x(i)", "-=", "an assignment is `=` or one of += *= min= max= |= &="),
        ("y(i) = x(i) < z(i) < 3", "<", "comparisons do not chain; put one of them in parentheses"),
        ("t(i) = x(i);; y(i) = t(i)", ";", "statements are separated by one `;`"),
        ("y(i) = z(i) = x(i)", "=", "statements are separated by `;` or written on lines of their own"),
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


@pytest.mark.parametrize(
    ("text", "code", "message", "at"),
    [
        (
            "y(i) = x(i+1)",
            "expression/index",
            "an index is just a variable: no arithmetic and no constants inside an access",
            "i+1",
        ),
        (
            "y(i) = x(0)",
            "expression/index",
            "an index is just a variable: no arithmetic and no constants inside an access",
            "0",
        ),
        (
            "y(i) = sqr(x(i))",
            "expression/unknown-function",
            "sqr is not a function; the functions are abs, all, any, ceil, complex, cos, exp, expm1, floor, log, "
            "log1p, max, min, pow, prod, relu, sigmoid, sin, sqrt, square, sum, tan, tanh",
            "x(i)",
        ),
        ("y = sqrt", "expression/function-name", "sqrt is a function and needs its arguments in parentheses", "sqrt"),
        ("y = pow(x)", "expression/arguments", "pow takes 2 arguments, found 1", "pow(x)"),
        (
            "y = complex(x, 1)",
            "expression/arguments",
            "complex takes two numbers, for example complex(1, -2)",
            "complex(x, 1)",
        ),
        (
            "y = sum(i, j, A(i,j))",
            "expression/reduction",
            "sum takes an index variable and an expression, for example sum(j, A(i,j))",
            "sum(i, j, A(i,j))",
        ),
        (
            "y = sum(x(i))",
            "expression/reduction",
            "sum takes an index variable and an expression, for example sum(j, A(i,j))",
            "sum(x(i))",
        ),
        (
            "y(i) = sum(j, x(i))",
            "expression/reduction",
            "j is not an index variable of what sum combines, so nothing gives its size",
            "j",
        ),
        ("sqrt(y) = x", "expression/target", "only a tensor can stand to the left of =", "sqrt(y)"),
        ("y_0 = x", "expression/syntax", "expected an index variable, found `0`", "0"),
        ("y(i) = A{i}", "expression/syntax", "expected `_` before `{`, found `{`", "{"),
    ],
)
def test_names_that_are_used_as_what_they_are_not(text: str, code: str, message: str, at: str) -> None:
    diagnostic = refusal(lambda: parse(text))
    assert (diagnostic.code, diagnostic.message, marked(text, diagnostic)) == (code, message, at)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("y(i) = u(i+1)", 'Tensor comprehensions have formulas in subscripts: language="comprehension".'),
        ("y(i) = conj(x(i))", "Conjugate the operand itself: conj of an array is x.conj()."),
        ("y(i) = 1j * x(i)", "an imaginary number is written complex(0, 1)"),
        ("y[i] = A[i,j] * x[j]", "indices go in parentheses"),
        ("y(i) = A(i,j) ** 2", "a power is written pow(x(i), 2)"),
        ("y(i) = x(i) > 0 ? x(i) : 0", SELECT),
        ("y(i) = A(i,:) * x(:)", "an index is a variable: A(i,j) has all columns j of row i"),
        *((f"y(i) = {name}(A(i,j))", written_instead(name)) for name in FUNCTIONS_INSTEAD),
    ],
)
def test_habits_of_other_languages_name_the_way_here(text: str, hint: str) -> None:
    assert refusal(lambda: parse(text)).hint == hint
