"""Unordered levels: they can only be walked from one end to the other, alone (Chou et al. 2018, property O)."""

from __future__ import annotations

from compiler.diagnostics import Fix
from compiler.formats.format import Format, Level
from compiler.formats.printer import format_text
from compiler.iteration_graph.iterated import lattice_at
from compiler.iteration_graph.nodes import IterationGraph
from compiler.iteration_graph.provenance import level_variables, operand_accesses, position_relation, relation_below
from compiler.iteration_graph.refusal import Refusal
from compiler.notation.nodes import Access


def check_unordered(graph: IterationGraph) -> None:
    """Raises Refusal where an unordered level would be merged with another operand, searched or cut into tiles."""
    for access in operand_accesses(graph, graph.statement):
        levels = graph.signature.tensors[access.tensor].format.levels
        for number, variable in enumerate(level_variables(graph, access), start=1):
            if not levels[number - 1].ordered:
                reason = _obstacle(graph, access, number, variable)
                if reason is not None:
                    raise _refusal(graph, access, number, reason)


def _obstacle(graph: IterationGraph, access: Access, number: int, variable: str) -> str | None:
    if variable in level_variables(graph, access)[: number - 1]:
        return f"be searched for {variable}"
    relation = position_relation(graph, variable)
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
    sorted_levels = tuple(Level(level.kind, True, level.unique) for level in layout.levels)
    text = format_text(Format(sorted_levels, layout.order))
    return Refusal(
        "format/unordered",
        f"level {number} of {access.tensor} is unordered, so it cannot {reason}: it can only be walked alone, from one "
        f"end to the other. Sort {access.tensor} by storing it as {text}.",
        expected=f"an ordered level, or an expression that {access.tensor} alone drives",
        found=f"{access.tensor} stored as {format_text(layout)}",
        fixes=(Fix(f"Store {access.tensor} as {text}", formats={access.tensor: text}),),
    )
