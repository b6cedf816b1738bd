"""A result that is a sum of parts takes the positions of the operand that has the same parts."""

from __future__ import annotations

from heddle.iteration_graph.graph.nodes import Assign, IterationGraph
from heddle.iteration_graph.graph.provenance import all_assignments, leaves, level_variables, operand_accesses
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.notation.nodes import Access, accesses


def owners_of(graph: IterationGraph) -> dict[Access, Access]:
    """By target, the access to the operand whose positions the values of its statement have.

    Raises
    ------
    Refusal
        ``schedule/parts-positions`` where a statement is not inside of the loops over its operand.
    """
    result = graph.signature.result
    written: dict[Access, tuple[str, ...]] = {}
    for path, assign in all_assignments(graph):
        if assign.target.tensor == result.name:
            written.setdefault(assign.target, path)
    owners: dict[Access, Access] = {}
    for (target, path), name in zip(written.items(), result.patterns, strict=True):
        read = (access for access in operand_accesses(graph, graph.statement) if access.tensor == name)
        around = [access for access in read if _is_visited(graph, path, access)]
        if not around:
            raise _unvisited_refusal(graph, name, target)
        owners[target] = around[-1]
    return owners


def check_result_in_parts(graph: IterationGraph) -> None:
    """Raises the Refusal of :func:`owners_of`."""
    if graph.signature.result.patterns:
        owners_of(graph)


def _is_visited(graph: IterationGraph, path: tuple[str, ...], access: Access) -> bool:
    return all(leaf in path for variable in level_variables(graph, access) for leaf in leaves(graph, variable))


def _unvisited_refusal(graph: IterationGraph, name: str, target: Access) -> Refusal:
    summed = graph.signature.sum
    operand = name if summed is None else summed.tensor
    assign = next(assign for _, assign in all_assignments(graph) if assign.target == target)
    workspace = _read_workspace(graph, assign)
    return Refusal(
        "schedule/parts-positions",
        f"{target.tensor} has a value at the position of each entry of {operand}, but behind this command it is "
        f"assigned from {workspace}, in loops that do not visit {operand}. Precompute a part that is without "
        f"{operand}.",
        argument="expression",
        expected=f"a part that is without {operand}",
        actual=f"{operand} computed first, into {workspace}",
    )


def _read_workspace(graph: IterationGraph, assign: Assign) -> str:
    read = (access.tensor for access in accesses(assign.expression) if access.tensor in graph.workspaces)
    return next(read, "a workspace")
