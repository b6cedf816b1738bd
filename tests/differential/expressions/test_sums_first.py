"""Sums inside elements that are computed before these: where storage orders ask for it, and where it saves work."""

from __future__ import annotations

import pytest

import heddle as hd
from tests.differential.check import check

CONFLICTS = [  # refused as one statement: the loops over elements cannot be outside
    ("y(i) = b(i) + A(i,j) * x(j)", {"A": "csc"}),
    ("r(j) = t + A(i,j) * x(i)", {"A": "csr"}),
    ("r(j) = t + 2 * A(i,j) * x(i) + B(i,j) * x(i)", {"A": "csr", "B": "dcsr"}),
    ("y(i) = max(sum(j, A(i,j) * x(j)), 0)", {"A": "csc"}),
    ("y(i) = max(sum(j, A(i,j) * x(j)), max(j, A(i,j)))", {"A": "csc"}),
    ("y(i,k) = max(sum(j, A(i,j) * Z(j,k)), 0)", {"A": "csc"}),
    ("C(i,j) = B(i,j) / (1 + sum(k, B(k,j) * B(k,j)))", {"B": "csr", "C": "csr"}),
    ("y(i) = abs(sum(j, A(i,j)))", {"A": "compressed(nonunique, unordered), singleton"}),
    ("s(j) = A(i,j) * x(i); r(j) = t + A(i,j) * s(i)", {"A": "csr"}),
]
OUTWARD = [
    ("C(d,w) = B(d,w) / (1 + sum(k, B(d,k) * B(d,k)))", {"B": "csr", "C": "csr"}),
    ("C(d,w) = B(d,w) / (1 + sum(k, B(d,k) * B(d,k)))", {"B": "dcsr", "C": "coo"}),
    ("y(i) = x(i) / (sum(j, abs(x(j))) + 1)", {}),
    ("e(i,j) = P(i,j) * abs(sum(k, P(i,k) * x(k))); y(i) = e(i,j)", {"P": "csr"}),
    ("C(i,j) = A(i,j) + B(i,j) * sum(k, B(i,k))", {"A": "csr", "B": "csr", "C": "csr"}),
    ("y(i,k) = max(sum(j, A(i,j) * Z(j,k)), 0)", {"A": "csr"}),
]


def steps_of(expression: str, formats: dict[str, str], schedule: str = "") -> list[str]:
    result = hd.lower(expression, formats, schedule)
    assert not result.diagnostics
    return [item.name for item in result.passes]


@pytest.mark.parametrize(("expression", "formats"), CONFLICTS)
def test_sums_come_first_where_storage_orders_conflict(expression: str, formats: dict[str, str]) -> None:
    steps = steps_of(expression, formats)
    assert steps[: steps.index("assembly")].count("sums-first") >= 1
    check(expression, formats)


@pytest.mark.parametrize(("expression", "formats"), OUTWARD)
def test_a_sum_is_outside_the_loops_that_it_does_not_need(expression: str, formats: dict[str, str]) -> None:
    assert "sums-first" in steps_of(expression, formats)
    check(expression, formats)


def test_commands_find_the_sums_first_where_nothing_else_compiles() -> None:
    expression, schedule = "y(i) = b(i) + A(i,j) * x(j)", "split(i, i0, i1, 4)"
    assert "sums-first" in steps_of(expression, {"A": "csc"}, schedule)
    check(expression, {"A": "csc"}, schedule)


def test_commands_find_a_sum_where_it_is_written() -> None:
    assert "sums-first" not in steps_of("y(i,k) = max(sum(j, A(i,j) * Z(j,k)), 0)", {"A": "csr"}, "reorder(i, k)")


def test_no_matrix_is_made_for_a_sparse_result() -> None:
    """A sum for each element of a matrix is left where few elements are stored."""
    expression = "y(i,j) = P(i,j) * abs(sum(k, Q(i,k) * K(k,j)))"
    assert "sums-first" not in steps_of(expression, {"P": "csr"})
    (diagnostic,) = hd.lower("C(i,j) = B(i,j) + A(i,k) * D(k,j)", dict.fromkeys("ABCD", "csr")).diagnostics
    assert diagnostic.code == "format/conflicting-orders"


def test_operands_are_converted_where_that_is_asked_for() -> None:
    expression, formats = "y(i) = b(i) + A(i,j) * x(j)", {"A": "csc"}
    result = hd.lower(expression, formats, options={"convert": "automatic"})
    assert result.kernel is not None
    assert [conversion.tensor for conversion in result.kernel.conversions] == ["A"]
