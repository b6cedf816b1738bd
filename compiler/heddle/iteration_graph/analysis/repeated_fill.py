"""Reductions over what a sparse operand does not store: the same value again and again, combined in one step.

``y(i) = max(j, A(i,j))`` combines 0 at every coordinate that a row of ``A`` does not store. A *repeated fill* is such a
term: it does not depend on the reduced variable, so that a loop visits the stored coordinates alone, counts them, and
combines the term as often as coordinates are left: once for max, min, and, or; multiplied by their number for a sum; to
the power of it for a product of integers.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, replace

from heddle.iteration_graph.algebra.absent_operands import remove_absent
from heddle.iteration_graph.algebra.lattice import Lattice, iterators
from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Series, Statement, Where
from heddle.iteration_graph.graph.provenance import (
    assignments,
    find_assignments,
    is_consecutive,
    leaves,
    position_relation,
    relation_above,
    relation_below,
)
from heddle.loop_ir.dtypes import COMPLEX, FLOATS, INTEGERS
from heddle.loop_ir.nodes import BOOL
from heddle.notation.functions import ASSIGNMENTS
from heddle.notation.nodes import Access, Expression, IndexValue, Literal, SizeValue, accesses, operands_of

IDEMPOTENT = frozenset({"min", "max", "&&", "||"})
"""Operators that give ``a`` for ``a`` combined with itself."""


@dataclass(frozen=True, slots=True)
class RepeatedFill:
    """What is combined at the coordinates of a loop that ``stored``, the points of its lattice without those that count
    every coordinate, leaves out. ``statement`` ends in the assignment ``term``, inside the loops that decide its
    elements; the loops over ``repeats`` do it again without a change. ``once``: doing it once is enough."""

    stored: Lattice
    statement: Statement
    term: Assign
    repeats: tuple[str, ...]
    once: bool


def find_repeated_fill(
    graph: IterationGraph, loop: str, variable: str, body: Statement, lattice: Lattice
) -> RepeatedFill | None:
    """The repeated fill of the loop that runs over the coordinate ``variable``; None where it has to visit all."""
    stored = tuple(replace(point, full=False) for point in lattice if point.iterators)
    everywhere = any(point.full and (point.any_of or not point.iterators) for point in lattice)
    if not stored or not everywhere or not _visits_without_gaps(graph, loop, variable):
        return None
    if loop in graph.parallel or loop in graph.merge or loop in graph.unroll:
        return None  # a command says how all coordinates are visited
    rest = remove_absent(body, frozenset(iterators(lattice)))
    if rest is None or not is_reduction(graph, rest) or depends(graph, rest, variable):
        return None
    term = last_assignment(rest)
    if any(
        assign.target == term.target and assign.operator != term.operator for assign in find_assignments(graph, body)
    ):
        return None
    once = is_idempotent(graph, term)
    if not once and not has_closed_form(graph, term):
        return None
    independent = tuple(v for v in loops_around(rest) if not depends(graph, rest, v))
    repeats = tuple(v for v in independent if is_plain(graph, v))
    if not once and independent != repeats:
        return None
    return RepeatedFill(stored, without_loops(rest, repeats), term, repeats, once)


def find_repeated_loops(graph: IterationGraph, statement: Statement) -> frozenset[str]:
    """The loops of ``statement``, in which operands are absent, that combine the same term in every iteration."""
    match statement:
        case Forall(body=body):
            inside = find_repeated_loops(graph, body)
            if not is_reduction(graph, statement):
                return inside
            term = last_assignment(statement)
            if not is_idempotent(graph, term) and not has_closed_form(graph, term):
                return inside
            repeats = not depends(graph, statement, statement.variable) and is_plain(graph, statement.variable)
            return inside | {statement.variable} if repeats else inside
        case Where(consumer=consumer, producer=producer):
            return find_repeated_loops(graph, consumer) | find_repeated_loops(graph, producer)
        case Series(statements=statements):
            return frozenset[str]().union(*(find_repeated_loops(graph, statement) for statement in statements))
        case Assign():
            return frozenset()
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def split_repeats(graph: IterationGraph, statement: Statement, repeated: frozenset[str]) -> RepeatedFill:
    """What ``statement`` repeats in those of its loops that are ``repeated``."""
    repeats, term = tuple(v for v in loops_around(statement) if v in repeated), last_assignment(statement)
    return RepeatedFill((), without_loops(statement, repeats), term, repeats, is_idempotent(graph, term))


def is_idempotent(graph: IterationGraph, term: Assign) -> bool:
    """Whether combining the term twice is combining it once."""
    operator, dtype = ASSIGNMENTS[term.operator], _dtype(graph, term.target.tensor)
    if operator in IDEMPOTENT or dtype == BOOL:
        return True
    if operator != "*" or not isinstance(term.expression, Literal):
        return False
    value = term.expression.value
    if isinstance(value, complex) or (dtype in INTEGERS and value not in (0, 1)):
        return False
    return value * value == value or math.isnan(value)


def has_closed_form(graph: IterationGraph, term: Assign) -> bool:
    """Whether n times the term is an expression in n: ``n * term`` for sums, ``term ** n`` for products of integers,
    which wrap around alike. Powers of floating point leave their range earlier than products in turn with the stored
    values; an infinite complex number times n has NaN for a part."""
    operator, dtype = ASSIGNMENTS[term.operator], _dtype(graph, term.target.tensor)
    match operator:
        case "+" if dtype in COMPLEX:
            return isinstance(term.expression, Literal) and cmath.isfinite(term.expression.value)
        case "+":
            return dtype in INTEGERS or dtype in FLOATS
        case "*":
            return dtype in INTEGERS
        case _:
            return False


def _dtype(graph: IterationGraph, tensor: str) -> str:
    workspace = graph.workspaces.get(tensor)
    return workspace.dtype if workspace is not None else graph.signature.tensors[tensor].dtype


def _visits_without_gaps(graph: IterationGraph, loop: str, variable: str) -> bool:
    """Whether a run of the loop has every coordinate between its first and its last one, so that their number is known
    without visiting them. Inside a block it may end earlier: the last block reaches over the dimension's end."""
    above = relation_above(graph, variable)
    if above is not None and variable == above.children[-1]:
        return False
    below = relation_below(graph, variable)
    while below is not None:
        if len(below.parents) > 1 or below.of_statements:
            return False
        below = relation_below(graph, below.children[-1])
    return is_consecutive(graph, variable, loop) and position_relation(graph, variable) is None


