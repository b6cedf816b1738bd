"""Prefetching: loads that a loop over stored coordinates will need ``distance`` iterations later.

Where a loop over positions ``p`` reads a coordinate ``j = crd[p]`` and something below loads an element whose place
depends on ``j``, the same place is computed for ``crd[p + distance]`` and asked for ahead of time. Where entries are
shared, ``j = crd[perm[p]]``, what is read of an entry itself is asked for twice as early: it lies anywhere. It changes
nothing that is computed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from heddle.iteration_graph.graph.nodes import PrefetchTag
from heddle.loop_ir import build
from heddle.loop_ir.nodes import (
    INDEX,
    Array,
    ArrayRole,
    Block,
    Const,
    Declare,
    Expr,
    For,
    Function,
    Load,
    Prefetch,
    Stmt,
    Var,
)
from heddle.loop_ir.rebuild import map_children
from heddle.loop_ir.walk import children, declared_names, expressions, statements, subexpressions
from heddle.lowering.environment.kernel_context import KernelContext
from heddle.lowering.environment.parameters import parameters
from heddle.lowering.environment.positions import positions
from heddle.origin import Origin, Role

LINE_BYTES = 64
MOST_LINES = 8


def with_prefetches(function: Function, kernel: KernelContext) -> Function:
    """``function`` with a prefetch for each of the tensors that the schedule asks for, in every loop that loads its
    values by a stored coordinate. What the end of a list of coordinates is read from may be a parameter more."""
    body: Stmt = function.body
    for tensor, tag in kernel.graph.prefetch.items():
        body = _rewrite(body, _Wish(tensor, tag, kernel))
    if body is function.body:
        return function
    assert isinstance(body, Block)
    return replace(function, parameters=parameters(kernel, body), body=body)


@dataclass(frozen=True, slots=True)
class _Wish:
    tensor: str
    tag: PrefetchTag
    kernel: KernelContext


def _rewrite(statement: Stmt, request: _Wish) -> Stmt:
    loop = _in_loop(statement, request) if isinstance(statement, For) else None
    return loop if loop is not None else map_children(statement, lambda child: _rewrite(child, request))


def _in_loop(loop: For, request: _Wish) -> For | None:
    """The loop with its prefetch behind the coordinate that decides it; None where there is no such coordinate. Behind
    the last coordinate of a segment come those of the next one, which will be needed next."""
    body = loop.body.statements if isinstance(loop.body, Block) else (loop.body,)
    for place, statement in enumerate(body):
        match statement:
            case Declare(name=name, value=Load(array=crd, index=at)) if (
                _follows(at, loop.variable) and crd.role is not ArrayRole.POS
            ):
                rest = body[place + 1 :]
                inside = {name for sibling in rest for inner in statements(sibling) for name in declared_names(inner)}
                address = _address(rest, request.tensor, name, inside, {})
                if address is None:
                    continue
                index, load, lines = address
                last = build.sub(_count_stored(request.kernel, crd) or loop.upper, build.index(1))
                ahead, farther = (
                    build.substitute(
                        at,
                        {loop.variable: build.minimum(build.add(Var(loop.variable), build.index(distance)), last)},
                    )
                    for distance in (request.tag.distance, 2 * request.tag.distance)
                )
                later = Var(request.kernel.names.fresh(f"{name}_ahead"))
                place_later = build.substitute(index, {name: later})
                origin = Origin(Role.COMPUTE, None, load.array.tensor, None, request.tag.command)
                coordinate = Declare(later.name, INDEX, build.load(crd, ahead), origin)
                asked = [Prefetch(load.array, build.add(place_later, build.index(line)), origin) for line in lines]
                entries = _entries(body, at, farther, request, origin) if isinstance(at, Load) else []
                return replace(loop, body=Block((*body[: place + 1], *entries, coordinate, *asked, *rest)))
            case _:
                continue
    return None


def _follows(at: Expr, position: str) -> bool:
    """Whether a coordinate is read at the position of the loop, or of the entry that stands at this place."""
    match at:
        case Var(name=name):
            return name == position
        case Load(array=Array(role=ArrayRole.PERM), index=Var(name=name)):
            return name == position
        case _:
            return False


def _entries(loop_body: tuple[Stmt, ...], at: Load, farther: Expr, request: _Wish, origin: Origin) -> list[Stmt]:
    """Prefetches of all that the loop reads of the entry at a place, for a place ``farther`` on; none of what another
    command prefetches already."""
    asked = {child.array.name for child in loop_body if isinstance(child, Prefetch)}
    read: dict[str, Array] = {}
    for child in loop_body:
        for inner in statements(child):
            for expression in expressions(inner):
                for part in subexpressions(expression):
                    if (
                        isinstance(part, Load)
                        and isinstance(part.index, Load)
                        and part.index.array.role is ArrayRole.PERM
                        and part.index.index == at.index
                        and part.array.name not in asked
                    ):
                        read.setdefault(part.array.name, part.array)
    if not read:
        return []
    entry = Var(request.kernel.names.fresh("entry_ahead"))
    return [Declare(entry.name, INDEX, farther, origin), *(Prefetch(array, entry, origin) for array in read.values())]


def _count_stored(kernel: KernelContext, crd: Array) -> Expr | None:
    """The number of coordinates in ``crd``; None for the list of a workspace."""
    if crd.tensor is None:
        return None
    return positions(kernel.storages[crd.tensor, level] for level in range(1, crd.level + 1))


def _address(
    block: tuple[Stmt, ...], tensor: str, coordinate: str, inside: set[str], values: dict[str, Expr]
) -> tuple[Expr, Load, range] | None:
    """The first value of ``tensor`` that is loaded below and depends on ``coordinate``, in scalars known before the
    block, and the offsets of the cache lines that a loop with constant trips reads from there."""
    values = dict(values)
    for statement in block:
        for expression in expressions(statement):
            for part in subexpressions(expression):
                if isinstance(part, Load) and part.array.tensor == tensor and part.array.role is ArrayRole.VALS:
                    index = build.substitute(part.index, values)
                    names = {p.name for p in subexpressions(index) if isinstance(p, Var)}
                    if coordinate in names and not names & inside:
                        return index, part, range(1)
        if isinstance(statement, Declare):
            values[statement.name] = build.substitute(statement.value, values)
        inner = dict(values)
        trips = 1
        if isinstance(statement, For):
            inner[statement.variable] = build.substitute(statement.lower, values)
            trips = build.constant(build.sub(statement.upper, statement.lower)) or 1
        for child in children(statement):
            body = child.statements if isinstance(child, Block) else (child,)
            address = _address(body, tensor, coordinate, inside, inner)
            if address is not None:
                index, load, lines = address
                if trips > 1 and _by_ones(statement, load):
                    per_line = LINE_BYTES // _bytes(load.array.dtype)
                    lines = range(0, min(trips, MOST_LINES * per_line), per_line)
                return index, load, lines
    return None


def _by_ones(loop: Stmt, load: Load) -> bool:
    """Whether the loop reads consecutive elements: its variable, or what is declared from it, is added to the place."""
    assert isinstance(loop, For)
    steps = {loop.variable}
    for statement in statements(loop.body):
        if isinstance(statement, Declare) and _adds(statement.value, steps):
            steps.add(statement.name)
    return _adds(load.index, steps)


def _adds(expression: Expr, steps: set[str]) -> bool:
    match expression:
        case Var(name=name):
            return name in steps
        case Const():
            return False
        case _ if getattr(expression, "operator", None) == "+":
            return any(_adds(part, steps) for part in (expression.left, expression.right))  # type: ignore[union-attr]
        case _:
            return False


def _bytes(dtype: str) -> int:
    return {"complex128": 16, "bool": 1}.get(dtype) or int("".join(c for c in dtype if c.isdigit())) // 8
