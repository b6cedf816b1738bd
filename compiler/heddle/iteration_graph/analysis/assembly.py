"""How a sparse result gets its stored coordinates (docs/sources.toml T34).

Either it stores exactly what an operand stores (SDDMM, TTV: the arrays are shared), or its coordinates are appended in
the order of the loops, segment by segment: counted in a first pass, filled in a second one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from heddle.formats.format import Format
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.iteration_graph.algebra.absent_operands import remove_absent
from heddle.iteration_graph.algebra.lattice import iterators
from heddle.iteration_graph.analysis.iterated import iterates, lattice_at
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import (
    all_assignments,
    level_variables,
    operand_accesses,
    position_relation,
    remember,
    remember_with_tags,
)
from heddle.iteration_graph.graph.sections import Section, SectionKind, split_sections
from heddle.notation.nodes import Access, Binary, Expression, accesses


@dataclass(frozen=True, slots=True)
class Shared:
    """The first ``levels`` storage levels of ``target`` are those of the operand ``access``."""

    target: Access
    access: Access
    levels: int


@dataclass(frozen=True, slots=True)
class Group:
    """Storage levels (1-based, both ends included) whose coordinates are appended together: a compressed level and the
    singleton levels below it."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Appended:
    """Levels above the first group are dense, as may be levels between and below the groups."""

    target: Access
    groups: tuple[Group, ...]


def result_target(graph: IterationGraph) -> Access:
    name = graph.signature.result.name
    return next(a.target for _, a in all_assignments(graph) if a.target.tensor == name)


@remember
def assembly_of(graph: IterationGraph) -> Shared | Appended | None:
    """None for a dense result. That of a temporary which is stored is asked of the graph of its section."""
    if graph.signature.result.format.is_dense:
        return None
    *_, section = sections_of(graph)
    return _assembly(section.graph)


def _assembly(graph: IterationGraph) -> Shared | Appended:
    """The arrays of a temporary end with the kernel, so that a result cannot share those that are not an operand's."""
    target, stored = result_target(graph), graph.signature.stored_temporaries
    passed = target.tensor not in graph.signature.temporaries
    if graph.assemble is None:
        for access in operand_accesses(graph, graph.statement):
            lost = passed and access.tensor in stored and access.tensor not in graph.pattern_operands
            shared = None if lost else _find_shared_pattern(graph, target, access)
            if shared is not None:
                return shared
    return Appended(target, groups(graph.signature.result.format))


@remember_with_tags
def sections_of(graph: IterationGraph) -> tuple[Section, ...]:
    """The sections of a program, each with the operands whose coordinates the temporaries in front of it have."""
    known: dict[str, str] = {}
    sections: list[Section] = []
    for section in split_sections(graph):
        if known:
            section = replace(section, graph=replace(section.graph, pattern_operands=dict(known)))
        if section.kind is SectionKind.STORED:
            plan = _assembly(section.graph)
            shared = plan.access.tensor if isinstance(plan, Shared) else None
            if shared is not None and (shared not in graph.signature.temporaries or shared in known):
                known[section.tensor] = known.get(shared, shared)
        sections.append(section)
    return tuple(sections)


def groups(format: Format) -> tuple[Group, ...]:
    groups: list[Group] = []
    for number, level in enumerate(format.levels, start=1):
        kind = LEVEL_KINDS[level.kind]
        if kind.branchless and groups:
            groups[-1] = Group(groups[-1].first, number)
        elif not kind.full:
            groups.append(Group(number, number))
    return tuple(groups)


def _decides(graph: IterationGraph, access: Access) -> bool:
    """Whether nothing is computed where ``access`` has no entry."""
    *_, (_, last) = all_assignments(graph)
    if not _may_decide(graph, last.expression, access):
        return False
    return remove_absent(graph.statement, frozenset((access,))) is None


def _may_decide(graph: IterationGraph, expression: Expression, access: Access) -> bool:
    """Whether each term of a sum reads ``access``, a workspace, or nothing: no other can be nothing without it. Long
    sums ask for each of their operands."""
    if isinstance(expression, Binary) and expression.operator in ("+", "-"):
        return all(_may_decide(graph, side, access) for side in (expression.left, expression.right))
    read = accesses(expression)
    return not read or access in read or any(other.tensor in graph.workspaces for other in read)


def _find_shared_pattern(graph: IterationGraph, target: Access, access: Access) -> Shared | None:
    """Whether the result has an entry exactly where ``access`` has one."""
    result_levels = graph.signature.result.format.levels
    levels = max(number for number, level in enumerate(result_levels, start=1) if not LEVEL_KINDS[level.kind].full)
    other = graph.signature.tensors[access.tensor].format.levels
    variables = level_variables(graph, target)[:levels]
    if other[:levels] != result_levels[:levels] or level_variables(graph, access)[:levels] != variables:
        return None
    if len(set(variables)) < levels or not _decides(graph, access):
        return None
    for variable in variables:
        relation = position_relation(graph, variable)
        if relation is not None and relation.access != access:
            return None
        if relation is None and iterates(graph, access, variable):
            lattice = lattice_at(graph, variable)
            if iterators(lattice) != [access] or any(point.full for point in lattice):
                return None
    return Shared(target, access, levels)
