"""Choices that all lanes of a vector loop share move out of it: each of the two loops is then free of the choice.

A ``runs`` level gives one column for all lanes, or one for each: the loops next to each other load vectors and gather.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from heddle.loop_ir import build
from heddle.loop_ir.nodes import Block, Declare, Expr, For, Function, If, LoopKind, Select, Stmt
from heddle.loop_ir.passes.fold import fold
from heddle.loop_ir.passes.unswitch import known_from
from heddle.loop_ir.rebuild import map_children, map_expressions, map_operands
from heddle.loop_ir.walk import children, expressions, subexpressions
from heddle.origin import Origin, Role


def choose_around_lanes(function: Function) -> Function:
    """A function that computes the same."""
    body = Block(tuple(_choose(statement) for statement in function.body.statements))
    return function if body == function.body else replace(function, body=body)


def _choose(statement: Stmt) -> Stmt:
    if not isinstance(statement, For) or statement.kind is not LoopKind.CPU_VECTOR:
        return map_children(statement, _choose)
    for condition, origin in _choices(statement.body):
        if known_from(condition, (statement,)) is not None:
            whole, other = (_where(statement, condition, truth) for truth in (build.TRUE, build.FALSE))
            return If(condition, Block((_choose(whole),)), replace(origin, role=Role.GUARD), Block((_choose(other),)))
    return statement


def _choices(body: Stmt) -> Iterator[tuple[Expr, Origin]]:
    """The conditions by which scalars take one of two values in every lane, not after its own test."""
    for statement in children(body):
        if isinstance(statement, Block):
            yield from _choices(statement)
        elif isinstance(statement, Declare):
            parts = (part for value in expressions(statement) for part in subexpressions(value))
            yield from ((part.condition, statement.origin) for part in parts if isinstance(part, Select))


def _where(statement: Stmt, condition: Expr, truth: Expr) -> Stmt:
    """``statement`` where ``condition`` is known to be ``truth``."""

    def substitute(value: Expr) -> Expr:
        return truth if value == condition else map_operands(value, substitute)

    inner = map_children(statement, lambda child: _where(child, condition, truth))
    return inner if isinstance(inner, Block) else map_expressions(inner, lambda value: fold(substitute(value)))
