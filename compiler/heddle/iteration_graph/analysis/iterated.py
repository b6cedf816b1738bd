"""Which tensors drive the loop of a variable, seen from the graph alone (for checks and diagrams)."""

from __future__ import annotations

from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.iteration_graph.algebra.lattice import FULL, Lattice, iterators, lattice_of
from heddle.iteration_graph.graph.nodes import Forall, IterationGraph, WorkspaceKind
from heddle.iteration_graph.graph.own_statement import own_loop
from heddle.iteration_graph.graph.provenance import level_variables, position_relation, remembered
from heddle.notation.nodes import Access


def iterates(graph: IterationGraph, access: Access, variable: str) -> bool:
    """Whether the access has a sparse level at the underived variable."""
    if variable not in access.indices:
        return False
    if access.tensor in graph.workspaces:
        return graph.workspaces[access.tensor].kind is not WorkspaceKind.DENSE
    level = level_variables(graph, access).index(variable)
    return LEVEL_KINDS[graph.signature.tensors[access.tensor].format.levels[level].kind].iterated


@remembered
def iterates_anywhere(graph: IterationGraph) -> bool:
    """Whether any operand has a level whose coordinates are listed; lattices of other graphs need not be built."""
    kinds = (level.kind for tensor in graph.signature.tensors.values() for level in tensor.format.levels)
    return any(LEVEL_KINDS[kind].iterated for kind in kinds) or any(
        workspace.kind is not WorkspaceKind.DENSE for workspace in graph.workspaces.values()
    )


def loop_at(graph: IterationGraph, variable: str) -> Forall:
    """The loop over an underived variable, or the outermost one over a part of it; of statements that share it, that of
    the variable alone."""
    return own_loop(graph, variable)


def lattice_at(graph: IterationGraph, variable: str) -> Lattice:
    """The merge lattice of an underived variable, in its own loop: what is added outside of a sum plays no part."""
    if not iterates_anywhere(graph):
        return FULL
    lattice = lattice_of(loop_at(graph, variable), lambda access: iterates(graph, access, variable))
    return lattice or FULL


def repeated_at(graph: IterationGraph, variable: str) -> Access | None:
    """The operand that alone drives the loop of the variable, when its coordinates repeat there."""
    lattice = lattice_at(graph, variable)
    if position_relation(graph, variable) is not None or len(lattice) != 1 or len(lattice[0].iterators) != 1:
        return None
    access = next(iter(lattice[0].iterators))
    number = level_variables(graph, access).index(variable)
    if access.tensor in graph.workspaces:  # the keys of a map: all its dimensions but the last one repeat
        return access if number + 1 < len(access.indices) else None
    levels = graph.signature.tensors[access.tensor].format.levels
    return access if not levels[number].unique and number + 1 < len(levels) else None


def merges_at(graph: IterationGraph, variable: str) -> list[str]:
    """The operands whose positions advance together at the variable; empty when its loop is a for-loop."""
    if position_relation(graph, variable) is not None:
        return []
    lattice = lattice_at(graph, variable)
    driving = iterators(lattice)
    if not driving or (len(lattice) == 1 and len(driving) == 1 and not lattice[0].full):
        return []
    names = [f"{a.tensor}({', '.join(a.indices)})" for a in driving]
    return [*names, f"all coordinates of {variable}"] if any(point.full for point in lattice) else names
