"""Statements of loop IR with scalars replaced by expressions, or with statements replaced by others."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from heddle.loop_ir.nodes import Block, Expr, Stmt, Var
from heddle.loop_ir.rebuild import map_children, map_expressions, map_operands

Values = Mapping[str, Expr]


def replace_scalars(statement: Stmt, values: Values, change: Callable[[Stmt], Stmt] = lambda s: s) -> Stmt:
    """``statement`` in which each scalar of ``values`` is read as its expression; ``change`` sees every statement but
    blocks afterwards, innermost first."""
    new_statement = map_children(statement, lambda child: replace_scalars(child, values, change))
    new_statement = map_expressions(new_statement, lambda expression: replace_in(expression, values))
    return new_statement if isinstance(new_statement, Block) else change(new_statement)


def replace_in(expression: Expr, values: Values) -> Expr:
    """``expression`` in which each scalar of ``values`` is its expression."""
    if isinstance(expression, Var):
        return values.get(expression.name, expression)
    return map_operands(expression, lambda operand: replace_in(operand, values))
