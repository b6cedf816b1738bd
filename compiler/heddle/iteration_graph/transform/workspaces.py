"""A workspace where a sparse result cannot be appended in the order of the loops."""

from __future__ import annotations

from heddle.iteration_graph.analysis.append_order import check_append
from heddle.iteration_graph.analysis.assembly import Appended, assembly_of
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import (
    all_assignments,
    leaves,
    level_variables,
    remember_with_tags,
    variables,
)
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.transform.precompute import precompute
from heddle.iteration_graph.transform.producer_variables import Precomputed, fresh_copy
from heddle.names import Names
from heddle.notation.nodes import Access


@remember_with_tags
def with_workspace(graph: IterationGraph) -> IterationGraph:
    """The graph whose sparse result can be appended: values that come out of order are collected first.

    Raises the Refusal of :func:`check_append` when no workspace helps.
    """
    try:
        check_append(graph)
        return graph
    except Refusal as refusal:
        wanted = needed_workspace(graph)
        if wanted is None:
            raise
        changed = precompute(graph, wanted)
        try:
            check_append(changed)
        except Refusal:
            raise refusal from None
        return changed


def needed_workspace(graph: IterationGraph) -> Precomputed | None:
    """What to compute first so that the rest can be appended: the whole value, over the loops of the result that do
    not come outermost and in order."""
    plan = assembly_of(graph)
    if not isinstance(plan, Appended):
        return None
    path, assign = next(assignment for assignment in all_assignments(graph) if assignment[1].target == plan.target)
    over = _out_of_order(graph, path, plan.target)
    if not over:
        return None
    names = Names({*variables(graph), *graph.signature.tensors, *graph.workspaces})
    copies = tuple(fresh_copy(graph, variable) for variable in over)
    return Precomputed(assign.expression, over, copies, names.fresh("w"))


def _out_of_order(graph: IterationGraph, path: tuple[str, ...], target: Access) -> tuple[str, ...]:
    """The variables of the result after the longest prefix of the loops that follows its levels."""
    wanted = [leaf for name in level_variables(graph, target) for leaf in leaves(graph, name)]
    length = 0
    while length < len(wanted) and length < len(path) and path[length] == wanted[length]:
        length += 1
    rest = wanted[length:]
    return tuple(loop for loop in path if loop in rest)
