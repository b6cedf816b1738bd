"""Loop IR with some parts changed: one place that knows how each node is put together again.

Each function gives back the very node it was given where nothing changed, so that a pass can tell by identity.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import is_

from compiler.loop_ir.nodes import (
    Allocate,
    AllocateMap,
    AllocateResult,
    Assign,
    Barrier,
    Binary,
    Block,
    Break,
    Call,
    Cast,
    ClearMap,
    Combine,
    CombineRuns,
    Comment,
    Const,
    Continue,
    Declare,
    Expr,
    Fill,
    For,
    Grow,
    If,
    Load,
    MapSize,
    Prefetch,
    Require,
    Scan,
    Search,
    Select,
    Single,
    Slot,
    Sort,
    SortMap,
    Stmt,
    Store,
    Unary,
    Var,
    While,
)


def map_children(statement: Stmt, change: Callable[[Stmt], Stmt]) -> Stmt:
    """``statement`` with each statement directly inside it changed."""
    match statement:
        case Block(statements=inner):
            made = tuple(change(child) for child in inner)
            return statement if all(map(is_, made, inner)) else Block(made)
        case For(body=body) | While(body=body) | Single(body=body):
            new = change(body)
            return statement if new is body else replace(statement, body=new)
        case If(then=then, otherwise=otherwise):
            first = change(then)
            last = None if otherwise is None else change(otherwise)
            same = first is then and last is otherwise
            return statement if same else replace(statement, then=first, otherwise=last)
        case _:
            return statement


def map_expressions(statement: Stmt, change: Callable[[Expr], Expr]) -> Stmt:
    """``statement`` with its own expressions changed, not those of statements inside it."""
    match statement:
        case Declare(value=value) | Assign(value=value):
            return _with(statement, change, value=value)
        case Store(index=index, value=value):
            return _with(statement, change, index=index, value=value)
        case For(lower=lower, upper=upper, private=private):
            workspaces = tuple(map_expressions(workspace, change) for workspace in private)
            if not all(map(is_, workspaces, private)):
                statement = replace(statement, private=workspaces)  # type: ignore[arg-type]
            return _with(statement, change, lower=lower, upper=upper)
        case While(condition=condition) | If(condition=condition) | Require(condition=condition):
            return _with(statement, change, condition=condition)
        case Search(lower=lower, upper=upper, value=value):
            return _with(statement, change, lower=lower, upper=upper, value=value)
        case Fill(size=size, value=value):
            return _with(statement, change, size=size, value=value)
        case Allocate(size=size) | AllocateResult(size=size) | Scan(size=size):
            return _with(statement, change, size=size)
        case Grow(needed=needed):
            return _with(statement, change, needed=needed)
        case Prefetch(index=index):
            return _with(statement, change, index=index)
        case Sort(lower=lower, upper=upper):
            return _with(statement, change, lower=lower, upper=upper)
        case Slot(key=key):
            return _with(statement, change, key=key)
        case AllocateMap() | SortMap() | ClearMap() | Block() | Break() | Continue() | Comment():
            return statement
        case Barrier() | Single() | Combine() | CombineRuns():
            return statement
        case _:
            raise TypeError(f"unexpected node {statement!r}")


def _with(statement: Stmt, change: Callable[[Expr], Expr], **fields: Expr) -> Stmt:
    changed = {name: new for name, old in fields.items() if (new := change(old)) is not old}
    return replace(statement, **changed) if changed else statement  # type: ignore[arg-type]


def map_operands(expression: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """``expression`` with its operands changed."""
    match expression:
        case Var() | Const() | MapSize():
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
            made = tuple(change(argument) for argument in arguments)
            return expression if all(map(is_, made, arguments)) else Call(function, made, dtype)
        case _:
            raise TypeError(f"unexpected node {expression!r}")
