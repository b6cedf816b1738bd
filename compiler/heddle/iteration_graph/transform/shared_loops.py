"""Statements under one loop, and each under a loop of its own again (docs/sources.toml C12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Series, Statement, Where
from heddle.iteration_graph.graph.sequence import in_order, join_statements
from heddle.iteration_graph.transform.lifetimes import with_lifetimes
from heddle.notation.nodes import Access, Expression, IndexValue, coordinate_variables, operands_of, with_operands
from heddle.notation.rename import rename_variables


@dataclass(frozen=True, slots=True)
class Siblings:
    """The statements of one sequence, inside the loops ``around`` it; ``first`` and ``second`` are the places of two
    loops among them."""

    around: tuple[str, ...]
    statements: tuple[Statement, ...]
    first: int
    second: int


def find_siblings(statement: Statement, first: str, second: str) -> Siblings | None:
    """Where the loops over ``first`` and ``second`` stand in one sequence; None where they do not."""

    def visit(statement: Statement, around: tuple[str, ...]) -> Siblings | None:
        parts = in_order(statement)
        places = {part.variable: number for number, part in enumerate(parts) if isinstance(part, Forall)}
        if first in places and second in places:
            return Siblings(around, tuple(parts), places[first], places[second])
        for part in parts:
            if isinstance(part, Forall):
                siblings = visit(part.body, (*around, part.variable))
                if siblings is not None:
                    return siblings
        return None

    return visit(statement, ())


def with_sequence(graph: IterationGraph, around: Sequence[str], statements: Sequence[Statement]) -> IterationGraph:
    """The graph in which ``statements`` are the sequence inside the loops ``around``."""

    def visit(statement: Statement, left: Sequence[str]) -> Statement:
        if not left:
            return join_statements(statements, ())
        parts = in_order(statement)
        new_parts: list[Statement] = []
        for part in parts:
            if isinstance(part, Forall) and part.variable == left[0]:
                part = Forall(part.variable, visit(part.body, left[1:]))
            new_parts.append(part)
        return join_statements(new_parts, ())

    return with_lifetimes(graph.with_statement(visit(graph.statement, tuple(around))))


def fuse(graph: IterationGraph, siblings: Siblings, order: Sequence[int]) -> IterationGraph:
    """The two loops as one, over the variable of the first. ``order`` are the other statements and, as the place of the
    first, the two together."""
    first, second = siblings.statements[siblings.first], siblings.statements[siblings.second]
    assert isinstance(first, Forall)
    assert isinstance(second, Forall)
    renamed = renamed_loop(graph, second, first.variable)
    body = renamed.statement
    assert isinstance(body, Forall)
    both = Forall(first.variable, join_statements([*in_order(first.body), *in_order(body.body)], ()))
    statements = [both if place == siblings.first else siblings.statements[place] for place in order]
    return with_sequence(renamed.graph, siblings.around, statements)


@dataclass(frozen=True, slots=True)
class _Renamed:
    graph: IterationGraph
    statement: Statement


def renamed_loop(graph: IterationGraph, loop: Forall, name: str) -> _Renamed:
    """``loop`` over ``name`` in place of its own variable, which no other statement has and which was not cut."""
    old = loop.variable
    names = {old: name}
    statement = renamed_statement(loop, names)
    copies = {
        names.get(copy, copy): names.get(original, original)
        for copy, original in graph.copies.items()
        if names.get(copy, copy) != names.get(original, original)
    }
    program = graph.signature.program
    signature = graph.signature
    if program is not None:
        computed = {
            index: renamed_formula(formula, names) if old in coordinate_variables(index, program) else formula
            for index, formula in program.computed.items()
        }
        extents = {variable: extent for variable, extent in program.extents.items() if variable != old}
        if old in program.extents:  # a loop that a producer copied has the range of the one that it now stands for
            extents.setdefault(name, program.extents[old])
        signature = replace(signature, program=replace(program, computed=computed, extents=extents))
    changed = replace(
        graph,
        signature=signature,
        underived=tuple(variable for variable in graph.underived if variable != old),
        copies=copies,
        workspaces={
            key: replace(workspace, variables=tuple(names.get(v, v) for v in workspace.variables))
            for key, workspace in graph.workspaces.items()
        },
    )
    return _Renamed(changed, statement)


def renamed_statement(statement: Statement, names: Mapping[str, str]) -> Statement:
    """Other index variables, in loops, accesses and values."""
    match statement:
        case Forall(variable=variable, body=body):
            return Forall(names.get(variable, variable), renamed_statement(body, names))
        case Where(consumer=consumer, producer=producer):
            return Where(renamed_statement(consumer, names), renamed_statement(producer, names))
        case Series(statements=statements):
            return replace(statement, statements=tuple(renamed_statement(statement, names) for statement in statements))
        case Assign(target=target, operator=operator, expression=expression):
            formula = renamed_formula(target, names)
            assert isinstance(formula, Access)
            return Assign(formula, operator, renamed_formula(expression, names))
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def renamed_formula(expression: Expression, names: Mapping[str, str]) -> Expression:
    """The same for an expression."""
    match expression:
        case Access():
            return rename_variables(expression, dict(names))
        case IndexValue(variable=variable):
            return IndexValue(names.get(variable, variable))
        case _:
            return with_operands(expression, [renamed_formula(part, names) for part in operands_of(expression)])


def changed_assigns(statement: Statement, change: Callable[[Assign], Statement]) -> Statement:
    """The statement with ``change`` of each assignment in its place."""
    match statement:
        case Forall(variable=variable, body=body):
            return Forall(variable, changed_assigns(body, change))
        case Where(consumer=consumer, producer=producer):
            return Where(changed_assigns(consumer, change), changed_assigns(producer, change))
        case Series(statements=statements):
            return replace(statement, statements=tuple(changed_assigns(statement, change) for statement in statements))
        case Assign():
            return change(statement)
        case _:
            raise TypeError(f"unexpected statement {statement!r}")
