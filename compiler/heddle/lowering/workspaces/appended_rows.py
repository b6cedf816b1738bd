"""Workspaces whose list the consumer appends to the result as it is, row by row.

Such a row can be bounded before it is made (``row_bound.py``), summed in the result itself where its order is free
(``row_in_result.py``), or gathered where its coordinates are given (``gathered_row.py``).
"""

from __future__ import annotations

from heddle.iteration_graph.analysis.assembly import Group
from heddle.iteration_graph.graph.nodes import Assign as Assignment
from heddle.iteration_graph.graph.nodes import Forall, Statement, Workspace
from heddle.iteration_graph.graph.provenance import leaves, level_variables, reads
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.nest.operand_iterators import merge_lattice


def in_any_order(environment: LoopEnvironment, consumer: Statement, workspace: Workspace) -> bool:
    """Whether the consumer appends the list as it is to levels that may hold their coordinates in any order."""
    group = appended_to(environment, consumer, workspace)
    return group is not None and not environment.kernel.graph.signature.result.format.levels[group.first - 1].ordered


def appended_to(environment: LoopEnvironment, consumer: Statement, workspace: Workspace) -> Group | None:
    """The group of levels to which the consumer appends the list as it is; None where it does more than that."""
    kernel, appended = environment.kernel, environment.kernel.output.appended
    if appended is None or environment.context.appending is None or not isinstance(consumer, Forall):
        return None
    group = appended.groups[0]
    listed = level_variables(kernel.graph, appended.target)[group.last - 1]
    appends = isinstance(consumer.body, Assignment) and consumer.variable == listed and group.first == group.last
    return group if appends and not needs_order(environment, consumer, workspace) else None


def needs_order(environment: LoopEnvironment, consumer: Statement, workspace: Workspace) -> bool:
    """Whether the list must be sorted even to count: it is merged with other operands, or searched for tiles."""

    def iterates_alone(variable: str) -> bool:
        lattice = merge_lattice(environment, variable, consumer)
        underived = leaves(environment.kernel.graph, variable) == (variable,)
        return underived and len(lattice) == 1 and len(lattice[0].iterators) == 1

    return not all(iterates_alone(access.indices[0]) for access in reads(consumer, workspace.name))
