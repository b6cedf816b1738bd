"""Every node is put together again with nothing forgotten."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest

from heddle.loop_ir.nodes import Array, Assign, Block, Const, Declare, Expr, For, If, Keep, LaneRange, Stmt, Var
from heddle.loop_ir.nodes.expressions import VectorExpression
from heddle.loop_ir.rebuild import map_children, map_expressions, map_operands
from heddle.loop_ir.walk import EXPRESSIONS, VECTOR_OPERANDS, operands
from heddle.origin import Origin, Role

ORIGIN = Origin(Role.COMPUTE)
NAMES = {"Stmt": Stmt, "Expr": Expr, "Array": Array}


@pytest.mark.parametrize("node", get_args(Stmt), ids=lambda node: node.__name__)
def test_the_table_names_all_fields_with_expressions(node: type[Stmt]) -> None:
    fields = tuple(name for name, hint in get_type_hints(node, localns=NAMES).items() if hint == Expr)
    assert EXPRESSIONS[node] == fields


@pytest.mark.parametrize("node", get_args(VectorExpression), ids=lambda node: node.__name__)
def test_the_table_names_all_operands_of_vectors(node: type[VectorExpression]) -> None:
    hints = get_type_hints(node, localns=NAMES).items()
    assert VECTOR_OPERANDS[node] == tuple(name for name, hint in hints if hint in (Expr, Expr | None))


def test_a_vector_is_changed_in_all_of_its_operands() -> None:
    kept = Keep(Var("v", "float64x4"), LaneRange(Const(0), Var("n"), 4))
    assert map_operands(kept, lambda operand: operand) is kept
    assert map_operands(kept, lambda _: Var("m", "boolx4")) == Keep(Var("m", "boolx4"), Var("m", "boolx4"))
    assert operands(kept) == (kept.value, kept.mask)


def test_what_does_not_change_is_the_same_node() -> None:
    loop = For("i", Const(0), Var("n"), Block((Assign("s", Var("i"), ORIGIN),)), ORIGIN)
    assert map_children(loop, lambda child: child) is loop
    assert map_expressions(loop, lambda expression: expression) is loop


def test_what_changes_is_changed_everywhere_and_only_there() -> None:
    then, otherwise = Assign("s", Var("i"), ORIGIN), Declare("t", "int64", Var("i"), ORIGIN)
    branch = If(Var("c", "bool"), then, ORIGIN, otherwise)
    changed = map_children(branch, lambda child: map_expressions(child, lambda _: Const(1)))
    assert changed == If(
        Var("c", "bool"), Assign("s", Const(1), ORIGIN), ORIGIN, Declare("t", "int64", Const(1), ORIGIN)
    )
