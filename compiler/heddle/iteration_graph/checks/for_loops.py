"""May the iterations of this loop be shared out or unrolled? Those of a for-loop may.

A merge, and a loop that takes all entries with one coordinate at once, find only on the way where the next iteration
begins. Threads of a GPU that collect a row together take the operands of a sum one after the other instead.
"""

from __future__ import annotations

from heddle.advice import CutFirst, WalkPositions
from heddle.iteration_graph.analysis.append_order import visits_workspace
from heddle.iteration_graph.analysis.iterated import merges_at, repeated_at
from heddle.iteration_graph.analysis.shared_rows import collects_in_turn
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import coordinates, last_leaf, leaves, level_variables
from heddle.iteration_graph.graph.refusal import Refusal


def check_for_loop(graph: IterationGraph, variable: str) -> None:
    """Raises Refusal ``schedule/merge`` or ``schedule/repeated-coordinates`` when ``variable`` is no for-loop."""
    determined = [v for v in coordinates(graph) if variable in leaves(graph, v)]
    for root in determined:
        if last_leaf(graph, root) == variable:
            _check_repeated(graph, variable, root)
        merged = merges_at(graph, root)
        if merged and last_leaf(graph, root) == variable and not collects_in_turn(graph, variable):
            names = " and ".join(merged)
            raise Refusal(
                "schedule/merge",
                f"{variable} merges {names}: a while-loop that advances several positions at once cannot be divided or "
                f"unrolled. Strip-mine it first (split({variable}, {variable}0, {variable}1, 64)) and use the tiles.",
                argument="variable",
                expected="a for-loop",
                actual=f"a merge of {names}",
                advice=(CutFirst(variable),),
            )


def _check_repeated(graph: IterationGraph, variable: str, root: str) -> None:
    access = repeated_at(graph, root)
    if access is None:
        return
    if access.tensor in graph.workspaces:
        raise visits_workspace(variable, access.tensor)
    levels = level_variables(graph, access)
    number = levels.index(root) + 1
    raise Refusal(
        "schedule/repeated-coordinates",
        f"{variable} takes all entries of {access.tensor} with the same {root} at once; where they end is only found "
        "on the way, so this loop cannot be divided or unrolled. "
        f"Fuse it with {levels[number]}, use pos on the fused variable and run those positions in parallel, with "
        f"Atomics.",
        argument="variable",
        expected="a for-loop",
        actual=f"level {number} of {access.tensor}, whose coordinates repeat",
        advice=(WalkPositions(variable, levels[number], access.tensor),),
    )
