"""Which sparse levels drive a loop, and the iterator of each operand (docs/sources.toml T45)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heddle.formats.levels.kinds import kind_of
from heddle.formats.levels.level import LevelStorage, Range
from heddle.iteration_graph.algebra.lattice import Lattice, iterators
from heddle.iteration_graph.analysis.iterated import iterates_anywhere, lattice_in
from heddle.iteration_graph.graph.nodes import Forall, IterationGraph, Statement, WorkspaceKind
from heddle.iteration_graph.graph.provenance import (
    coordinates,
    leaves,
    level_variables,
    position_relation,
    remember,
)
from heddle.loop_ir import build
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.notation.nodes import Access


def merge_lattice(environment: LoopEnvironment, variable: str, statement: Statement) -> Lattice:
    """The lattice at an underived variable, given which levels have positions already."""

    def classify(access: Access) -> bool:
        if variable not in access.indices or not _may_iterate(environment, access):
            return False
        level = level_variables(environment.kernel.graph, access).index(variable) + 1
        return kind_of(environment.storage(access, level)).iterated and (access, level) not in environment.positions

    return lattice_in(environment.kernel.graph, variable, statement, classify)


def _may_iterate(environment: LoopEnvironment, access: Access) -> bool:
    """Tensors, and workspaces that list what was written to them."""
    workspace = environment.kernel.graph.workspaces.get(access.tensor)
    return workspace is None or workspace.kind is not WorkspaceKind.DENSE


def iterated_at(environment: LoopEnvironment, variable: str, statement: Statement) -> bool:
    """Whether sparse levels drive the loop of ``variable``."""
    return iterates_anywhere(environment.kernel.graph) and bool(
        iterators(merge_lattice(environment, variable, statement))
    )


def coordinates_known_in(environment: LoopEnvironment, variable: str) -> list[str]:
    """The underived variables whose coordinate is known as soon as the loop over ``variable`` is entered."""
    entered = environment.context.nest.entered | {variable}
    decided = _decided_by(environment.kernel.graph).get(variable, ())
    return [coordinate for coordinate, loops in decided if loops <= entered]


@remember
def _decided_by(graph: IterationGraph) -> dict[str, list[tuple[str, frozenset[str]]]]:
    """Of each loop variable, the coordinates that it has a part in, with all the loops that determine them."""
    dependents: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for coordinate in coordinates(graph):
        loops = leaves(graph, coordinate)
        for variable in loops:
            dependents.setdefault(variable, []).append((coordinate, frozenset(loops)))
    return dependents


def merged_coordinates(environment: LoopEnvironment, statement: Forall, known: Sequence[str]) -> list[str]:
    """Those of the coordinates ``known`` in the loop that sparse levels drive, other than by a loop over positions."""
    graph = environment.kernel.graph
    underived = (coordinate for coordinate in known if position_relation(graph, coordinate) is None)
    return [coordinate for coordinate in underived if iterated_at(environment, coordinate, statement.body)]


def driving_positions(environment: LoopEnvironment, variable: str, body: Statement) -> Range | None:
    """The positions that a loop over an underived variable visits, when a sparse level drives it."""
    graph = environment.kernel.graph
    if variable not in coordinates(graph) or not iterates_anywhere(graph):
        return None
    driving = iterators(merge_lattice(environment, variable, body))
    return operand_iterator(environment, driving[0], variable, None, len(driving) == 1).segment if driving else None


@dataclass(frozen=True, slots=True)
class OperandIterator:
    """What iterates over the positions of one operand in a ``segment``; the position variable is ``name``."""

    access: Access
    level: int
    storage: LevelStorage
    segment: Range
    name: str


def operand_iterator(
    environment: LoopEnvironment, access: Access, variable: str, window: Range | None, single: bool
) -> OperandIterator:
    """The iterator over the positions with a coordinate in ``window``. Where several operands meet, positions without
    an entry are cut off in front of the loop; a ``single`` operand tests each."""
    level = level_variables(environment.kernel.graph, access).index(variable) + 1
    storage = environment.storage(access, level)
    parents, kind = environment.position_range(access, level - 1), kind_of(storage)
    segment, children = kind.children(storage, parents), environment.position_wish(access, level)
    if window is None and not kind.compact and not single:
        window = Range(build.index(0), storage.size)
    if window is not None:
        begin = kind.lower_bound(storage, parents.lower, segment, window.lower, f"{children}_begin", environment)
        rest = Range(begin, segment.upper)
        segment = Range(
            begin, kind.lower_bound(storage, parents.lower, rest, window.upper, f"{children}_end", environment)
        )
    return OperandIterator(access, level, storage, segment, environment.kernel.names.fresh(children))
