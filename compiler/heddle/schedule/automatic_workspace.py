"""The automatic workspace: a transformation of its own, in front of the first command of a schedule.

Where the loops that a program starts with cannot append its sparse result in order, the compiler collects the values in
a workspace first, as ``precompute`` of the whole expression would. Commands then work on the loops with the workspace.
A schedule may make the workspace needless, mostly by a ``precompute`` of its own. Its commands are therefore applied to
the loops without the workspace as well, and as soon as these can append the result, they take the place of the others:
such a schedule means what it says, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from heddle.advice import StoreInOrder
from heddle.iteration_graph.analysis.append_order import check_append
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import remember_with_tags
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.transform.implicit import with_implicit_positions
from heddle.iteration_graph.transform.workspaces import with_workspace


@remember_with_tags
def add_automatic_workspace(graph: IterationGraph) -> IterationGraph:
    """The loops that the first command finds: those of ``graph``, with a workspace where its result needs one.

    Where no workspace helps it is ``graph`` itself: a command may still mend that, else the compile refuses it.
    """
    if graph.commands or graph.bare is not None or not graph.signature.workspace_first:
        return graph
    try:
        gathered = with_workspace(graph)
    except Refusal:
        return graph
    return graph if gathered is graph else replace(gathered, bare=graph)


def find_obstacle(graph: IterationGraph) -> Refusal | None:
    """Why the result of ``graph`` cannot be assembled; None where it can."""
    try:
        check_append(with_implicit_positions(graph))
    except Refusal as refusal:
        return refusal
    return None


def apply_with_workspace(graph: IterationGraph, apply: Callable[[IterationGraph], IterationGraph]) -> IterationGraph:
    """The graph after a command, which ``apply`` applies to one graph.

    Raises
    ------
    Refusal
        where neither the loops with the automatic workspace nor those without it allow the command: that of the former,
        unless another storage order lets the latter have it.
    """
    graph = add_automatic_workspace(graph)
    if graph.bare is None:
        return apply(graph)
    try:
        bare = apply(graph.bare)
    except Refusal as refusal:
        return replace(_apply_or_convert(graph, apply, refusal), bare=None)
    if find_obstacle(bare) is None:
        return bare
    try:
        return replace(apply(graph), bare=bare)
    except Refusal:
        return bare


def _apply_or_convert(
    graph: IterationGraph, apply: Callable[[IterationGraph], IterationGraph], without_workspace: Refusal
) -> IterationGraph:
    try:
        return apply(graph)
    except Refusal:
        if any(isinstance(advice, StoreInOrder) for advice in without_workspace.advice):
            raise without_workspace from None
        raise
