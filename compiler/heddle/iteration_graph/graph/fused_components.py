"""The variables that a fused variable runs over, one per storage level."""

from __future__ import annotations

from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import level_roots, relation_above


def parts(graph: IterationGraph, variable: str) -> tuple[str, ...]:
    """The variables that were fused: ``i, k, l`` for ``fuse(i, fuse(k, l))``; the variable itself when not fused."""
    above = relation_above(graph, variable)
    if above is None or len(above.parents) == 1 or above.of_statements:
        return (variable,)
    return tuple(part for parent in above.parents for part in parts(graph, parent))


def components(graph: IterationGraph, variable: str) -> tuple[str, ...]:
    """The variables of storage levels after the parts."""
    return level_roots(graph, variable)
