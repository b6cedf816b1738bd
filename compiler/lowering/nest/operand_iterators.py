"""Which sparse levels drive a loop, and the iterator of each operand (docs/sources.md T45)."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.formats.levels.kinds import kind_of
from compiler.formats.levels.level import LevelStorage, Range
from compiler.iteration_graph.algebra.lattice import Lattice, iterators, lattice_of
from compiler.iteration_graph.graph.nodes import Forall, Statement, WorkspaceKind
from compiler.iteration_graph.graph.provenance import coordinates, leaves, level_variables, position_relation
from compiler.loop_ir import build
from compiler.lowering.environment.loop_environment import LoopEnvironment
from compiler.notation.nodes import Access


def merge_lattice(scope: LoopEnvironment, variable: str, statement: Statement) -> Lattice:
    """The lattice at an underived variable, given which levels have positions already."""

    def classify(access: Access) -> bool:
        if variable not in access.indices or not _may_iterate(scope, access):
            return False
        level = level_variables(scope.kernel.graph, access).index(variable) + 1
        return kind_of(scope.storage(access, level)).iterated and (access, level) not in scope.positions

    return lattice_of(statement, classify)


def _may_iterate(scope: LoopEnvironment, access: Access) -> bool:
    """Tensors, and workspaces that list what was written to them."""
    workspace = scope.kernel.graph.workspaces.get(access.tensor)
    return workspace is None or workspace.kind is not WorkspaceKind.DENSE


def iterated_at(scope: LoopEnvironment, variable: str, statement: Statement) -> bool:
    """Whether sparse levels drive the loop of ``variable``."""
    return bool(iterators(merge_lattice(scope, variable, statement)))


def coordinates_known_in(scope: LoopEnvironment, variable: str) -> list[str]:
    """The underived variables whose coordinate is known as soon as the loop over ``variable`` is entered."""
    graph, entered = scope.kernel.graph, scope.nest.entered | {variable}
    behind = {coordinate: leaves(graph, coordinate) for coordinate in coordinates(graph)}
    return [coordinate for coordinate, loops in behind.items() if variable in loops and set(loops) <= entered]


def merged_coordinates(scope: LoopEnvironment, statement: Forall) -> list[str]:
    """Those of them that sparse levels drive, other than by a loop over positions."""
    return [
        coordinate
        for coordinate in coordinates_known_in(scope, statement.variable)
        if position_relation(scope.kernel.graph, coordinate) is None and iterated_at(scope, coordinate, statement.body)
    ]


def driving_positions(scope: LoopEnvironment, variable: str, body: Statement) -> Range | None:
    """The positions that a loop over an underived variable visits, when a sparse level drives it."""
    graph = scope.kernel.graph
    if variable not in coordinates(graph):
        return None
    driving = iterators(merge_lattice(scope, variable, body))
    return operand_iterator(scope, driving[0], variable, None, len(driving) == 1).segment if driving else None


@dataclass(frozen=True, slots=True)
class OperandIterator:
    """What iterates over the positions of one operand in a ``segment``; the position variable is ``name``."""

    access: Access
    level: int
    storage: LevelStorage
    segment: Range
    name: str


def operand_iterator(
    scope: LoopEnvironment, access: Access, variable: str, window: Range | None, single: bool
) -> OperandIterator:
    """The iterator over the positions with a coordinate in ``window``. Where several operands meet, positions without
    an entry are cut off in front of the loop; a ``single`` operand tests each."""
    level = level_variables(scope.kernel.graph, access).index(variable) + 1
    storage = scope.storage(access, level)
    parents, kind = scope.position_range(access, level - 1), kind_of(storage)
    segment, wish = kind.children(storage, parents), scope.position_wish(access, level)
    if window is None and not kind.compact and not single:
        window = Range(build.index(0), storage.size)
    if window is not None:
        begin = kind.lower_bound(storage, parents.lower, segment, window.lower, f"{wish}_begin", scope)
        rest = Range(begin, segment.upper)
        segment = Range(begin, kind.lower_bound(storage, parents.lower, rest, window.upper, f"{wish}_end", scope))
    return OperandIterator(access, level, storage, segment, scope.kernel.names.fresh(wish))
