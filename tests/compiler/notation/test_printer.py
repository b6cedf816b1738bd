from __future__ import annotations

import pytest
from hypothesis import given

from heddle.notation.nodes import Assignment
from heddle.notation.parser import parse
from heddle.notation.printer import to_text
from tests.compiler.notation.strategies import assignments
from tests.compiler.notation.test_parser import without_spans


@given(assignments)
def test_the_text_parses_back_to_the_same_tree(assignment: Assignment) -> None:
    text = to_text(assignment)
    read = parse(text)
    assert without_spans(read.target) == assignment.target
    assert read.operator == assignment.operator
    assert without_spans(read.expression) == assignment.expression
    assert to_text(read) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("y_i=A_{i,j}*x_j", "y(i) = A(i,j) * x(j)"),
        ("y(i)+=((a))*(b+c)-(-d)", "y(i) += a * (b + c) - -d"),
        ("y=(a*b)*(c*d)/e", "y = a * b * (c * d) / e"),
        ("y = 1.50*x", "y = 1.5 * x"),
        ("y = complex(1,-2)*x", "y = complex(1.0, -2.0) * x"),
        ("y(i)=max( j,A(i,j) )>(x(i)<z)", "y(i) = max(j, A(i,j)) > (x(i) < z)"),
        ("y(i) min= pow(x_i,2u)", "y(i) min= pow(x(i), 2)"),
    ],
)
def test_canonical_spacing(text: str, canonical: str) -> None:
    assert to_text(parse(text)) == canonical


def test_what_has_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match="unexpected node"):
        to_text("x")  # type: ignore[arg-type]
