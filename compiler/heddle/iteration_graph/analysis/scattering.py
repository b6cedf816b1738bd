"""Transposed copies: a sparse result whose rows are counted, and then filled in the order in which the loops come by.

``B(j,i) = A(i,j)`` of two csr matrices visits the rows of ``A``, and with them the rows of ``B`` out of order. Each row
of ``B`` nevertheless gets its coordinates in ascending order, since ``i`` is the outer loop. So a first pass counts the
entries of each row, a prefix sum says where the rows start, and a second pass scatters: it stores each entry where its
row has come to.
"""

from __future__ import annotations

from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.iteration_graph.analysis.assembly import Group, groups, result_target
from heddle.iteration_graph.analysis.shared_writes import repeats
from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph
from heddle.iteration_graph.graph.provenance import level_variables, operand_accesses
from heddle.loop_ir.nodes import ArrayRole
from heddle.notation.nodes import Access, accesses


def scatters(graph: IterationGraph) -> bool:
    """Whether every iteration of the loops, which no command changed, has an entry of the sparse result of its own, and
    those of one row come in ascending order."""
    if graph.relations or graph.parallel or graph.assemble is not None or graph.commands:
        return False
    loops, statement = [], graph.statement
    while isinstance(statement, Forall):
        loops.append(statement.variable)
        statement = statement.body
    target = result_target(graph)
    if not isinstance(statement, Assign) or statement.operator != "=" or statement.target != target:
        return False
    names, group = level_variables(graph, target), _only_group(graph)
    if group is None or len(set(names)) < len(names) or sorted(names) != sorted(loops):
        return False
    appended = names[group.first - 1 :]
    if [loop for loop in loops if loop in appended] != appended or any(repeats(graph, loop) for loop in loops):
        return False
    if any(access.tensor in graph.workspaces for access in accesses(statement.expression)):
        return False
    operands = [access for access in operand_accesses(graph, statement) if access.tensor in graph.signature.tensors]
    return all(_ascends(graph, access, variable) for access in operands for variable in appended)


def _only_group(graph: IterationGraph) -> Group | None:
    """The levels below dense rows that are stored together, where they are the last ones and have starts of rows."""
    layout = graph.signature.result.format
    level_groups = groups(layout)
    if len(level_groups) != 1 or level_groups[0].first == 1 or level_groups[0].last < len(layout.levels) or layout.cuts:
        return None
    kind = LEVEL_KINDS[layout.levels[level_groups[0].first - 1].kind]
    return level_groups[0] if ArrayRole.POS.value in kind.arrays and layout.composition is None else None


def _ascends(graph: IterationGraph, access: Access, variable: str) -> bool:
    """Whether the operand, where it has the variable, has its coordinates in order."""
    layout = graph.signature.tensors[access.tensor].format
    levels = zip(level_variables(graph, access), layout.levels, strict=True)
    return all(level.ordered and not level.holds_slots for name, level in levels if name == variable)
