"""What each statement of a program computes -> JSON: versions of tensors, who reads which, and the memory of each under
the current schedule."""

from __future__ import annotations

from heddle.explorer.views.schedule_tree_schema import TensorVersionView
from heddle.iteration_graph.graph.nodes import Assign, IterationGraph
from heddle.iteration_graph.graph.provenance import assignments
from heddle.notation.nodes import accesses
from heddle.notation.printer import to_text


def version_views(graph: IterationGraph) -> list[TensorVersionView]:
    """In the order in which the statements stand."""
    assigns = [assign for _, assign in assignments(graph.statement)]
    written = {assign.target.tensor for assign in assigns}
    program = graph.signature.program
    passed = frozenset() if program is None else frozenset(program.initial)
    return [
        TensorVersionView(
            name=assign.target.tensor,
            result=assign.target.tensor not in graph.workspaces or _is_returned(graph, assign.target.tensor),
            reads=_reads(assign, written | passed),
            dimensions=_dimensions(graph, assign),
        )
        for assign in assigns
    ]


def _is_returned(graph: IterationGraph, name: str) -> bool:
    program = graph.signature.program
    return program is not None and name in program.results


def _reads(assign: Assign, known: frozenset[str] | set[str]) -> list[str]:
    read_tensors = (access.tensor for access in accesses(assign.expression))
    return list(dict.fromkeys(name for name in read_tensors if name in known))


def _dimensions(graph: IterationGraph, assign: Assign) -> list[str]:
    """How large each dimension is that there is memory for; of a loop that is part of another its name."""
    workspace = graph.workspaces.get(assign.target.tensor)
    variables = assign.target.indices if workspace is None else workspace.variables
    extents = {} if graph.signature.program is None else graph.signature.program.extents
    return [
        to_text(extents[variable]) if variable in extents else f"iterations of {variable}" for variable in variables
    ]
