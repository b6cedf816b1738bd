"""The union of many operands as one case: a loop over the smallest coordinate at which any of them stands.

A lattice has a point for each set of operands that may be there, and the loops of a merge a copy of the statement for
each, inside of which the next variable has all of its own: ``2 s + 1`` times as many for each operand with ``s`` sparse
levels. A sum needs none of them: a term that is not there adds nothing. One loop goes over the union and asks of every
term if it is there.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.algebra.absent_operands import changes_nothing
from heddle.iteration_graph.algebra.constants import background
from heddle.iteration_graph.algebra.lattice import Classify, Lattice, Point, Region, region_of, targets_of
from heddle.iteration_graph.graph.nodes import Assign, Forall, Statement, Where
from heddle.notation.nodes import Access, Binary, Expression, Literal, Unary, accesses


@dataclass(frozen=True, slots=True)
class _Union:
    """``several``: different parts have an entry at different coordinates."""

    iterators: frozenset[Access]
    full: bool
    several: bool = False


_NOTHING = _Union(frozenset(), False)


def union_of(statement: Statement, classify: Classify) -> Lattice | None:
    """The lattice of ``statement`` as one case; None where some part of it is more than sums and products."""
    union = _of_statement(statement, classify, {})
    if union is None:
        return None
    if not union.iterators and not union.full:
        return ()
    return (Point(union.iterators, union.full, bool(union.iterators) and union.several),)


def _of_statement(statement: Statement, classify: Classify, produced: dict[str, Statement]) -> _Union | None:
    match statement:
        case Forall(body=body):
            return _of_statement(body, classify, produced)
        case Where(consumer=consumer, producer=producer):
            return _of_statement(consumer, classify, {**produced, **dict.fromkeys(targets_of(producer), producer)})
        case Assign(target=target, operator=operator, expression=expression):
            union = _of_expression(expression, classify, produced)
            neutral = changes_nothing(target, operator, Literal(0)) and background(target).value == 0
            if union is None or neutral:
                return union
            return _Union(union.iterators, True, union.several or not union.full)
        case _:
            return None


def _of_expression(expression: Expression, classify: Classify, produced: dict[str, Statement]) -> _Union | None:
    match expression:
        case Access(tensor=tensor) if tensor in produced:
            # A number that a producer sums up is 0 where none of its operands is.
            rest = {name: producer for name, producer in produced.items() if name != tensor}
            return _of_statement(produced[tensor], classify, rest)
        case Binary(operator="+" | "-" | "*" as operator, left=left, right=right):
            sides = [_of_expression(side, classify, produced) for side in (left, right)]
            first, second = sides
            if first is None or second is None:
                return None
            return _multiply(first, second) if operator == "*" else _add(first, second)
        case Unary(operator="-", operand=operand):
            return _of_expression(operand, classify, produced)
        case _ if any(access.tensor in produced for access in accesses(expression)):
            return None
        case _:
            return _of_part(region_of(expression, classify))


def _of_part(region: Region) -> _Union | None:
    zero = region.background is not None and region.background.value == 0
    match region.points:
        case ():
            return _NOTHING if zero else _Union(frozenset(), True)
        case (Point(iterators=iterators, full=True),) if not iterators:
            return _Union(frozenset(), True)
        case (Point(iterators=iterators, full=False),) if zero:
            return _Union(iterators, False)
        case _:
            return None


def _add(first: _Union, second: _Union) -> _Union:
    if _NOTHING in (first, second):
        return second if first == _NOTHING else first
    differ = first.iterators != second.iterators or first.full != second.full
    iterators = first.iterators | second.iterators
    return _Union(iterators, first.full or second.full, first.several or second.several or differ)


def _multiply(first: _Union, second: _Union) -> _Union:
    """More coordinates than those of the product are visited where sums are multiplied, and are left out there."""
    if _NOTHING in (first, second):
        return _NOTHING
    iterators = first.iterators | second.iterators
    return _Union(iterators, first.full and second.full, first.several or second.several)
