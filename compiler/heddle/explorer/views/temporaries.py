"""Workspaces -> JSON: what a kernel stores between its loops, in addition to operands and result."""

from __future__ import annotations

from typing import Literal

from heddle.explorer.views.compile_schema import TemporaryView
from heddle.iteration_graph.graph.nodes import Workspace
from heddle.result import CompileResult


def temporary_views(result: CompileResult) -> list[TemporaryView]:
    """Temporaries that are stored as a format says; then workspaces in the order in which they came to be, of which
    those that only the assembly of the result needs come last."""
    graph = result.lowered_graph or result.graph
    if graph is None:
        return []
    stored = [
        TemporaryView(name=name, dtype=tensor.dtype, kind="stored", dimensions=list(tensor.indices), command=None)
        for name, tensor in graph.signature.temporaries.items()
        if name in graph.signature.stored_temporaries
    ]
    return stored + [
        TemporaryView(
            name=workspace.name,
            dtype=workspace.dtype,
            kind=_kind(workspace),
            dimensions=list(workspace.variables),
            command=_command(result, workspace.name),
        )
        for workspace in graph.workspaces.values()
    ]


def _kind(workspace: Workspace) -> Literal["scalar", "dense", "listed", "mapped"]:
    return workspace.kind.value if workspace.variables else "scalar"


def _command(result: CompileResult, name: str) -> int | None:
    first = next((count for count, graph in enumerate(result.graphs) if name in graph.workspaces), 0)
    return first - 1 if first > 0 else None
