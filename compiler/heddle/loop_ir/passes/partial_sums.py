"""Partial sums: an unrolled reduction keeps one sum per step of a trip.

``unroll(j, 4)`` of a loop that only adds to one floating-point scalar ``s`` becomes a loop over trips of four steps
that add to ``s``, ``s_1``, ``s_2`` and ``s_3``, so no addition waits for the one before. The rest of the steps
follow one by one, and the sums are added as ``s += s_1 + (s_2 + s_3)``. The order of the additions differs from that
without ``unroll``, and is the same in every run.

The same holds for a loop whose vector lanes add to the elements of one workspace ``w``: ``w_1``, ``w_2`` and ``w_3``
are workspaces of the same size, which lanes add to ``w`` after the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from heddle.loop_ir import build
from heddle.loop_ir.dtypes import COMPLEX, FLOATS
from heddle.loop_ir.nodes import (
    INDEX,
    Allocate,
    Array,
    Assign,
    Binary,
    Block,
    Const,
    Declare,
    Expr,
    For,
    Function,
    If,
    Load,
    LoopKind,
    Stmt,
    Store,
    Var,
)
from heddle.loop_ir.rebuild import map_children
from heddle.loop_ir.walk import (
    all_statements,
    children,
    declared_names,
    expressions,
    loaded_arrays,
    statements,
    subexpressions,
)
from heddle.names import Names
from heddle.origin import Role

MOST = 16
"""Partial sums of one loop: more do not fit the registers."""


@dataclass(frozen=True, slots=True)
class _Reduction:
    """What a loop adds to: ``name``. ``begin(n)`` starts another sum of that name, ``step(n)`` is the body of the loop
    that adds to it, and ``end(ns)`` adds such sums to the first one."""

    name: str
    begin: Callable[[str], Stmt]
    step: Callable[[str], Stmt]
    end: Callable[[list[str]], Stmt]


def partial_sums(function: Function) -> Function:
    """A function that adds the same numbers."""
    reserved = {parameter.name for parameter in function.parameters}
    dtypes: dict[str, str] = {}
    workspaces: dict[str, Allocate] = {}
    for statement in all_statements(function):
        reserved.update(declared_names(statement))
        if isinstance(statement, Declare):
            dtypes[statement.name] = statement.dtype
        if isinstance(statement, Allocate):
            workspaces[statement.array.name] = statement
    names = Names(reserved)

    def rewrite(statement: Stmt) -> Stmt:
        if isinstance(statement, For) and _is_unrolled(statement):
            scalar = _scalar(statement, dtypes) or _lanes(statement, workspaces, names)
            if scalar is not None:
                return _in_trips(statement, scalar, names)
        return map_children(statement, rewrite)

    body = rewrite(function.body)
    assert isinstance(body, Block)
    return function if body is function.body else replace(function, body=body)


def _is_unrolled(loop: For) -> bool:
    if loop.kind is not LoopKind.SERIAL or loop.unroll is None or not 2 <= loop.unroll <= MOST or loop.private:
        return False
    trips = build.constant(build.sub(loop.upper, loop.lower))
    return trips is None or trips > loop.unroll  # the compiler unrolls fewer whole


def _scalar(loop: For, dtypes: dict[str, str]) -> _Reduction | None:
    """The one scalar that a loop of straight-line code adds to."""
    body = _block(loop.body)
    sums = [statement for statement in body if isinstance(statement, Assign)]
    plain = all(isinstance(statement, Assign) or _is_constant(statement) for statement in body)
    if not plain or len(sums) != 1 or sums[0].reduce != "+":
        return None
    name, origin = sums[0].name, sums[0].origin
    dtype = dtypes.get(name, INDEX)
    read = any(
        part == Var(name, dtype) for statement in body for e in expressions(statement) for part in subexpressions(e)
    )
    if read or dtype not in (*FLOATS, *COMPLEX):
        return None

    def step(partial_name: str) -> Stmt:
        return Block(
            tuple(
                replace(statement, name=partial_name) if isinstance(statement, Assign) else statement
                for statement in body
            )
        )

    return _Reduction(
        name,
        lambda partial_name: Declare(partial_name, dtype, _zero(dtype), origin, mutable=True),
        step,
        lambda others: Assign(
            name, _sum([Var(partial_name, dtype) for partial_name in others], dtype), origin, reduce="+"
        ),
    )


def _lanes(loop: For, workspaces: dict[str, Allocate], names: Names) -> _Reduction | None:
    """The one workspace of a constant size whose elements the vector lanes inside a loop add to."""
    stores = list(_stores(loop.body, in_lanes=False))
    workspace = workspaces.get(stores[0].array.name) if stores and stores[0] is not None else None
    if workspace is None or not isinstance(workspace.size, Const) or workspace.array.dtype not in (*FLOATS, *COMPLEX):
        return None
    array, origin, dtype = workspace.array, workspace.origin, workspace.array.dtype
    adds = all(
        store is not None and store.array == array and store.reduce == "+" and not store.atomic for store in stores
    )
    if not adds or array.name in {name for inner in statements(loop.body) for name in loaded_arrays(inner)}:
        return None

    def step(partial_name: str) -> Stmt:
        return _to(loop.body, replace(array, name=partial_name))

    def end(others: list[str]) -> Stmt:
        lane = names.fresh(f"{array.name}_lane")
        loads: list[Expr] = [Load(replace(array, name=partial_name), Var(lane)) for partial_name in others]
        added = Store(array, Var(lane), _sum(loads, dtype), origin, reduce="+")
        return For(lane, build.index(0), workspace.size, added, origin, LoopKind.CPU_VECTOR)

    return _Reduction(
        array.name,
        lambda partial_name: replace(workspace, array=replace(array, name=partial_name), zero=True),
        step,
        end,
    )


def _stores(statement: Stmt, *, in_lanes: bool) -> Iterator[Store | None]:
    """What lanes store, as far as ``statement`` is tests and lanes alone; None for everything else."""
    match statement:
        case Block() | If():
            for child in children(statement):
                yield from _stores(child, in_lanes=in_lanes)
        case For(kind=LoopKind.CPU_VECTOR, reductions=(), private=()):
            yield from _stores(statement.body, in_lanes=True)
        case Store() if in_lanes:
            yield statement
        case _ if not _is_constant(statement):
            yield None


def _is_constant(statement: Stmt) -> bool:
    return isinstance(statement, Declare) and not statement.mutable


def _to(statement: Stmt, array: Array) -> Stmt:
    """``statement`` with what it stores stored to ``array``."""
    if isinstance(statement, Store):
        return replace(statement, array=array)
    return map_children(statement, lambda child: _to(child, array))


def _in_trips(loop: For, reduction: _Reduction, names: Names) -> Stmt:
    factor, variable = loop.unroll or 1, loop.variable
    bounds = replace(loop.origin, role=Role.BOUNDS)
    others = [names.fresh(f"{reduction.name}_{number}") for number in range(1, factor)]
    begin, trip, trips = (names.fresh(f"{variable}_{word}") for word in ("begin", "trip", "trips"))
    length = build.maximum(build.sub(loop.upper, Var(begin)), build.index(0))
    steps: list[Stmt] = []
    for number, name in enumerate((reduction.name, *others)):
        position = build.add(build.add(Var(begin), build.mul(Var(trip), build.index(factor))), build.index(number))
        steps.append(Block((Declare(variable, INDEX, position, bounds), *_block(reduction.step(name)))))
    rest = build.add(Var(begin), build.mul(Var(trips), build.index(factor)))
    return Block(
        (
            Declare(begin, INDEX, loop.lower, bounds),
            Declare(trips, INDEX, build.floor_divide(length, build.index(factor)), bounds),
            *(reduction.begin(name) for name in others),
            For(trip, build.index(0), Var(trips), Block(tuple(steps)), loop.origin, merge=loop.merge),
            replace(loop, lower=rest, unroll=None),
            reduction.end(others),
        )
    )


def _block(statement: Stmt) -> tuple[Stmt, ...]:
    return statement.statements if isinstance(statement, Block) else (statement,)


def _zero(dtype: str) -> Const:
    return Const(0j if dtype in COMPLEX else 0.0, dtype)


def _sum(parts: Sequence[Expr], dtype: str) -> Expr:
    """Added from the last one back: ``a + (b + c)``."""
    total: Expr = parts[-1]
    for part in reversed(parts[:-1]):
        total = Binary("+", part, total, dtype)
    return total
