"""Rows of a sparse result that the threads of a GPU's block collect together, in a hash table (docs/sources.md T31)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heddle.iteration_graph.graph.gpu_units import GPU_UNITS
from heddle.iteration_graph.graph.nodes import (
    Assign,
    Forall,
    IterationGraph,
    Series,
    Statement,
    Where,
    WorkspaceKind,
)
from heddle.iteration_graph.graph.provenance import assignments, loop_variables, reads


@dataclass(frozen=True, slots=True)
class SharedRow:
    """``workspace`` is the table's, ``around`` the loops outside of it, ``units`` those of its producer that run on
    units of the GPU."""

    workspace: str
    around: tuple[str, ...]
    units: tuple[str, ...]
    where: Where

    def stores_alone(self, result: str, level: str) -> bool:
        """Whether the consumer does no more than to store each entry of the row in the ``result``, along the variable
        of its last ``level``."""
        match self.where.consumer:
            case Forall(variable=variable, body=Assign(target=target, operator="=") as assign) if variable == level:
                (read, *others) = reads(assign, self.workspace)
                alone = not others and assign.expression == read and read.indices == (variable,)
                return alone and target.tensor == result
            case _:
                return False


def shared_units(graph: IterationGraph, producer: Statement) -> tuple[str, ...]:
    """The loops of ``producer``, which collects a listed workspace, on units of the GPU; none where one thread collects
    it."""
    workspace = graph.workspaces.get(assignments(producer)[-1][1].target.tensor)
    if workspace is None or workspace.kind is not WorkspaceKind.LISTED:
        return ()
    loops = loop_variables(producer)
    return tuple(loop for loop in loops if loop in graph.parallel and graph.parallel[loop].unit in GPU_UNITS)


def find_shared_rows(graph: IterationGraph) -> tuple[SharedRow, ...]:
    """All of ``graph``."""
    return tuple(_find(graph, graph.statement, ()))


def _find(graph: IterationGraph, statement: Statement, around: tuple[str, ...]) -> Iterator[SharedRow]:
    match statement:
        case Forall(variable=variable, body=body):
            yield from _find(graph, body, (*around, variable))
        case Where(consumer=consumer, producer=producer):
            if units := shared_units(graph, producer):
                name = assignments(producer)[-1][1].target.tensor
                yield SharedRow(name, around, units, statement)
            yield from _find(graph, consumer, around)
            yield from _find(graph, producer, around)
        case Series(statements=statements):
            for child in statements:
                yield from _find(graph, child, around)
        case _:
            pass
