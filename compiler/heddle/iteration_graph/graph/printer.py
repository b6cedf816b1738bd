"""Iteration graph -> text: ``∀i ∀j y(i) += A(i, j) * x(j)`` with the provenance after it."""

from __future__ import annotations

from collections.abc import Mapping

from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Series, Statement, Where
from heddle.notation.nodes import Assignment
from heddle.notation.printer import to_text


def graph_text(graph: IterationGraph, merges: Mapping[str, str] | None = None) -> str:
    """One loop a line, the statement below them, then the relations and tags, then what the loops started from.
    ``merges``: the strategies of loops that merge otherwise than step by step, though no command says so."""
    lines = _lines(graph, merges or {}, graph.statement, 0)
    if graph.relations:
        lines += ["", "suchthat", *(f"  {relation.text()}" for relation in graph.relations)]
    if graph.scattered:
        lines += ["", *(f"{name}: count the entries of each row, then scatter" for name in sorted(graph.scattered))]
    if graph.started:
        lines += ["", *(order.text for order in graph.started)]
    return "\n".join(lines)


def _lines(graph: IterationGraph, merges: Mapping[str, str], statement: Statement, depth: int) -> list[str]:
    indent = "  " * depth
    match statement:
        case Forall(variable=variable, body=body):
            return [f"{indent}∀{variable}{_tags(graph, merges, variable)}", *_lines(graph, merges, body, depth + 1)]
        case Where(consumer=consumer, producer=producer):
            return [
                *_lines(graph, merges, consumer, depth),
                f"{indent}where",
                *_lines(graph, merges, producer, depth + 1),
            ]
        case Series(statements=statements, cases=cases) if cases:
            pairs = zip(cases, statements, strict=True)
            return [
                line
                for label, part in pairs
                for line in (f"{indent}case {label}", *_lines(graph, merges, part, depth + 1))
            ]
        case Series(statements=statements):
            first, *others = (_lines(graph, merges, statement, depth) for statement in statements)
            return [*first, *(line for lines in others for line in (f"{indent}then", *lines))]
        case Assign():
            return [indent + statement_text(statement)]
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def _tags(graph: IterationGraph, merges: Mapping[str, str], variable: str) -> str:
    text = ""
    if variable in graph.parallel:
        text += f"  parallel({graph.parallel[variable].unit.value}, {graph.parallel[variable].race})"
    if variable in graph.unroll:
        text += f"  unroll({graph.unroll[variable].factor})"
    strategy = graph.merge[variable].strategy if variable in graph.merge else merges.get(variable)
    if strategy is not None:
        text += f"  merge({strategy})"
    return text


def statement_text(statement: Statement) -> str:
    """On one line."""
    match statement:
        case Forall(variable=variable, body=body):
            return f"∀{variable} {statement_text(body)}"
        case Where(consumer=consumer, producer=producer):
            return f"({statement_text(consumer)} where {statement_text(producer)})"
        case Series(statements=statements, cases=cases) if cases:
            pairs = zip(cases, statements, strict=True)
            return f"({'; '.join(f'case {label}: {statement_text(part)}' for label, part in pairs)})"
        case Series(statements=statements):
            return f"({'; '.join(map(statement_text, statements))})"
        case Assign(target=target, operator=operator, expression=expression):
            return to_text(Assignment(target, operator, expression))
        case _:
            raise TypeError(f"unexpected statement {statement!r}")
