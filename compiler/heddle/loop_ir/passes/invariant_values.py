"""Values that an innermost loop computes alike in every iteration move before it: divisions and functions of scalars.

A C compiler does this only where it can tell that no store of the loop changes an array that they read. It knows no
longer what ``restrict`` promised in a loop that threads share, whose body it moves to a function of its own: each
element of a normalised row then had a division and a square root (benchmarks/archive/kernels.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from heddle.loop_ir import build
from heddle.loop_ir.dtypes import COMPLEX, FLOATS, dtype_of
from heddle.loop_ir.nodes import (
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Comment,
    Const,
    Declare,
    Expr,
    For,
    Function,
    If,
    Load,
    LoopKind,
    Select,
    Stmt,
    Store,
    Unary,
    Var,
)
from heddle.loop_ir.rebuild import map_children, map_expressions, map_operands
from heddle.loop_ir.walk import (
    all_names,
    all_statements,
    children,
    declared_names,
    expressions,
    operands,
    statements,
    subexpressions,
    written_arrays,
)
from heddle.names import Names
from heddle.origin import Role

_PLAIN = (Declare, Assign, Store, If, Comment)
_KINDS = (LoopKind.SERIAL, LoopKind.CPU_VECTOR)


@dataclass(frozen=True, slots=True)
class _Changing:
    """The scalars and arrays that a loop changes."""

    scalars: frozenset[str]
    arrays: frozenset[str]


def invariant_values(function: Function) -> Function:
    """A function that computes the same."""
    if not any(
        _costs(part)
        for statement in all_statements(function)
        for expression in expressions(statement)
        for part in _parts(expression)
    ):
        return function
    names = Names(all_names(function))
    body = Block(tuple(_statement(statement, names) for statement in function.body.statements))
    return function if body == function.body else replace(function, body=body)


def _statement(statement: Stmt, names: Names) -> Stmt:
    new_statement = map_children(statement, lambda child: _statement(child, names))
    return (
        _hoist(new_statement, names)
        if isinstance(new_statement, For) and new_statement.kind in _KINDS
        else new_statement
    )


def _hoist(loop: For, names: Names) -> Stmt:
    """The loop, behind what it would compute again and again; neither where it has no iteration."""
    inside = tuple(statements(loop.body))
    if not all(isinstance(statement, _PLAIN) for statement in inside):
        return loop
    changing = _Changing(
        frozenset(
            {
                loop.variable,
                *(name for statement in inside for name in (*declared_names(statement), *_find_assigned(statement))),
            }
        ),
        frozenset(name for statement in inside for name in written_arrays(statement)),
    )
    invariants = dict.fromkeys(
        value
        for statement in _always(loop.body)
        for expression in expressions(statement)
        for value in _find_invariant(expression, changing)
    )
    if not invariants:
        return loop
    known = {value: Var(names.fresh("kept"), dtype_of(value)) for value in invariants}
    declared = tuple(
        Declare(scalar.name, scalar.dtype, value, replace(loop.origin, role=Role.COMPUTE))
        for value, scalar in known.items()
    )
    whole = Block((*declared, replace(loop, body=_with(loop.body, known))))
    some = build.compare("<", loop.lower, loop.upper)
    return whole if some == build.TRUE else If(some, whole, replace(loop.origin, role=Role.GUARD))


def _parts(value: Expr) -> Iterable[Expr]:
    """The parts that may cost something; most expressions are a name or a number."""
    return () if isinstance(value, Var | Const) else subexpressions(value)


def _find_assigned(statement: Stmt) -> tuple[str, ...]:
    return (statement.name,) if isinstance(statement, Assign) else ()


def _always(body: Stmt) -> Iterator[Stmt]:
    """The statements that every iteration executes."""
    for statement in children(body) if isinstance(body, Block) else (body,):
        if isinstance(statement, Block):
            yield from _always(statement)
        elif not isinstance(statement, If):
            yield statement


def _find_invariant(value: Expr, changing: _Changing) -> Iterator[Expr]:
    """The largest parts that cost something and are the same in every iteration."""
    if _costly(value) and _invariant(value, changing):
        yield value
        return
    match value:
        case Select(condition=condition):
            yield from _find_invariant(condition, changing)
        case Binary(operator="&&" | "||", left=left):
            yield from _find_invariant(left, changing)
        case _:
            for operand in operands(value):
                yield from _find_invariant(operand, changing)


def _costs(part: Expr) -> bool:
    return isinstance(part, Call) or (isinstance(part, Binary) and part.operator == "/")


def _costly(value: Expr) -> bool:
    return dtype_of(value) in FLOATS | COMPLEX and any(_costs(part) for part in subexpressions(value))


def _invariant(value: Expr, changing: _Changing) -> bool:
    match value:
        case Const():
            return True
        case Var(name=name):
            return name not in changing.scalars
        case Load(array=array, index=index):
            return array.name not in changing.arrays and _invariant(index, changing)
        case Binary() | Unary() | Cast() | Call():
            return all(_invariant(operand, changing) for operand in operands(value))
        case _:
            return False


def _with(statement: Stmt, known: dict[Expr, Var]) -> Stmt:
    """``statement`` with the scalars in place of the values."""

    def change(value: Expr) -> Expr:
        return known[value] if value in known else map_operands(value, change)

    inner = map_children(statement, lambda child: _with(child, known))
    return inner if isinstance(inner, Block) else map_expressions(inner, change)
