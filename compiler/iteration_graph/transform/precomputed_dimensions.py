"""Which loops can be the dimensions of a workspace together: it has one size, its producer copies of them."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.iteration_graph.graph.nodes import IterationGraph
from compiler.iteration_graph.graph.provenance import leaves, level_variables, roots
from compiler.iteration_graph.graph.refusal import Refusal
from compiler.iteration_graph.relations.balance import BalanceRelation
from compiler.iteration_graph.relations.position import PositionRelation


def check_dimensions(graph: IterationGraph, moved: Sequence[str], indices: Sequence[str]) -> None:
    """A workspace over the loops ``indices``, whose producer sums over the loops ``moved``, can be made.

    Raises:
        Refusal: ``schedule/precompute-positions``, ``schedule/precompute-balanced``.
    """
    _check_positions(graph, moved, indices)
    _check_balanced(graph, indices)


def _check_positions(graph: IterationGraph, moved: Sequence[str], indices: Sequence[str]) -> None:
    """Positions lie below the coordinates of the levels above them: a producer cannot have copies of these alone, and
    a workspace cannot have both as dimensions."""
    copied = {root: loop for loop in indices for root in roots(graph, loop)}
    for relation in graph.relations:
        if not isinstance(relation, PositionRelation):
            continue
        own = leaves(graph, relation.position)
        walked = [loop for loop in (*moved, *indices) if loop in own]
        if not walked:
            continue
        tiles = {root for loop in indices if loop not in own for root in roots(graph, loop)}
        outer = level_variables(graph, relation.access)[: relation.first_level - 1]
        chosen = [index for index in copied if index in outer or (index in relation.components and index in tiles)]
        summed = {root: loop for loop in moved for root in roots(graph, loop)} if walked[-1] in indices else {}
        above = [index for index in relation.access.indices if index in chosen or (index in outer and index in summed)]
        if above:
            loop = copied.get(above[0]) or summed[above[0]]
            why = f"would move into a producer that has a copy of {loop}"
            if walked[-1] in indices:
                both = "over both" if above[0] in copied else f"over them, whose producer sums over {loop},"
                why = f"their number differs from one {loop} to the next: a workspace {both} has no size"
            raise Refusal(
                "schedule/precompute-positions",
                f"{relation.position} walks positions of {relation.access.tensor} that lie below {loop}, and {why}. "
                f"Precompute before pos, or keep {loop} outside.",
                argument="variables",
                expected=f"loops below {relation.position}",
                found=loop,
            )


def _check_balanced(graph: IterationGraph, indices: Sequence[str]) -> None:
    """Each part has its own number of rows: a workspace cannot have the parts and their rows as dimensions."""
    for relation in graph.relations:
        if not isinstance(relation, BalanceRelation):
            continue
        parts, rows = (
            [loop for loop in indices if loop in leaves(graph, variable)]
            for variable in (relation.outer, relation.inner)
        )
        if parts and rows:
            raise Refusal(
                "schedule/precompute-balanced",
                f"{rows[0]} visits the rows of a part that {relation.text()} made, and their number differs from one "
                f"{parts[0]} to the next: a workspace over both has no size. Keep {parts[0]} outside.",
                argument="variables",
                expected=f"loops below {parts[0]}",
                found=parts[0],
            )
