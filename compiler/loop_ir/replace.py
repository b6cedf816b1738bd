"""Statements of loop IR with scalars replaced by expressions, or with statements replaced by others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

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

Values = Mapping[str, Expr]


def replace_scalars(statement: Stmt, values: Values, change: Callable[[Stmt], Stmt] = lambda s: s) -> Stmt:
    """``statement`` in which each scalar of ``values`` is read as its expression; ``change`` sees every statement
    afterwards, innermost first."""

    def of(expression: Expr) -> Expr:
        return replace_in(expression, values)

    def inside(body: Stmt) -> Stmt:
        return replace_scalars(body, values, change)

    made: Stmt
    match statement:
        case Block(statements=inner):
            return Block(tuple(inside(child) for child in inner))
        case Declare(value=value) | Assign(value=value):
            made = replace(statement, value=of(value))
        case Store(index=index, value=value):
            made = replace(statement, index=of(index), value=of(value))
        case For(lower=lower, upper=upper, body=body):
            made = replace(statement, lower=of(lower), upper=of(upper), body=inside(body))
        case While(condition=condition, body=body):
            made = replace(statement, condition=of(condition), body=inside(body))
        case If(condition=condition, then=then, otherwise=otherwise):
            last = None if otherwise is None else inside(otherwise)
            made = replace(statement, condition=of(condition), then=inside(then), otherwise=last)
        case Single(body=body):
            made = replace(statement, body=inside(body))
        case Search(lower=lower, upper=upper, value=value):
            made = replace(statement, lower=of(lower), upper=of(upper), value=of(value))
        case Fill(size=size, value=value):
            made = replace(statement, size=of(size), value=of(value))
        case Allocate(size=size) | AllocateResult(size=size) | Scan(size=size):
            made = replace(statement, size=of(size))
        case Grow(needed=needed):
            made = replace(statement, needed=of(needed))
        case Prefetch(index=index):
            made = replace(statement, index=of(index))
        case Sort(lower=lower, upper=upper):
            made = replace(statement, lower=of(lower), upper=of(upper))
        case Slot(key=key):
            made = replace(statement, key=of(key))
        case Require(condition=condition):
            made = replace(statement, condition=of(condition))
        case AllocateMap() | SortMap() | ClearMap() | Break() | Continue() | Comment():
            made = statement
        case Barrier() | Combine() | CombineRuns():
            made = statement
        case _:
            raise TypeError(f"unexpected node {statement!r}")
    return change(made)


def replace_in(expression: Expr, values: Values) -> Expr:
    """``expression`` in which each scalar of ``values`` is its expression."""
    match expression:
        case Var(name=name):
            return values.get(name, expression)
        case Const() | MapSize():
            return expression
        case Binary(left=left, right=right):
            return replace(expression, left=replace_in(left, values), right=replace_in(right, values))
        case Unary(operand=operand) | Cast(operand=operand):
            return replace(expression, operand=replace_in(operand, values))
        case Load(index=index):
            return replace(expression, index=replace_in(index, values))
        case Select(condition=condition, then=then, otherwise=otherwise):
            return replace(
                expression,
                condition=replace_in(condition, values),
                then=replace_in(then, values),
                otherwise=replace_in(otherwise, values),
            )
        case Call(arguments=arguments):
            return replace(expression, arguments=tuple(replace_in(argument, values) for argument in arguments))
        case _:
            raise TypeError(f"unexpected node {expression!r}")
