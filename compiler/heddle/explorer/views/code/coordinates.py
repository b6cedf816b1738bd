"""Iteration graph -> its loops over coordinates, with the axes that each runs over: the first of the three stages of
sparse programs (Ye et al. 2023; docs/sources.toml V10). The others are the structured and the flat loops."""

from __future__ import annotations

from typing import Literal

from heddle.explorer.views.code.code_schema import CodeView, OriginView, SpanView, SymbolView
from heddle.formats.printer import level_text
from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, Series, Statement, Where
from heddle.iteration_graph.graph.provenance import assignments, level_variables, loop_variables
from heddle.loop_ir.printing.source_text import SourceBuilder, SourceText
from heddle.notation.nodes import accesses
from heddle.notation.printer import to_text
from heddle.origin import Origin, Role

Axis = tuple[str, int, str]
"""Tensor, level (from 1) and the kind of the level."""


def coordinates_view(graph: IterationGraph) -> CodeView:
    text = coordinates_text(graph)
    spans = [
        SpanView(line=span.line, column=span.column, end_column=span.end_column, origin=_origin(span.origin))
        for span in text.spans
    ]
    names = {name: _symbol("array", None, name) for name in graph.signature.tensors}
    names |= {name: _symbol("array", None, name) for name in graph.signature.temporaries}
    names |= {variable: _symbol("variable", variable, None) for variable in loop_variables(graph.statement)}
    return CodeView(language="loops", text=text.text, spans=spans, symbols=names)


def coordinates_text(graph: IterationGraph) -> SourceText:
    """E.g. ``∀ j over A.2 compressed, B.1 dense    reduction`` above ``C(i,k) += A(i,j) * B(j,k)``."""
    lines = SourceBuilder()
    _print(graph, graph.statement, lines)
    return lines.build()


def _print(graph: IterationGraph, statement: Statement, lines: SourceBuilder) -> None:
    match statement:
        case Forall(variable=variable, body=body):
            axes = _axes(graph, variable, body)
            origin = Origin(Role.BOUNDS, variable=variable)
            over = ", ".join(f"{tensor}.{level} {kind}" for tensor, level, kind in axes)
            over = f" over {over}" if over else _describe_origin(graph, variable)
            what = "spatial" if _is_spatial(graph, variable, body) else "reduction"
            lines.line(f"∀ {variable}{over}  [{what}]", origin)
            lines.indent()
            _print(graph, body, lines)
            lines.dedent()
        case Where(consumer=consumer, producer=producer):
            _print(graph, consumer, lines)
            lines.line("where", None)
            lines.indent()
            _print(graph, producer, lines)
            lines.dedent()
        case Series(statements=statements):
            for number, part in enumerate(statements):
                if number:
                    lines.line("then", None)
                _print(graph, part, lines)
        case Assign(target=target, operator=operator, expression=expression):
            origin = Origin(Role.COMPUTE, tensor=target.tensor)
            lines.line(f"{to_text(target)} {operator} {to_text(expression)}", origin)
        case _:
            raise TypeError(f"unexpected statement {statement!r}")


def _axes(graph: IterationGraph, variable: str, body: Statement) -> list[Axis]:
    """The levels of the tensors below that the loop visits, those that list coordinates first."""
    axes: dict[Axis, None] = {}
    for _, assign in assignments(body):
        for access in (assign.target, *accesses(assign.expression)):
            tensor = graph.signature.tensors.get(access.tensor)
            if tensor is None:
                continue
            levels = zip(level_variables(graph, access), tensor.format.levels, strict=True)
            for number, (index, level) in enumerate(levels, start=1):
                if index == variable:
                    axes[(access.tensor, number, level_text(level))] = None
    return sorted(axes, key=lambda axis: axis[2] == "dense")


def _describe_origin(graph: IterationGraph, variable: str) -> str:
    """Where a variable comes from that visits no level itself."""
    origin = next((relation.text() for relation in graph.relations if variable in relation.children), None)
    return f" from {origin}" if origin is not None else ""


def _is_spatial(graph: IterationGraph, variable: str, body: Statement) -> bool:
    """Whether its iterations write to different places of what is assigned below."""
    origins = {variable}
    while True:
        above = {
            parent for relation in graph.relations if origins & set(relation.children) for parent in relation.parents
        }
        if above <= origins:
            break
        origins |= above
    return any(origins & set(assign.target.indices) for _, assign in assignments(body))


def _symbol(kind: Literal["array", "variable"], variable: str | None, tensor: str | None) -> SymbolView:
    return SymbolView(kind=kind, variable=variable, tensor=tensor, level=None)


def _origin(origin: Origin) -> OriginView:
    return OriginView(
        role=origin.role.value,
        variable=origin.variable,
        tensor=origin.tensor,
        level=origin.level,
        command=origin.command,
    )
