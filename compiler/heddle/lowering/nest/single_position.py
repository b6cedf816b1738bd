"""Levels with a single position for each parent: what is stored there is computed without a loop."""

from __future__ import annotations

from dataclasses import replace

from heddle.formats.levels.kinds import kind_of
from heddle.iteration_graph.algebra.lattice import Point
from heddle.iteration_graph.analysis.iterated import iterates_anywhere
from heddle.iteration_graph.graph.nodes import Statement
from heddle.iteration_graph.graph.provenance import coordinates, level_variables, relation_below
from heddle.loop_ir import build
from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement
from heddle.lowering.nest.coiterate import decides
from heddle.lowering.nest.coordinate_recovery import recover_coordinates
from heddle.lowering.nest.operand_iterators import merge_lattice
from heddle.notation.nodes import Access
from heddle.origin import Role


def find_single_position(environment: LoopEnvironment, variable: str, body: Statement) -> Access | None:
    """The operand that alone drives the loop of ``variable`` and has exactly one position here: no loop is needed."""
    graph = environment.kernel.graph
    tagged = variable in graph.parallel or variable in graph.unroll
    if tagged or not iterates_anywhere(graph):
        return None
    if variable not in coordinates(graph) or relation_below(graph, variable) is not None:
        return None
    lattice = merge_lattice(environment, variable, body)
    if len(lattice) != 1 or len(lattice[0].iterators) != 1 or lattice[0].full:
        return None
    (access,) = lattice[0].iterators
    level = level_variables(graph, access).index(variable) + 1
    storage = environment.storage(access, level)
    parents = environment.position_range(access, level - 1)
    single = parents.upper == build.add(parents.lower, build.index(1)) and not storage.repeats
    return access if single and kind_of(storage).branchless else None


def lower_single_position(
    environment: LoopEnvironment, access: Access, variable: str, body: Statement, lower: LowerStatement
) -> None:
    """Emit ``body`` at the single position that ``access`` has, where that holds an entry."""
    level = level_variables(environment.kernel.graph, access).index(variable) + 1
    inner = environment.child()
    inner.context = replace(inner.context, nest=environment.context.nest.at(variable))
    inner.restrict_writes(decides(environment, variable, (Point(frozenset((access,))),)))
    position = environment.position(access, level - 1)
    inner.set_position(access, level, position)
    storage = inner.storage(access, level)
    kind = kind_of(storage)
    with environment.kernel.names.scope():
        coordinate = kind.coordinate(storage, position, inner.path(access, level), position)
        inner.bind(variable, coordinate, Role.RECOVERY)
        for stored in kind.stored_conditions(storage, position, inner.known[variable]):
            inner.only_where(variable, stored, monotone=False)
        recover_coordinates(inner)
        lower(inner, body)
    environment.emit(inner.builder.block())
