"""Concretization: loops in the default order, and the implicit sums around the terms that need them."""

from __future__ import annotations

import pytest

import heddle as hd
from heddle.iteration_graph.graph.printer import statement_text


def concrete(expression: str, formats: dict[str, str] | None = None) -> str:
    result = hd.lower(expression, formats)
    assert not result.diagnostics
    return statement_text(result.graphs[0].statement)


@pytest.mark.parametrize(
    ("expression", "statement"),
    [
        ("y(i) = A(i,j) * x(j)", "∀i ∀j y(i) += A(i,j) * x(j)"),
        ("C(i,j) = A(i,j) + B(i,j)", "∀i ∀j C(i,j) = A(i,j) + B(i,j)"),
        ("s = a(i) * b(i)", "∀i s += a(i) * b(i)"),
        ("s = 2", "s = 2"),
        ("y(i) = b(i) + A(i,j) * x(j)", "∀i (y(i) = b(i) + t where ∀j t += A(i,j) * x(j))"),
        ("y(i) = b(i) - A(i,j) * x(j)", "∀i (y(i) = b(i) - t where ∀j t += A(i,j) * x(j))"),
        ("y(i) = (A(i,j) + B(i,j)) * x(j)", "∀i ∀j y(i) += (A(i,j) + B(i,j)) * x(j)"),
        ("y(i) = A(i,j) + B(i,j)", "∀i ∀j y(i) += A(i,j) + B(i,j)"),
        ("y(i) = -(A(i,j) * x(j))", "∀i ∀j y(i) += -(A(i,j) * x(j))"),
    ],
)
def test_statements(expression: str, statement: str) -> None:
    assert concrete(expression) == statement


def test_names_of_workspaces_are_free() -> None:
    assert concrete("t(i) = b(i) + A(i,j) * t2(j)") == "∀i (t(i) = b(i) + t3 where ∀j t3 += A(i,j) * t2(j))"