def is_reduction(graph: IterationGraph, statement: Statement) -> bool:
    """One assignment that combines, inside of loops, which may read scalars that are computed in front of it."""
    match statement:
        case Forall(body=body):
            return is_reduction(graph, body)
        case Assign(operator=operator):
            return operator != "="
        case Where(consumer=consumer, producer=producer):
            scalars = all(not graph.workspaces[assign.target.tensor].variables for _, assign in assignments(producer))
            return scalars and is_reduction(graph, consumer)
        case Series():
            return False
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def last_assignment(statement: Statement) -> Assign:
    """The last assignment of a reduction."""
    match statement:
        case Forall(body=inner) | Where(consumer=inner):
            return last_assignment(inner)
        case Assign():
            return statement
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def loops_around(statement: Statement) -> list[str]:
    """The loops around the last assignment of a reduction."""
    match statement:
        case Forall(variable=variable, body=body):
            return [variable, *loops_around(body)]
        case Where(consumer=consumer):
            return loops_around(consumer)
        case _:
            return []


def without_loops(statement: Statement, left_out: tuple[str, ...]) -> Statement:
    match statement:
        case Forall(variable=variable, body=body):
            inner = without_loops(body, left_out)
            return inner if variable in left_out else Forall(variable, inner)
        case Where(consumer=consumer, producer=producer):
            return Where(without_loops(consumer, left_out), producer)
        case _:
            return statement


def depends(graph: IterationGraph, statement: Statement, variable: str) -> bool:
    """Whether the loops of ``variable`` have a part in where or what something is that the statement assigns."""
    parts = {variable, *leaves(graph, variable)}
    used: set[str] = set()
    for _, assign in assignments(statement):
        used |= {index for access in (assign.target, *accesses(assign.expression)) for index in access.indices}
        used |= _coordinates_in(assign.expression)
    return any(index in parts or parts & set(leaves(graph, index)) for index in used)


def _coordinates_in(expression: Expression) -> set[str]:
    """The index variables whose value the expression computes with."""
    match expression:
        case IndexValue(variable=variable):
            return {variable}
        case Access() | Literal() | SizeValue():
            return set()
        case _:
            return {name for part in operands_of(expression) for name in _coordinates_in(part)}


def is_plain(graph: IterationGraph, variable: str) -> bool:
    """Whether the loop runs over all coordinates of a dimension, one after the other."""
    derived = relation_above(graph, variable) is not None or relation_below(graph, variable) is not None
    return not derived and variable not in graph.parallel
