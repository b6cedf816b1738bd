"""Unordered levels: they can only be walked from one end to the other, alone (Chou et al. 2018, property O)."""

from __future__ import annotations

from dataclasses import replace

from heddle.diagnostics import Fix
from heddle.formats.format import Format, Level
from heddle.formats.printer import format_text
from heddle.iteration_graph.analysis.iterated import lattice_at, loop_at
from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Series, Statement, Where
from heddle.iteration_graph.graph.own_statement import find_statement_loop
from heddle.iteration_graph.graph.positions import Positions
from heddle.iteration_graph.graph.provenance import (
    level_variables,
    operand_accesses,
    position_relation,
    relation_below,
    walked_positions,
)
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.notation.nodes import Access


def check_unordered(graph: IterationGraph) -> None:
    """Raises Refusal where an unordered level would be merged with another operand, searched or cut into tiles."""
    for access in operand_accesses(graph, graph.statement):
        format = graph.signature.tensors[access.tensor].format
        for number, variable in enumerate(level_variables(graph, access), start=1):
            if not format.ascends(number - 1):
                reason = _obstacle(graph, access, number, variable)
                if reason is not None:
                    raise _refusal(graph, access, number, reason)
    for positions in walked_positions(graph):
        _check_whole_sums(graph, positions)


def _check_whole_sums(graph: IterationGraph, positions: Positions) -> None:
    """Positions that share a coordinate come one by one, so that a sum inside them is not the whole sum."""
    repeats = graph.signature.repeats(positions.access.tensor, positions.last_level)
    if repeats and _has_temporary(find_statement_loop(graph, positions.position)):
        raise Refusal(
            "schedule/repeated-sum",
            f"the coordinates of level {positions.last_level} of {positions.access.tensor} repeat, so "
            f"{positions.position} would see only parts of the sum that is computed into a temporary inside it. "
            f"Leave out pos.",
            expected="a sum over all entries with the same coordinate",
            actual=f"positions of {positions.access.tensor} one by one",
        )


def _has_temporary(statement: Statement) -> bool:
    match statement:
        case Where():
            return True
        case Forall(body=body):
            return _has_temporary(body)
        case Series(statements=statements):
            return any(map(_has_temporary, statements))
        case Assign():
            return False
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def _obstacle(graph: IterationGraph, access: Access, number: int, variable: str) -> str | None:
    if variable in level_variables(graph, access)[: number - 1]:
        return f"be searched for {variable}"
    relation = position_relation(graph, variable)
    if graph.signature.repeats(access.tensor, number) and _has_temporary(loop_at(graph, variable)):
        return f"give the whole sum for one {variable}"
    if relation is not None:
        if relation.access != access:
            return f"be searched for {variable}"
        return f"be cut at {relation.narrowed}" if relation.narrowed != relation.components[0] else None
    if relation_below(graph, variable) is not None:
        return f"be cut into tiles of {variable}"
    lattice = lattice_at(graph, variable)
    if len(lattice) == 1 and lattice[0].iterators == {access} and not lattice[0].full:
        return None
    others = sorted({other.tensor for point in lattice for other in point.iterators} - {access.tensor})
    return f"be merged with {' and '.join(others) or 'operands that are stored everywhere'} at {variable}"


def _refusal(graph: IterationGraph, access: Access, number: int, reason: str) -> Refusal:
    layout = graph.signature.tensors[access.tensor].format
    text = format_text(_in_order(layout))
    what = "is unordered" if not layout.levels[number - 1].ordered else "is in pieces, which may overlap"
    return Refusal(
        "format/unordered",
        f"level {number} of {access.tensor} {what}, so it cannot {reason}: it can only be visited alone, from one "
        f"end to the other. Sort {access.tensor} by storing it as {text}.",
        expected=f"an ordered level, or an expression that {access.tensor} alone drives",
        actual=f"{access.tensor} stored as {format_text(layout)}",
        fixes=(Fix(f"Store {access.tensor} as {text}", formats={access.tensor: text}),),
    )


def _in_order(format: Format) -> Format:
    """The same levels in order; pieces of repeated coordinates become segments of coordinates that are stored once."""
    levels = [replace(level, ordered=True) for level in format.levels]
    for number in range(1, len(levels)):
        if format.levels[number].ordered and not format.ascends(number):
            levels[number - 1] = replace(levels[number - 1], unique=True)
            levels[number] = Level("compressed")
    return Format(tuple(levels), format.order)
