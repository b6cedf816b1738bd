from __future__ import annotations

import pytest

from heddle.diagnostics import CompileError
from heddle.notation.check import check
from heddle.notation.nodes import Access, Assignment
from heddle.notation.parser import parse


@pytest.mark.parametrize(
    "text",
    [
        "y(i) = A(i,j) * x(j)",
        "A(i,j) = x(i)",  # The size of j comes from the shapes.
        "y(i) = x(i) + x(j)",
        "alpha = 3",
        "A(i,j) = B(i,j) + B(j,i)",
        "I(i,j) = A(i,k) * main(k,j)",
    ],
)
def test_meaningful(text: str) -> None:
    check(parse(text))


def test_every_problem_is_reported() -> None:
    with pytest.raises(CompileError) as caught:
        check(parse("y(i,i) = y(i) + for(i)"))
    assert [one.code for one in caught.value.diagnostics] == [
        "expression/reserved-name",
        "expression/repeated-index",
        "expression/order-conflict",
        "expression/result-read",
    ]


def test_trees_without_spans_can_be_checked() -> None:
    with pytest.raises(CompileError) as caught:
        check(Assignment(Access("i", ("i", "i")), "=", Access("while", ())))
    assert [(one.code, one.location) for one in caught.value.diagnostics] == [
        ("expression/reserved-name", None),
        ("expression/name-conflict", None),
        ("expression/repeated-index", None),
    ]


@pytest.mark.parametrize("text", ["x(i) = i(x)", "for(i) = x(int)", "int(int) = x(j)"])
def test_applying_all_fixes_leads_to_a_meaningful_expression(text: str) -> None:
    for _ in range(5):
        try:
            check(parse(text))
        except CompileError as error:
            (fix,) = error.diagnostics[0].fixes
            assert fix.expression
            text = fix.expression
    check(parse(text))
