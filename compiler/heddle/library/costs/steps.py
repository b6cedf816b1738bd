"""How many steps the loops of a kernel take on operands of known kinds."""

from __future__ import annotations

from collections.abc import Mapping

from heddle.iteration_graph.analysis import steps
from heddle.iteration_graph.analysis.steps import Contents
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.library.operand_kinds import OperandKind


def variable_sizes(graph: IterationGraph, kinds: Mapping[str, OperandKind]) -> dict[str, int]:
    """The sizes of index variables that operands have."""
    return steps.variable_sizes(graph, contents_of(kinds))


def estimate_steps(graph: IterationGraph, kinds: Mapping[str, OperandKind]) -> float:
    """The iterations of all statements that read operands; ``graph`` is one without a schedule."""
    return steps.estimate_steps(graph, contents_of(kinds))


def contents_of(kinds: Mapping[str, OperandKind]) -> dict[str, Contents]:
    """The shapes of operands, and how many values they store."""
    return {name: Contents(kind.shape, kind.stored) for name, kind in kinds.items()}
