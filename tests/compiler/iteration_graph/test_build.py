"""Concretization: loops in the default order, and the implicit sums around the terms that need them."""

from __future__ import annotations

import pytest

import compiler as hd
from compiler.iteration_graph.printer import statement_text
from compiler.iteration_graph.provenance import loop_variables


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


@pytest.mark.parametrize(
    ("expression", "formats", "order"),
    [
        ("y(i) = A(i,j) * x(j)", {"A": "csr"}, "ij"),
        ("y(i) = A(i,j) * x(j)", {"A": "csc"}, "ji"),
        ("y(i) = A(i,j) * x(j)", {"A": "dense, dense : 1,0"}, "ij"),
        ("C(i,k) = A(i,j) * B(j,k)", {"A": "csr", "B": "csr"}, "ijk"),
        ("C(i,k) = A(i,j) * B(j,k)", {"A": "csr"}, "ikj"),
        ("C(i,k) = A(i,j) * B(j,k)", {"A": "csc", "B": "csr"}, "jik"),
        ("A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", {"B": "csf"}, "ijkl"),
        ("C(i,j) = A(i,j)", {"A": "csc"}, "ji"),
    ],
)
def test_default_order(expression: str, formats: dict[str, str], order: str) -> None:
    """The result's order first and reductions inner, unless a compressed level must come after those above it."""
    graph = hd.lower(expression, formats).graph
    assert graph is not None
    assert "".join(loop_variables(graph.statement)) == order


def test_names_of_workspaces_are_free() -> None:
    assert concrete("t(i) = b(i) + A(i,j) * t2(j)") == "∀i (t(i) = b(i) + t3 where ∀j t3 += A(i,j) * t2(j))"
