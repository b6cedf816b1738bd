"""Loops that several statements share: which of the statements a variable belongs to."""

from __future__ import annotations

from dataclasses import replace

from heddle.iteration_graph.graph.nodes import Forall, IterationGraph, Series, Statement
from heddle.iteration_graph.graph.provenance import all_loops, leaves, relation_below
from heddle.iteration_graph.graph.relation import Relation
from heddle.iteration_graph.graph.rewrite import find_loop


def find_statement_loop(graph: IterationGraph, variable: str) -> Forall:
    """The outermost loop over a part of ``variable``, with the statement of ``variable`` alone inside it."""
    variable_leaves = leaves(graph, variable)
    loop = find_loop(graph.statement, next(name for name in all_loops(graph) if name in variable_leaves))
    statement = _statement_of(graph, variable)
    if statement is None:
        return loop
    relation, parent = statement
    return replace(loop, body=_alone(loop.body, relation.parents.index(parent), len(relation.parents)))


def _statement_of(graph: IterationGraph, variable: str) -> tuple[Relation, str] | None:
    """The relation by which statements share a loop over ``variable``, and its parent that ``variable`` has."""
    below = relation_below(graph, variable)
    if below is None:
        return None
    if below.of_statements:
        return below, variable
    return next((statement for child in below.children if (statement := _statement_of(graph, child)) is not None), None)


def _alone(statement: Statement, number: int, count: int) -> Statement:
    """What the loop does in statement ``number`` of the ``count`` that share it."""
    match statement:
        case Forall(variable=variable, body=body):
            return Forall(variable, _alone(body, number, count))
        case Series(statements=statements) if len(statements) == count:
            return statements[number]
        case _:
            return statement
