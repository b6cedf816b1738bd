from __future__ import annotations

import pytest

from heddle.notation.alpha_renaming import rename_apart, ties
from heddle.notation.nodes import Access, Assignment, Binary, Expression, Literal, Span, Unary, index_variables
from heddle.notation.parser import parse, parse_expression
from heddle.notation.printer import to_text


def without_spans(node: Expression) -> Expression:
    match node:
        case Access(tensor=tensor, indices=indices):
            return Access(tensor, indices)
        case Literal(value=value):
            return Literal(value)
        case Unary(operator=operator, operand=operand):
            return Unary(operator, without_spans(operand))
        case Binary(operator=operator, left=left, right=right):
            return Binary(operator, without_spans(left), without_spans(right))


def test_spmv() -> None:
    assignment = parse("y(i) = A(i,j) * x(j)")
    assert assignment == Assignment(
        Access("y", ("i",), Span(0, 4)),
        "=",
        Binary("*", Access("A", ("i", "j"), Span(7, 13)), Access("x", ("j",), Span(16, 20)), Span(7, 20)),
        Span(0, 20),
    )
    assert index_variables(assignment) == ("i", "j")


def test_every_index_has_a_span() -> None:
    text = "y(i) = A( i , row_0 ) * x_j"
    first, second = (node for node in (parse(text).expression.left, parse(text).expression.right))  # type: ignore[union-attr]
    assert isinstance(first, Access)
    assert isinstance(second, Access)
    assert [text[span.start : span.end] for span in (*first.index_spans, *second.index_spans)] == ["i", "row_0", "j"]


@pytest.mark.parametrize(
    "text", ["y_i=A_{i,j}*x_j", "y(i)=A(i,j)*x(j)", " y (i)\n = A_{ i , j } * x_j ", "y_{i}=A_{i,j}*x(j)"]
)
def test_tacos_subscripts_and_free_spacing(text: str) -> None:
    assignment = parse(text)
    assert without_spans(assignment.target) == Access("y", ("i",))
    assert without_spans(assignment.expression) == Binary("*", Access("A", ("i", "j")), Access("x", ("j",)))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2", 2),
        ("0", 0),
        ("1e-3", 0.001),
        ("2.5", 2.5),
        (".5", 0.5),
        ("3.", 3.0),
        ("1.5E+2", 150.0),
        ("2e3", 2000.0),
        ("0.5f", 0.5),
        ("1e-3F", 0.001),
    ],
)
def test_literals(text: str, value: float) -> None:
    literal = parse_expression(text)
    assert isinstance(literal, Literal)
    assert literal.value == value
    assert type(literal.value) is type(value)
    # Public TACO reads 1e-3*x as 1 and drops the rest.
    assert without_spans(parse_expression(f"{text}*x(i)")) == Binary("*", Literal(value), Access("x", ("i",)))


@pytest.mark.parametrize(
    ("text", "same_as"),
    [
        ("a + b * c", "a + (b * c)"),
        ("a - b - c", "(a - b) - c"),
        ("a / b * c", "(a / b) * c"),
        ("-a * b", "(-a) * b"),
        ("a - -b", "a - (-b)"),
        ("--a", "-(-a)"),
        ("a * -b", "a * (-b)"),
    ],
)
def test_precedence(text: str, same_as: str) -> None:
    assert without_spans(parse_expression(text)) == without_spans(parse_expression(same_as))
    if text.count("-") != 2:
        assert without_spans(parse_expression(text)) != without_spans(parse_expression("a * (b + c)"))


def test_parentheses_belong_to_the_span() -> None:
    text = "y = (a + b) * c"
    product = parse(text).expression
    assert isinstance(product, Binary)
    assert [text[node.span.start : node.span.end] for node in (product.left, product) if node.span] == [
        "(a + b)",
        "(a + b) * c",
    ]


def test_accumulation_is_not_assignment() -> None:
    assert parse("y(i) += x(i)").operator == "+="


def test_many_parentheses_are_no_depth() -> None:
    assert without_spans(parse_expression("(" * 400 + "x" + ")" * 400)) == Access("x", ())


@pytest.mark.parametrize(
    "text",
    [
        "t(i) = A(i,j) * x(j); y(i) = t(i) * b(i)",
        "t(i) = A(i,j) * x(j);\n y(i) = t(i) * b(i);\n",
        "\nt(i) = A(i,j)\n  * x(j)\n\n\ny(i) =\n t(i)\n * b(i)\n",
        "t_i = A_{i,j} * x_j\ny_i = t_i * b_i",
    ],
)
def test_statements_are_separated_by_semicolons_or_lines(text: str) -> None:
    assert to_text(parse(text)) == "t(i) = A(i,j) * x(j); y(i) = t(i) * b(i)"


def test_a_line_that_goes_on_is_no_statement() -> None:
    assert to_text(parse("y(i) = a(i)\n+ b(i) * (c(i)\n== d(i))")) == "y(i) = a(i) + b(i) * (c(i) == d(i))"


def test_statements_are_renamed_apart() -> None:
    """A variable belongs to its statement; a name that stands anywhere is never taken."""
    apart = rename_apart(parse("t(i) = A(i,j) * x(j); u(i) = max(j, B(i,j)) * i2(i); y(k) = t(k) + u(k)"))
    assert to_text(apart) == "t(i) = A(i,j) * x(j); u(i3) = max(j2, B(i3,j2)) * i2(i3); y(k) = t(k) + u(k)"
    assert ties(apart) == {"i": "k", "j": "j", "i3": "k", "j2": "j2", "k": "k"}
