"""Printed text with its source map -> JSON, and what every identifier stands for (docs/sources.toml V7)."""

from __future__ import annotations

import re
from typing import Literal

from heddle.explorer.views.code.code_schema import CodeView, OriginView, SpanView, SymbolView
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import variables
from heddle.loop_ir.nodes import Allocate, Declare, For, Function, ParameterKind, Search
from heddle.loop_ir.printing.source_text import SourceText
from heddle.loop_ir.walk import all_statements
from heddle.origin import Origin
from heddle.targets import CodeLanguageName

IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


def code_view(
    text: SourceText, function: Function, graph: IterationGraph | None, language: Literal[CodeLanguageName, "loops"]
) -> CodeView:
    """``graph`` is None for programs that become loops without one."""
    spans = [
        SpanView(line=s.line, column=s.column, end_column=s.end_column, origin=_origin(s.origin)) for s in text.spans
    ]
    # What runs in vector lanes is printed without some of the scalars that the loop IR declares.
    printed = set(IDENTIFIER.findall(text.text))
    named = {name: symbol for name, symbol in symbols(function, graph).items() if name in printed}
    return CodeView(language=language, text=text.text, spans=spans, symbols=named)


def _origin(origin: Origin) -> OriginView:
    return OriginView(
        role=origin.role.value,
        variable=origin.variable,
        tensor=origin.tensor,
        level=origin.level,
        command=origin.command,
    )


def symbols(function: Function, graph: IterationGraph | None) -> dict[str, SymbolView]:
    """Identifier -> variable, position, dimension, array or temporary."""
    known = variables(graph) if graph is not None else {}
    views: dict[str, SymbolView] = {}
    for parameter in function.parameters:
        if parameter.kind is ParameterKind.DIMENSION and graph is not None:
            tensor = graph.signature.tensors[parameter.tensor]
            assert parameter.dimension is not None
            level = tensor.format.order.index(parameter.dimension) + 1
            variable = tensor.indices[parameter.dimension]
            views[parameter.name] = _symbol("dimension", variable, parameter.tensor, level)
        else:
            level = parameter.array.level if parameter.array is not None else 0
            views[parameter.name] = _symbol("array", None, parameter.tensor, level or None)
    for statement in all_statements(function):
        match statement:
            case (
                Declare(name=name, origin=origin) | For(variable=name, origin=origin) | Search(name=name, origin=origin)
            ):
                if name in known:
                    views[name] = _symbol("variable", name, None, None)
                elif origin.level is not None:
                    views[name] = _symbol("position", origin.variable, origin.tensor, origin.level)
                else:
                    views[name] = _symbol("temporary", origin.variable, origin.tensor, None)
            case Allocate(array=array, origin=origin):
                views[array.name] = _symbol("temporary", origin.variable, origin.tensor, None)
            case _:
                pass
    for name in graph.signature.tensors if graph is not None else ():
        views.setdefault(name, _symbol("array", None, name, None))
    return views


def _symbol(
    kind: Literal["variable", "position", "dimension", "array", "temporary"],
    variable: str | None,
    tensor: str | None,
    level: int | None,
) -> SymbolView:
    return SymbolView(kind=kind, variable=variable, tensor=tensor, level=level)
