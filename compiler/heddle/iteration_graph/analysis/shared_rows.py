"""Rows of a sparse result that the threads of a GPU's block collect together, in a hash table
(docs/sources.toml T31)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heddle.iteration_graph.algebra.constants import background
from heddle.iteration_graph.algebra.lattice import lattice_of
from heddle.iteration_graph.algebra.terms import signed_terms
from heddle.iteration_graph.algebra.type_promotion import expression_dtype
from heddle.iteration_graph.analysis.iterated import iterates
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
from heddle.iteration_graph.graph.provenance import assignments, level_variables, loop_variables, reads
from heddle.loop_ir.nodes import LoopKind
from heddle.notation.nodes import Access, Unary


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


def terms_in_turn(graph: IterationGraph, producer: Statement) -> Series | None:
    """The terms of the sum that ``producer`` computes for a workspace in one loop, each in a loop of its own that adds
    what it finds, where these add up to the same: entries of one operand drive each term, which is 0 at all other
    coordinates and of the workspace's dtype. None for all other producers."""
    match producer:
        case Forall(variable=variable, body=Assign(target=target, operator="=", expression=expression)):
            pass
        case _:
            return None
    workspace, terms = graph.workspaces.get(target.tensor), signed_terms(expression)
    if workspace is None or len(terms) < 2 or target.indices != (variable,) or variable not in graph.underived:
        return None
    signed = [Unary("-", term) if subtracted else term for subtracted, term in terms]
    if any(expression_dtype(part) != workspace.dtype for part in (expression, *signed)):
        return None
    adds = [Assign(target, "+=", term) for term in signed]
    drivers = {_find_driver(graph, add, variable) for add in adds}
    if background(target).value != 0 or None in drivers or len(drivers) < 2:
        return None
    return Series(tuple(Forall(variable, add) for add in adds))


def _find_driver(graph: IterationGraph, add: Assign, variable: str) -> Access | None:
    """The operand at whose entries alone ``add`` does something, each with a coordinate of its own; None where there is
    none."""
    lattice = lattice_of(add, lambda access: iterates(graph, access, variable))
    if len(lattice) != 1 or lattice[0].full or len(lattice[0].iterators) != 1:
        return None
    (access,) = lattice[0].iterators
    if access.tensor not in graph.signature.tensors:
        return None
    tensor = graph.signature.tensors[access.tensor]
    unique = tensor.format.levels[level_variables(graph, access).index(variable)].unique
    return access if unique and tensor.fill == 0 else None


def collects_in_turn(graph: IterationGraph, variable: str) -> bool:
    """Whether the threads of ``variable``, which merges the terms of a sum, can collect one term after the other."""
    return any(
        graph.parallel[variable].unit is LoopKind.GPU_THREAD and terms_in_turn(graph, row.where.producer) is not None
        for row in find_shared_rows(graph)
        if row.units == (variable,)
    )


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
