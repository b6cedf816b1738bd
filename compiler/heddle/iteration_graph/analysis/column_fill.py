"""Repeated fills of columns: ``r(j) = max(i, A(i,j))`` with the rows of ``A`` stored.

The loops visit a row at a time, and each column leaves other rows out. A *column fill* counts for every element of the
result how many stored coordinates its loops visit; behind them, it combines the fill in the elements that were visited
less often than the reduced loops have iterations. The fill of one row after another is a *repeated fill*
(``repeated_fill.py``), of which this is the transposed case.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from heddle.iteration_graph.algebra.absent_operands import remove_absent
from heddle.iteration_graph.algebra.lattice import Lattice, iterators
from heddle.iteration_graph.analysis.iterated import iterates, iterates_anywhere, lattice_at, lattice_in, loop_at
from heddle.iteration_graph.analysis.repeated_fill import (
    RepeatedFill,
    depends,
    find_repeated_fill,
    has_closed_form,
    is_idempotent,
    is_plain,
    is_reduction,
    last_assignment,
    loops_around,
    without_loops,
)
from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Series, Statement, Where, WorkspaceKind
from heddle.iteration_graph.graph.provenance import (
    all_loops,
    coordinates,
    find_assignments,
    leaves,
    position_relation,
    relation_above,
    roots,
)
from heddle.notation.nodes import Access, accesses


@dataclass(frozen=True, slots=True)
class ColumnFill:
    """What is combined behind the loop ``outermost``, the first of those that reduce.

    Attributes
    ----------
    outermost
        the loop behind which the fill stands.
    innermost
        the loop over the last variable that a sparse level drives: each of its iterations is counted.
    columns
        the loops that have an element of the result each, in their order; the counts have these dimensions.
    reduced
        the variable that the other loops run over, of which each element combines every coordinate.
    stored
        by variable that a sparse level drives, the points of its lattice that visit stored coordinates.
    statement
        what is combined, inside the loops that decide its elements.
    term
        the assignment that ``statement`` ends in.
    repeats
        further loops over ``statement`` that change nothing.
    once
        doing it once is enough.
    """

    outermost: str
    innermost: str
    columns: tuple[str, ...]
    reduced: str
    stored: dict[str, Lattice]
    statement: Statement
    term: Assign
    repeats: tuple[str, ...]
    once: bool

    def at(self, variable: str) -> RepeatedFill:
        """The same as the loop over ``variable`` sees it."""
        return RepeatedFill(self.stored[variable], self.statement, self.term, self.repeats, self.once)


@dataclass(frozen=True, slots=True)
class _Driven:
    """A loop that sparse levels drive, and what is computed where none of them has a coordinate."""

    variable: str
    lattice: Lattice
    rest: Statement


def find_column_fill(graph: IterationGraph, statement: Forall) -> ColumnFill | None:
    """The column fill whose outermost loop ``statement`` is; None where every coordinate has to be visited."""
    if not iterates_anywhere(graph) or not _may_scatter(graph, statement):
        return None
    nest = _nest(statement)
    driven = _driven_loops(graph, nest)
    if not driven:
        return None
    variables = [forall.variable for forall in nest]
    chain = variables[: variables.index(driven[-1].variable) + 1]
    fill = _common_fill(driven, chain)
    if fill is None or not is_reduction(graph, fill) or not _is_told_apart(graph, statement, fill):
        return None
    term = last_assignment(fill)
    columns = tuple(loop for loop in chain if depends(graph, fill, loop))
    reduced = dict.fromkeys(root for loop in chain if loop not in columns for root in roots(graph, loop))
    if not columns or statement.variable in columns or len(reduced) != 1 or not {*columns} <= {*term.target.indices}:
        return None
    (root,) = reduced
    if not all(is_plain(graph, loop) for loop in columns) or not _visits_each_once(graph, root, chain):
        return None
    once = is_idempotent(graph, term)
    if not once and not has_closed_form(graph, term):
        return None
    inner = [loop for loop in loops_around(fill) if not depends(graph, fill, loop)]
    repeats = tuple(loop for loop in inner if is_plain(graph, loop))
    if not once and len(repeats) < len(inner):
        return None
    stored = {loop.variable: tuple(replace(p, full=False) for p in loop.lattice if p.iterators) for loop in driven}
    rest = without_loops(fill, repeats)
    return ColumnFill(statement.variable, chain[-1], columns, root, stored, rest, term, repeats, once)


def fill_at(graph: IterationGraph, variable: str) -> RepeatedFill | None:
    """What is combined behind the loops for coordinates of ``variable`` that they leave out; None where they visit
    every one."""
    for outermost in _foralls(graph.statement):
        columns = find_column_fill(graph, outermost)
        if columns is not None and variable in columns.stored:
            return columns.at(variable)
    order = all_loops(graph)
    loop = max(leaves(graph, variable), key=order.index)
    statement: Statement = loop_at(graph, variable)
    while isinstance(statement, Forall) and statement.variable != loop:
        statement = statement.body
    if not isinstance(statement, Forall):
        return None
    return find_repeated_fill(graph, loop, variable, statement.body, lattice_at(graph, variable))


def _foralls(statement: Statement) -> Iterator[Forall]:
    match statement:
        case Forall(body=body):
            yield statement
            yield from _foralls(body)
        case Where(consumer=consumer, producer=producer):
            yield from _foralls(consumer)
            yield from _foralls(producer)
        case Series(statements=statements):
            for part in statements:
                yield from _foralls(part)
        case Assign():
            return
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def _nest(statement: Statement) -> list[Forall]:
    return [statement, *_nest(statement.body)] if isinstance(statement, Forall) else []


def _may_scatter(graph: IterationGraph, statement: Forall) -> bool:
    """Whether something is combined into elements that loops inside of ``statement`` tell apart, and it does not."""
    inner = {forall.variable for forall in _nest(statement.body)}
    return any(
        assign.operator != "=" and statement.variable not in assign.target.indices and inner & {*assign.target.indices}
        for assign in find_assignments(graph, statement)
    )


def _driven_loops(graph: IterationGraph, nest: Sequence[Forall]) -> list[_Driven]:
    """The loops that sparse levels drive; none where one of them is cut, or visits stored coordinates already."""
    driven: list[_Driven] = []
    for forall in nest:
        tagged = forall.variable in {*graph.parallel, *graph.merge, *graph.unroll}
        for root in roots(graph, forall.variable):
            lattice = (
                lattice_in(graph, root, forall, partial(_iterates_at, graph, root))
                if root in coordinates(graph)
                else ()
            )
            if not iterators(lattice):
                continue
            everywhere = any(point.full and (point.any_of or not point.iterators) for point in lattice)
            rest = remove_absent(forall.body, frozenset(iterators(lattice)))
            if tagged or root != forall.variable or not everywhere or rest is None:
                return []
            driven.append(_Driven(root, lattice, rest))
    return driven


def _iterates_at(graph: IterationGraph, variable: str, access: Access) -> bool:
    return iterates(graph, access, variable)


def _common_fill(driven: Sequence[_Driven], chain: Sequence[str]) -> Statement | None:
    """What is computed inside of all loops of the ``chain`` where a sparse level leaves a coordinate out; None where
    that differs from level to level."""
    fills: list[Statement] = []
    for loop in driven:
        rest = loop.rest
        for variable in chain[chain.index(loop.variable) + 1 :]:
            if not isinstance(rest, Forall) or rest.variable != variable:
                return None
            rest = rest.body
        fills.append(rest)
    return fills[0] if all(fill == fills[0] for fill in fills) else None


def _is_told_apart(graph: IterationGraph, statement: Forall, fill: Statement) -> bool:
    """Whether the fill goes to memory with a place for each element, reads no sparse operand, and nothing else is
    combined there in another way."""
    term = last_assignment(fill)
    if not all(_is_dense(graph, access) for access in (term.target, *accesses(term.expression))):
        return False
    visited = find_assignments(graph, statement)
    return all(assign.operator == term.operator for assign in visited if assign.target == term.target)


def _is_dense(graph: IterationGraph, access: Access) -> bool:
    workspace = graph.workspaces.get(access.tensor)
    if workspace is not None:
        return workspace.kind is WorkspaceKind.DENSE
    layout = graph.signature.tensors[access.tensor].format
    return layout.is_dense and layout.composition is None


def _visits_each_once(graph: IterationGraph, root: str, chain: Sequence[str]) -> bool:
    """Whether the loops over parts of ``root`` visit all of its coordinates, one after the other."""
    parts = leaves(graph, root)
    if position_relation(graph, root) is not None or relation_above(graph, root) is not None:
        return False
    return {*parts} <= {*chain} and not {*parts} & {*graph.parallel} and all(roots(graph, v) == (root,) for v in parts)
