"""Partial sums: an unrolled reduction keeps one sum per step of a trip (spec PERFORMANCE, SpMV).

``unroll(j, 4)`` of a loop that only adds to one floating-point scalar ``s`` becomes a loop over trips of four steps
that add to ``s``, ``s_1``, ``s_2`` and ``s_3``, so that no addition waits for the one before. The rest of the steps
follow one by one, and the sums are added as ``s += s_1 + (s_2 + s_3)``. The order of the additions differs from that
without ``unroll``, and is the same in every run.
"""

from __future__ import annotations

from dataclasses import replace

from compiler.loop_ir import build
from compiler.loop_ir.dtypes import COMPLEX, FLOATS
from compiler.loop_ir.nodes import (
    INDEX,
    Assign,
    Binary,
    Block,
    Const,
    Declare,
    Expr,
    For,
    Function,
    LoopKind,
    Stmt,
    Var,
)
from compiler.loop_ir.rebuild import map_children
from compiler.loop_ir.walk import declared_names, expressions, statements, subexpressions
from compiler.names import Names
from compiler.origin import Role

MOST = 16
"""Partial sums of one loop: more do not fit the registers."""


def partial_sums(function: Function) -> Function:
    """A function that adds the same numbers."""
    taken = {parameter.name for parameter in function.parameters}
    dtypes: dict[str, str] = {}
    for statement in statements(function.body):
        taken.update(declared_names(statement))
        if isinstance(statement, Declare):
            dtypes[statement.name] = statement.dtype
    body = _rewritten(function.body, Names(taken), dtypes)
    assert isinstance(body, Block)
    return function if body is function.body else replace(function, body=body)


def _rewritten(statement: Stmt, names: Names, dtypes: dict[str, str]) -> Stmt:
    if isinstance(statement, For) and (reduction := _reduction(statement, dtypes)) is not None:
        return _in_trips(statement, reduction, dtypes[reduction.name], names)
    return map_children(statement, lambda child: _rewritten(child, names, dtypes))


def _reduction(loop: For, dtypes: dict[str, str]) -> Assign | None:
    """The one sum that a loop of straight-line code adds to, where it is to be unrolled."""
    if loop.kind is not LoopKind.SERIAL or loop.unroll is None or not 2 <= loop.unroll <= MOST or loop.private:
        return None
    trips = build.constant(build.sub(loop.upper, loop.lower))
    if trips is not None and trips <= loop.unroll:
        return None  # the compiler unrolls it whole
    body = loop.body.statements if isinstance(loop.body, Block) else (loop.body,)
    sums = [one for one in body if isinstance(one, Assign)]
    plain = all(isinstance(one, Assign) or (isinstance(one, Declare) and not one.mutable) for one in body)
    if not plain or len(sums) != 1 or sums[0].reduce != "+":
        return None
    name = sums[0].name
    read = any(
        part == Var(name, dtypes.get(name, INDEX))
        for one in body
        for e in expressions(one)
        for part in subexpressions(e)
    )
    return sums[0] if dtypes.get(name) in (*FLOATS, *COMPLEX) and not read else None


def _in_trips(loop: For, reduction: Assign, dtype: str, names: Names) -> Stmt:
    factor, variable = loop.unroll or 1, loop.variable
    bounds = replace(loop.origin, role=Role.BOUNDS)
    body = loop.body.statements if isinstance(loop.body, Block) else (loop.body,)
    sums = [reduction.name, *(names.fresh(f"{reduction.name}_{number}") for number in range(1, factor))]
    begin, trip, trips = (names.fresh(f"{variable}_{word}") for word in ("begin", "trip", "trips"))
    length = build.maximum(build.sub(loop.upper, Var(begin)), build.index(0))
    zero = Const(0j if dtype in COMPLEX else 0.0, dtype)
    steps: list[Stmt] = []
    for number, name in enumerate(sums):
        position = build.add(build.add(Var(begin), build.mul(Var(trip), build.index(factor))), build.index(number))
        own = [replace(one, name=name) if isinstance(one, Assign) else one for one in body]
        steps.append(Block((Declare(variable, INDEX, position, bounds), *own)))
    rest = build.add(Var(begin), build.mul(Var(trips), build.index(factor)))
    return Block(
        (
            Declare(begin, INDEX, loop.lower, bounds),
            Declare(trips, INDEX, build.floor_divide(length, build.index(factor)), bounds),
            *(Declare(name, dtype, zero, reduction.origin, mutable=True) for name in sums[1:]),
            For(trip, build.index(0), Var(trips), Block(tuple(steps)), loop.origin, merge=loop.merge),
            replace(loop, lower=rest, unroll=None),
            Assign(reduction.name, _sum([Var(name, dtype) for name in sums[1:]], dtype), reduction.origin, reduce="+"),
        )
    )


def _sum(parts: list[Var], dtype: str) -> Expr:
    """Added from the last one back: ``a + (b + c)``."""
    total: Expr = parts[-1]
    for part in reversed(parts[:-1]):
        total = Binary("+", part, total, dtype)
    return total
