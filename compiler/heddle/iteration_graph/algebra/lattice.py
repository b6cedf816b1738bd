"""Merge lattices: which stored coordinates must be visited, and what is computed (docs/sources.toml T5, T45).

A lattice is a list of points, largest first. A point holds the accesses that have a value; one loop runs while all of
them last. ``full`` means that every coordinate of the dimension counts, because some operand is stored everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.iteration_graph.algebra.absent_operands import changes_nothing
from heddle.iteration_graph.algebra.constants import EXTREMA, annihilate, background, constant, operation
from heddle.iteration_graph.algebra.type_promotion import expression_dtype
from heddle.iteration_graph.graph.nodes import Assign, Forall, Series, Statement, Where
from heddle.notation.nodes import (
    Access,
    Expression,
    IndexValue,
    Literal,
    SizeValue,
    operands_of,
    with_operands,
)
from heddle.notation.printer import to_text

MAX_POINTS = 64


@dataclass(frozen=True, slots=True)
class Point:
    """``iterators``: the accesses whose level is iterated here; ``full``: also every other coordinate. ``any_of``: one
    loop runs while any of them lasts, and asks which are there (``union.py``); else it runs while all of them last."""

    iterators: frozenset[Access]
    full: bool = False
    any_of: bool = False


Lattice = tuple[Point, ...]
FULL: Lattice = (Point(frozenset(), True),)
EMPTY: Lattice = ()

Classify = Callable[[Access], bool | None]
"""True: its level at the variable is iterated; False: it has a value everywhere; None: it is absent (zero)."""


@dataclass(frozen=True, slots=True)
class Region:
    """Where an expression has its own value, and the constant that it is elsewhere (None: nowhere else)."""

    points: Lattice
    background: Literal | None


VALUED = Region(FULL, None)
"""Of what has a value everywhere, of which no level is iterated."""


def lattice_of(statement: Statement, classify: Classify, workspaces: dict[str, Statement] | None = None) -> Lattice:
    """The lattice of a whole statement: a workspace stands for what its producer computes."""
    return _sort(_statement(statement, classify, dict(workspaces or {})).points)


def elsewhere(expression: Expression) -> Literal | None:
    """The constant that an expression is where none of its sparse operands has an entry; None where it is none."""
    return region_of(expression, lambda access: None if access.background is not None else False).background


def _statement(statement: Statement, classify: Classify, produced: dict[str, Statement]) -> Region:
    match statement:
        case Forall(body=body):
            return _statement(body, classify, produced)
        case Where(consumer=consumer, producer=producer):
            return _statement(consumer, classify, {**produced, **dict.fromkeys(targets_of(producer), producer)})
        case Series(statements=statements):
            return _unite([_statement(statement, classify, produced) for statement in statements])
        case Assign(target=target, operator=operator, expression=expression):
            region = region_of(expression, classify, produced)
            if changes_nothing(target, operator, region.background):
                return Region(region.points, background(target))
            return Region(_everywhere(region), None)
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def _unite(regions: list[Region]) -> Region:
    """Where any of several statements computes something."""
    backgrounds = {None if region.background is None else region.background.value for region in regions}
    shared = regions[0].background if len(backgrounds) == 1 else None
    points = reduce(unite, (region.points for region in regions))
    return Region(points if shared is not None else _everywhere(Region(points, None)), shared)


def region_of(expression: Expression, classify: Classify, produced: dict[str, Statement] | None = None) -> Region:
    produced = produced or {}
    match expression:
        case Access(tensor=tensor) if tensor in produced:
            rest = {k: v for k, v in produced.items() if k != tensor}
            return _statement(produced[tensor], classify, rest)
        case Access():
            iterated = classify(expression)
            if iterated is None:
                return Region(EMPTY, background(expression))
            if not iterated:
                return VALUED
            return Region((Point(frozenset((expression,))),), background(expression))
        case Literal():
            return Region(EMPTY, expression)
        case IndexValue() | SizeValue():
            return VALUED
        case _:
            parts = [region_of(part, classify, produced) for part in operands_of(expression)]
            return _combine(expression, parts)


def _combine(expression: Expression, parts: list[Region]) -> Region:
    """∩ where a background decides the operation alone, as 0 does in a product; ∪ otherwise."""
    if all(region is VALUED for region in parts):  # most loops: the rest would say the same, and takes longer
        return VALUED
    operation_parts = operation(expression)
    if operation_parts is not None:
        operator, left, right = operation_parts
        sides = ((parts[0], right, True), (parts[1], left, False))
        alone = [_decides(expression, operator, region, other, on_left) for region, other, on_left in sides]
        if any(value is not None for value in alone):
            points = [
                region.points if value is not None else _everywhere(region)
                for region, value in zip(parts, alone, strict=True)
            ]
            value = next(value for value in alone if value is not None)
            return Region(intersect(points[0], points[1]), value)
    backgrounds = [region.background for region in parts]
    known = [value for value in backgrounds if value is not None]
    outside = constant(with_operands(expression, known)) if len(known) == len(parts) else None
    points_of_all = reduce(unite, (region.points for region in parts))
    return Region(points_of_all if outside is not None else _everywhere(Region(points_of_all, None)), outside)


def _decides(expression: Expression, operator: str, region: Region, other: Expression, on_left: bool) -> Literal | None:
    if region.background is None:
        return None
    dtype = expression_dtype(expression) if operator in EXTREMA else None  # the others need none, and it takes long
    value = annihilate(operator, region.background.value, on_left, other, dtype)
    return None if value is None else Literal(value, None, expression_dtype(expression))


def _everywhere(region: Region) -> Lattice:
    """The points when also the background counts."""
    return region.points if any(point.full for point in region.points) else unite(region.points, FULL)


def intersect(left: Lattice, right: Lattice) -> Lattice:
    """Both have a value. Next to an iterated operand a full one is located, so ``full`` vanishes."""
    points: dict[Point, None] = {}
    for a in left:
        for b in right:
            iterators = a.iterators | b.iterators
            points[Point(iterators, a.full and b.full)] = None
    return _limit(points)


def unite(left: Lattice, right: Lattice) -> Lattice:
    """At least one has a value. Next to a full operand every coordinate is visited, so that every point is full."""
    full = any(point.full for point in (*left, *right))
    points: dict[Point, None] = {}
    for a in left:
        for b in right:
            points[Point(a.iterators | b.iterators, full)] = None
    for point in (*left, *right):
        points[Point(point.iterators, full)] = None
    return _limit(points)


def _limit(points: dict[Point, None]) -> Lattice:
    if len(points) > MAX_POINTS:
        raise CompileError(
            Diagnostic(
                code="expression/lattice-too-large",
                message=f"Merging this many sparse operands at one variable needs more than {MAX_POINTS} cases. "
                "Compute a part of the expression into a tensor of its own first, or store some operands dense.",
                location=Location(Part.EXPRESSION),
                expected=f"at most {MAX_POINTS} lattice points",
                actual=f"{len(points)}",
            )
        )
    return tuple(points)


def _sort(lattice: Lattice) -> Lattice:
    return tuple(sorted(lattice, key=lambda p: (-len(p.iterators) - p.full, sorted(map(str, p.iterators)))))


def point_texts(point: Point, variable: str) -> tuple[str, ...]:
    """A point as a person reads it: its accesses, and ``all i`` where every coordinate counts."""
    names = tuple(to_text(access) for access in sorted(point.iterators, key=str))
    return (*names, f"all {variable}") if point.full else names


def below(lattice: Lattice, point: Point) -> Lattice:
    """The points that can be active while the loop of ``point`` runs, largest first."""
    return tuple(p for p in lattice if p.iterators <= point.iterators and (point.full or not p.full))


def abbreviate(lattice: Lattice) -> Lattice:
    """``lattice`` as far as a picture needs it: a union as all of its operands together, and each by itself."""
    if not any(point.any_of for point in lattice):
        return lattice
    (union,) = lattice
    singles = (Point(frozenset((access,)), union.full) for access in sorted(union.iterators, key=str))
    everywhere = (Point(frozenset(), True),) if union.full else ()
    return (Point(union.iterators, union.full), *(singles if len(union.iterators) > 1 else ()), *everywhere)


def iterators(lattice: Lattice) -> list[Access]:
    """Every access that some point iterates, in a stable order."""
    everything: frozenset[Access] = reduce(lambda a, b: a | b, (p.iterators for p in lattice), frozenset())
    return sorted(everything, key=str)


def targets_of(statement: Statement) -> list[str]:
    """The tensors that a statement assigns to."""
    match statement:
        case Forall(body=body):
            return targets_of(body)
        case Where(consumer=consumer):
            return targets_of(consumer)
        case Series(statements=statements):
            return [target for statement in statements for target in targets_of(statement)]
        case Assign(target=target):
            return [target.tensor]
        case _:
            raise TypeError(f"unexpected statement {statement!r}")
