"""Every node is put together again with nothing forgotten."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest

from compiler.loop_ir.nodes import Assign, Block, Const, Declare, Expr, For, If, Stmt, Var
from compiler.loop_ir.rebuild import map_children, map_expressions
from compiler.loop_ir.walk import EXPRESSIONS
from compiler.origin import Origin, Role

ORIGIN = Origin(Role.COMPUTE)


@pytest.mark.parametrize("node", get_args(Stmt), ids=lambda node: node.__name__)
def test_the_table_names_all_fields_with_expressions(node: type[Stmt]) -> None:
    fields = tuple(name for name, hint in get_type_hints(node, localns={"Stmt": Stmt}).items() if hint == Expr)
    assert EXPRESSIONS[node] == fields


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
