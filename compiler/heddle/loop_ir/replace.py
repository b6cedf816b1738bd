"""Statements of loop IR with scalars replaced by expressions, or with statements replaced by others."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from heddle.loop_ir.nodes import Block, Expr, Stmt, Var
from heddle.loop_ir.rebuild import map_children, map_expressions, map_operands

Values = Mapping[str, Expr]


def replace_scalars(statement: Stmt, values: Values, change: Callable[[Stmt], Stmt] = lambda s: s) -> Stmt:
    """``statement`` in which each scalar of ``values`` is read as its expression; ``change`` sees every statement but
    blocks afterwards, innermost first."""
    children = map_children(statement, lambda child: replace_scalars(child, values, change))
    children = map_expressions(children, lambda expression: replace_in(expression, values))
    return children if isinstance(children, Block) else change(children)


def replace_in(expression: Expr, values: Values) -> Expr:
    """``expression`` in which each scalar of ``values`` is its expression."""
    if isinstance(expression, Var):
        return values.get(expression.name, expression)
    return map_operands(expression, lambda operand: replace_in(operand, values))
