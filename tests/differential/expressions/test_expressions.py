"""Every shape of expression: signs, literals, scalars, nested sums, quotients, several sums, permuted results."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import heddle as hd
from heddle.diagnostics import CompileError
from heddle.notation.evaluation import evaluate
from heddle.notation.nodes import accesses
from heddle.notation.parser import parse
from tests.differential.check import TARGETS, check
from tests.differential.operands import divisors

EXPRESSIONS = [
    "y = 2",
    "y = alpha * beta",
    "y(i) = --x(i)",
    "y(i) = 0 * x(i)",
    "y(i) = 2 * x(i) - 3",
    "y(i) = x(i) * x(i)",
    "y(i) = -A(i,j) * x(j)",
    "y(i) = b(i) - A(i,j) * x(j)",
    "y(i) = alpha * A(i,j) * x(j) + beta * b(i)",
    "y(i) = A(i,j) * x(j) + B(i,k) * z(k)",
    "y(i) = A(i,j) * x(j) - B(i,j) * z(j)",
    "y(i) = A(j,i) * x(j)",
    "y(i) = (A(i,j) + B(i,j)) * x(j)",
    "y(i) = (A(i,j) - B(i,j)) * (x(j) + z(j))",
    "y(i) = (A(i,j) + b(i)) * b(i)",
    "y(i) = (A(i,j) + 2) * b(i)",
    "y(i) = a(i) - (b(i) - c(i))",
    "y(i) = a(i) * b(i) + c(i) * d(i)",
    "y(i) = (a(i) + b(i)) * (c(i) + d(i))",
    "y = A(i,j)",
    "y = A(i,j) * B(i,j)",
    "y = a(i) * b(j)",
    "y = a(i) + b(j)",
    "y = R(i,j,k) * S(i,j,k)",
    "y = b(j) + (b(j) + 1)",
    "y(i) = a(i) * (A(i,j) - (A(i,j) - a(i)))",
    "y = A(i,j) * A(i,k)",
    "C(i,k) = A(i,j) * A(k,j)",
    "C(i,j) = a(i) * b(j)",
    "C(i,j) = a(i) + b(j)",
    "C(j,i) = A(i,j)",
    "C(i,j) = A(i,j) - A(i,j)",
    "C(i,j) = A(i,j) * B(i,j) + D(i,j)",
    "C(i,j) = A(i,j) * b(i) + D(i,j) * c(j)",
    "T(i,j,k) = A(i,j) * B(j,k)",
    "y(i) = R(i,j,k) * A(j,k)",
    "y(i) = x(i) / 4",
    "y(i) = x(i) / b(i)",
    "y(i) = x(i) / A(i,j)",
    "y = a(i) / b(j)",
    "y(i) = x(i) / (A(i,j) + b(j))",
    "y(i) = A(i,j) / b(j) + 1",
    "y(i) = (x(i) + A(i,j)) / b(i)",
]


def formats_of(expression: str) -> list[dict[str, str]]:
    """All dense, all compressed, and one operand compressed at a time. Divisors stay dense."""
    assignment = parse(expression)
    dense = divisors(assignment.expression)
    orders = {one.tensor: len(one.indices) for one in accesses(assignment.expression) if one.indices}
    sparse = {tensor: "s" * order for tensor, order in orders.items() if tensor not in dense}
    return [{}, sparse, *({tensor: text} for tensor, text in sparse.items() if len(sparse) > 1)]


CASES = [(expression, formats) for expression in EXPRESSIONS for formats in formats_of(expression)]


@pytest.mark.combinations(6, "expression")
@pytest.mark.parametrize(("expression", "formats"), CASES, ids=[f"{text} {' '.join(used)}" for text, used in CASES])
def test_expressions(expression: str, formats: dict[str, str]) -> None:
    check(expression, formats)


def sparse_layouts(order: int) -> list[str]:
    return [f"{''.join(levels)}:{order_}" for levels in product("ds", repeat=order) for order_ in ("0,1", "1,0")]


@pytest.mark.parametrize("A", sparse_layouts(2))
@pytest.mark.parametrize("x", ["d", "s"])
def test_every_storage_order_of_a_matrix_times_a_vector(A: str, x: str) -> None:
    check("y(i) = A(i,j) * x(j)", {"A": A, "x": x})


@pytest.mark.combinations(8, "A", "B")
@pytest.mark.parametrize("A", sparse_layouts(2))
@pytest.mark.parametrize("B", sparse_layouts(2))
def test_matrices_are_added_or_their_orders_conflict(A: str, B: str) -> None:
    """Two matrices whose inner levels are compressed in opposite orders have no loop order: said, not miscompiled."""
    formats = {"A": A, "B": B}
    if A[1] == B[1] == "s" and A[2:] != B[2:]:
        with pytest.raises(CompileError, match="No loop order follows every tensor's storage order") as caught:
            check("C(i,j) = A(i,j) + B(i,j)", formats)
        assert caught.value.diagnostics[0].code == "format/conflicting-orders"
    else:
        check("C(i,j) = A(i,j) + B(i,j)", formats)


@pytest.mark.parametrize("target", TARGETS)
def test_a_result_repeats_what_it_has_no_operand_for(target: str) -> None:
    """The size of a dimension that no operand has comes from the plan's shapes."""
    expression, x = "C(i,j) = x(j) - 1", np.array([1.0, 0, 3])
    kernel = hd.compile(expression, {"x": "sparse"}, "", target, shapes={"C": (4, 3)})
    np.testing.assert_array_equal(kernel(x=x).to_numpy(), evaluate(parse(expression), {"x": x}, {"i": 4}))
    with pytest.raises(CompileError, match=r"The size of i in C\(i,j\) is unknown: no operand has a dimension i"):
        hd.compile(expression, {"x": "sparse"}, "", target)(x=x)
