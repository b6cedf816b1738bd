"""Loop IR with some parts changed: the one module that knows how each node is put together again.

Each function returns the very node it was given where nothing changed, so that a pass can tell by identity.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import is_
from typing import Any, TypeVar

from heddle.loop_ir.nodes import (
    Binary,
    Block,
    Broadcast,
    Call,
    Cast,
    Const,
    Expr,
    For,
    Gather,
    If,
    Keep,
    LaneRange,
    Lanes,
    LaneSum,
    Load,
    MapSize,
    RegistersHold,
    Select,
    Single,
    Stmt,
    Unary,
    Var,
    VectorLoad,
    VectorMasks,
    While,
)
from heddle.loop_ir.nodes.expressions import VectorExpression
from heddle.loop_ir.walk import EXPRESSIONS, VECTOR_OPERANDS

S = TypeVar("S", bound=Stmt)


def map_children(statement: Stmt, change: Callable[[Stmt], Stmt]) -> Stmt:
    """``statement`` with each statement directly inside it changed."""
    match statement:
        case Block(statements=inner):
            new_children = tuple(change(child) for child in inner)
            return statement if all(map(is_, new_children, inner)) else Block(new_children)
        case For(body=body) | While(body=body) | Single(body=body) | Lanes(body=body):
            new = change(body)
            return statement if new is body else replace(statement, body=new)
        case If(then=then, otherwise=otherwise):
            first = change(then)
            last = None if otherwise is None else change(otherwise)
            same = first is then and last is otherwise
            return statement if same else replace(statement, then=first, otherwise=last)
        case _:
            return statement


def map_expressions(statement: S, change: Callable[[Expr], Expr]) -> S:
    """``statement`` with its own expressions and those of workspaces that it owns changed, not those of statements
    inside it."""
    changed: dict[str, Any] = {}
    for name in EXPRESSIONS[type(statement)]:
        old = getattr(statement, name)
        if (new := change(old)) is not old:
            changed[name] = new
    if isinstance(statement, For):
        workspaces = tuple(map_expressions(workspace, change) for workspace in statement.private)
        if not all(map(is_, workspaces, statement.private)):
            changed["private"] = workspaces
    return replace(statement, **changed) if changed else statement


def map_operands(expression: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """``expression`` with its operands changed."""
    match expression:
        case Var() | Const() | MapSize() | VectorMasks() | RegistersHold():
            return expression
        case Binary(operator=operator, left=left, right=right, dtype=dtype):
            first, second = change(left), change(right)
            return expression if first is left and second is right else Binary(operator, first, second, dtype)
        case Unary(operator=operator, operand=operand, dtype=dtype):
            inner = change(operand)
            return expression if inner is operand else Unary(operator, inner, dtype)
        case Cast(operand=operand, dtype=dtype):
            inner = change(operand)
            return expression if inner is operand else Cast(inner, dtype)
        case Load(array=array, index=index, path=path):
            position = change(index)
            return expression if position is index else Load(array, position, path)
        case Select(condition=condition, then=then, otherwise=otherwise, dtype=dtype):
            old = condition, then, otherwise
            parts = change(condition), change(then), change(otherwise)
            return expression if all(map(is_, parts, old)) else Select(*parts, dtype)
        case Call(function=function, arguments=arguments, dtype=dtype):
            new_arguments = tuple(change(argument) for argument in arguments)
            return expression if all(map(is_, new_arguments, arguments)) else Call(function, new_arguments, dtype)
        case Broadcast() | LaneRange() | LaneSum() | VectorLoad() | Gather() | Keep():
            return _map_fields(expression, change)
        case _:
            raise TypeError(f"unexpected node {expression!r}")


def _map_fields(expression: VectorExpression, change: Callable[[Expr], Expr]) -> Expr:
    changed: dict[str, Any] = {}
    for name in VECTOR_OPERANDS[type(expression)]:
        old = getattr(expression, name)
        if old is not None and (new := change(old)) is not old:
            changed[name] = new
    return replace(expression, **changed) if changed else expression
