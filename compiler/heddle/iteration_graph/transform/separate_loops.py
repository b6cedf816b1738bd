"""The statements under one loop, each under a copy of it (docs/sources.toml C12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Statement
from heddle.iteration_graph.graph.provenance import all_paths, assignments, leaves, roots, variables
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.graph.rewrite import find_loop
from heddle.iteration_graph.graph.sequence import computed_by, in_order, join_statements
from heddle.iteration_graph.transform.copied_formulas import Copies
from heddle.iteration_graph.transform.producer_variables import copy_variables, fresh_copy
from heddle.iteration_graph.transform.shared_loops import changed_assigns, with_sequence
from heddle.notation.nodes import Access, Expression, operands_of, with_operands


def statements_under(graph: IterationGraph, variable: str) -> list[Statement]:
    """What stands directly inside the loop: each statement of the program with the sums that belong to it."""
    named = {*graph.signature.temporaries, graph.signature.result.name}
    groups: list[list[Statement]] = [[]]
    for part in in_order(find_loop(graph.statement, variable).body):
        groups[-1].append(part)
        if set(computed_by(part)) & named:
            groups.append([])
    return [
        join_statements(group, [name for statement in group[:-1] for name in computed_by(statement)])
        for group in groups
        if group
    ]


def separate(graph: IterationGraph, variable: str, groups: Sequence[Statement]) -> IterationGraph:
    """The graph in which each of ``groups`` has a loop of its own. The first keeps ``variable``.

    Raises
    ------
    Refusal
        ``schedule/apart-parts``, where other parts of what ``variable`` was cut from lie inside.
    """
    around = next(path[: path.index(variable)] for path in all_paths(graph) if variable in path)
    _check_parts(graph, variable, around)
    statement = graph.statement
    for outer in around:
        statement = find_loop(statement, outer).body
    beside = in_order(statement)
    first, *others = _with_memory(graph, variable, around, groups)
    statements: list[Statement] = [Forall(variable, first)]
    for group in others:
        name = _name(graph, group, variable)
        graph, names = copy_variables(graph, {variable: name})
        copies = Copies.of(graph)
        copies.extents.update({new: copies.extents[old] for old, new in names.items() if old in copies.extents})
        statements.append(Forall(name, copies.statement(group, names)))
        graph = copies.into(graph)
    place = next(n for n, part in enumerate(beside) if isinstance(part, Forall) and part.variable == variable)
    return with_sequence(graph, around, [*beside[:place], *statements, *beside[place + 1 :]])


def _check_parts(graph: IterationGraph, variable: str, around: tuple[str, ...]) -> None:
    for root in roots(graph, variable):
        inside = [leaf for leaf in leaves(graph, root) if leaf != variable and leaf not in around]
        if inside:
            raise Refusal(
                "schedule/apart-parts",
                f"{variable} is a part of {root}, of which {inside[0]} lies inside: a copy of {variable} alone would "
                f"not say which {root} it means. Take the loop over {inside[0]} apart, and leave {variable} shared.",
                argument="variable",
                expected=f"a loop with all other parts of {root} around it",
                actual=variable,
            )


def _with_memory(
    graph: IterationGraph, variable: str, around: tuple[str, ...], groups: Sequence[Statement]
) -> list[Statement]:
    """The groups, in which what had no memory for a cut index has it for ``variable``, a part of that."""
    written = {assign.target.tensor: assign.target for group in groups for _, assign in assignments(group)}
    known = {*around, variable}
    changed: dict[tuple[str, int], str] = {}
    for name in graph.signature.temporaries:
        workspace, write = graph.workspaces.get(name), written.get(name)
        if workspace is None or write is None or workspace.dimensions is None:
            continue
        for dimension, index in enumerate(write.indices):
            index_leaves = set(leaves(graph, index))
            if (
                dimension not in workspace.dimensions
                and index != variable
                and variable in index_leaves
                and index_leaves <= known
            ):
                changed[name, dimension] = variable

    def index_producer(expression: Expression) -> Expression:
        if isinstance(expression, Access):
            tensor, dimensions = expression.tensor, enumerate(expression.indices)
            return replace(expression, indices=tuple(changed.get((tensor, d), index) for d, index in dimensions))
        return with_operands(expression, [index_producer(part) for part in operands_of(expression)])

    def store(assign: Assign) -> Statement:
        target = index_producer(assign.target)
        assert isinstance(target, Access)
        return Assign(target, assign.operator, index_producer(assign.expression))

    return [changed_assigns(group, store) for group in groups]


def _name(graph: IterationGraph, group: Statement, variable: str) -> str:
    """The name of the loop before the statements shared it, where that is free; else a new one."""
    known = {} if variable in graph.above else {**graph.signature.temporaries, **graph.signature.tensors}
    reserved = {*variables(graph), *graph.signature.tensors, *graph.workspaces}
    for name in computed_by(group):
        target = next(assign.target for _, assign in assignments(group) if assign.target.tensor == name)
        if name in known and variable in target.indices:
            before = known[name].indices[target.indices.index(variable)]
            if before not in reserved:
                return before
    return fresh_copy(graph, variable)
