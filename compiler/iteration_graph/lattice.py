"""Merge lattices: which stored coordinates must be visited, and what is computed (FEATURES T5, T45; paper 000 §6).

A lattice is a list of points, largest first. A point holds the accesses that have a value; one loop runs while all of
them last. ``full`` means that every coordinate of the dimension counts, because some operand is stored everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

from compiler.diagnostics import CompileError, Diagnostic, Location, Part
from compiler.iteration_graph.nodes import Assign, Forall, Statement, Where
from compiler.notation.nodes import Access, Binary, Expression, Literal, Unary
from compiler.notation.printer import to_text

MAX_POINTS = 64


@dataclass(frozen=True, slots=True)
class Point:
    """``iterators``: the accesses whose level is iterated here; ``full``: also every other coordinate."""

    iterators: frozenset[Access]
    full: bool = False


Lattice = tuple[Point, ...]
FULL: Lattice = (Point(frozenset(), True),)
EMPTY: Lattice = ()

Classify = Callable[[Access], bool | None]
"""True: its level at the variable is iterated; False: it has a value everywhere; None: it is absent (zero)."""


def lattice_of(statement: Statement, classify: Classify, workspaces: dict[str, Statement] | None = None) -> Lattice:
    """The lattice of a whole statement: a workspace stands for what its producer computes."""
    produced = dict(workspaces or {})
    match statement:
        case Forall(body=body):
            return lattice_of(body, classify, produced)
        case Where(consumer=consumer, producer=producer):
            for target in _targets(producer):
                produced[target] = producer
            return lattice_of(consumer, classify, produced)
        case Assign(expression=expression):
            return _sorted(_lattice(expression, classify, produced))
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def _lattice(expression: Expression, classify: Classify, produced: dict[str, Statement]) -> Lattice:
    match expression:
        case Access(tensor=tensor) if tensor in produced:
            return lattice_of(produced[tensor], classify, {k: v for k, v in produced.items() if k != tensor})
        case Access():
            iterated = classify(expression)
            if iterated is None:
                return EMPTY
            return (Point(frozenset((expression,))),) if iterated else FULL
        case Literal(value=value):
            return EMPTY if value == 0 else FULL
        case Unary(operand=operand):
            return _lattice(operand, classify, produced)
        case Binary(operator="*" | "/", left=left, right=right):
            return intersect(_lattice(left, classify, produced), _lattice(right, classify, produced))
        case Binary(operator="+" | "-", left=left, right=right):
            return unite(_lattice(left, classify, produced), _lattice(right, classify, produced))
        case _:
            raise TypeError(f"unexpected node {expression!r}")


def intersect(left: Lattice, right: Lattice) -> Lattice:
    """Both have a value. Beside an iterated operand a full one is located, so ``full`` vanishes."""
    points: dict[Point, None] = {}
    for a in left:
        for b in right:
            iterators = a.iterators | b.iterators
            points[Point(iterators, a.full and b.full)] = None
    return _limited(points)


def unite(left: Lattice, right: Lattice) -> Lattice:
    """At least one has a value. Beside a full operand every coordinate is visited, so that every point is full."""
    full = any(point.full for point in (*left, *right))
    points: dict[Point, None] = {}
    for a in left:
        for b in right:
            points[Point(a.iterators | b.iterators, full)] = None
    for point in (*left, *right):
        points[Point(point.iterators, full)] = None
    return _limited(points)


def _limited(points: dict[Point, None]) -> Lattice:
    if len(points) > MAX_POINTS:
        raise CompileError(
            Diagnostic(
                code="expression/lattice-too-large",
                message=f"Merging this many sparse operands at one variable needs more than {MAX_POINTS} cases. "
                "Compute a part of the sum into a tensor of its own first, or store some operands dense.",
                location=Location(Part.EXPRESSION),
                expected=f"at most {MAX_POINTS} lattice points",
                found=f"{len(points)}",
            )
        )
    return tuple(points)


def _sorted(lattice: Lattice) -> Lattice:
    return tuple(sorted(lattice, key=lambda p: (-len(p.iterators) - p.full, sorted(map(str, p.iterators)))))


def point_texts(point: Point, variable: str) -> tuple[str, ...]:
    """A point as a person reads it: its accesses, and ``all i`` where every coordinate counts."""
    names = tuple(to_text(access) for access in sorted(point.iterators, key=str))
    return (*names, f"all {variable}") if point.full else names


def below(lattice: Lattice, point: Point) -> Lattice:
    """The points that can be active while the loop of ``point`` runs, largest first."""
    return tuple(p for p in lattice if p.iterators <= point.iterators and (point.full or not p.full))


def iterators(lattice: Lattice) -> list[Access]:
    """Every access that some point iterates, in a stable order."""
    everything: frozenset[Access] = reduce(lambda a, b: a | b, (p.iterators for p in lattice), frozenset())
    return sorted(everything, key=str)


def _targets(statement: Statement) -> list[str]:
    match statement:
        case Forall(body=body):
            return _targets(body)
        case Where(consumer=consumer):
            return _targets(consumer)
        case Assign(target=target):
            return [target.tensor]
        case _:
            raise TypeError(f"unexpected statement {statement!r}")
