"""Which tensors drive the loop of a variable, seen from the graph alone (for checks and diagrams)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.iteration_graph.algebra.lattice import FULL, Classify, Lattice, Point, iterators, lattice_of
from heddle.iteration_graph.algebra.union import union_of
from heddle.iteration_graph.graph.nodes import Forall, IterationGraph, Statement, WorkspaceKind
from heddle.iteration_graph.graph.own_statement import find_statement_loop
from heddle.iteration_graph.graph.provenance import (
    all_assignments,
    coordinates,
    last_leaf,
    level_variables,
    position_relation,
    remember,
)
from heddle.notation.cases import copies_of
from heddle.notation.nodes import Access

MINIMUM = "Minimum"
"""The merge strategy of such loops in commands."""

MOST_COPIES = 64
"""Copies of a statement for the sets of operands that may be there; more are slower than one loop that asks."""


def iterates(graph: IterationGraph, access: Access, variable: str) -> bool:
    """Whether the access has a sparse level at the underived variable."""
    if variable not in access.indices:
        return False
    if access.tensor in graph.workspaces:
        return graph.workspaces[access.tensor].kind is not WorkspaceKind.DENSE
    level = level_variables(graph, access).index(variable)
    return LEVEL_KINDS[graph.signature.tensors[access.tensor].format.levels[level].kind].iterated


@remember
def iterates_anywhere(graph: IterationGraph) -> bool:
    """Whether any operand has a level whose coordinates are listed; lattices of other graphs need not be built."""
    kinds = (level.kind for tensor in graph.signature.tensors.values() for level in tensor.format.levels)
    return any(LEVEL_KINDS[kind].iterated for kind in kinds) or any(
        workspace.kind is not WorkspaceKind.DENSE for workspace in graph.workspaces.values()
    )


def loop_at(graph: IterationGraph, variable: str) -> Forall:
    """The loop over an underived variable, or the outermost one over a part of it; of statements that share it, that of
    the variable alone."""
    return find_statement_loop(graph, variable)


@remember
def lattice_at(graph: IterationGraph, variable: str) -> Lattice:
    """The merge lattice of an underived variable, in its own loop: what is added outside of a sum plays no part."""
    if not iterates_anywhere(graph):
        return FULL
    return (
        lattice_in(graph, variable, loop_at(graph, variable), lambda access: iterates(graph, access, variable)) or FULL
    )


def lattice_in(graph: IterationGraph, variable: str, statement: Statement, classify: Classify) -> Lattice:
    """The same of a part of the graph's statement."""
    union = union_of(statement, classify) if variable in minimum_loops(graph) else None
    return lattice_of(statement, classify) if union is None else union


@remember
def minimum_loops(graph: IterationGraph) -> frozenset[str]:
    """The underived variables at which operands meet in one loop over the smallest of their coordinates: where a
    command says so, and where a case for every set of operands needs too many copies of the statement."""
    united = {variable: union for variable in coordinates(graph) if (union := union_at(graph, variable)) is not None}
    tags = {variable: graph.merge.get(last_leaf(graph, variable)) for variable in united}
    chosen = {variable for variable, tag in tags.items() if tag is not None and tag.strategy == MINIMUM}
    if _copies(graph, united) > MOST_COPIES:
        chosen |= {variable for variable, tag in tags.items() if tag is None}
    return frozenset(chosen)


def automatic_merges(graph: IterationGraph) -> dict[str, str]:
    """The loops that go to the smallest coordinate though no command says so, with the name of that strategy."""
    loops = (last_leaf(graph, variable) for variable in minimum_loops(graph))
    return {loop: MINIMUM for loop in loops if loop not in graph.merge}


@remember
def union_at(graph: IterationGraph, variable: str) -> Point | None:
    """What such a loop over ``variable`` would merge; None where it could not."""
    if position_relation(graph, variable) is not None or not iterates_anywhere(graph):
        return None
    union = union_of(loop_at(graph, variable), lambda access: iterates(graph, access, variable))
    if not union or not union[0].any_of:
        return None
    return union[0] if all(_has_cursor(graph, access, variable) for access in union[0].iterators) else None


def _has_cursor(graph: IterationGraph, access: Access, variable: str) -> bool:
    """Whether the coordinates of ``access`` are stored one after the other, so that a position walks along them."""
    if access.tensor in graph.workspaces:
        return graph.workspaces[access.tensor].kind is WorkspaceKind.LISTED
    level = graph.signature.tensors[access.tensor].format.levels[level_variables(graph, access).index(variable)]
    return level.ordered and "crd" in LEVEL_KINDS[level.kind].arrays


def _copies(graph: IterationGraph, united: Mapping[str, Point]) -> float:
    """How often a case for every set of operands repeats the statement, with the cases of all its variables inside each
    other."""
    levels = Counter(access.tensor for union in united.values() for access in union.iterators)
    sparse: dict[str, float] = dict(levels)
    most = 1.0
    for _, assign in all_assignments(graph):
        copies = copies_of(assign.expression, sparse)
        most = max(most, copies)
        if assign.target.tensor in graph.workspaces:  # as often as what it sums up
            sparse[assign.target.tensor] = (copies - 1) / 2
    return most


@remember
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


@remember
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
