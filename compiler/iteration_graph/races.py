"""Data races, derived from provenance (DESIGN §3.4; FEATURES T28, T47).

Two iterations of a parallel variable race when they can map to the same output coordinate: when one of the underived
variables behind it does not index the output.
"""

from __future__ import annotations

from compiler.iteration_graph.nodes import IterationGraph
from compiler.iteration_graph.provenance import roots
from compiler.notation.nodes import Access


def races_with(graph: IterationGraph, variable: str, target: Access) -> bool:
    return any(root not in target.indices for root in roots(graph, variable))


def uses_atomics(graph: IterationGraph, racing: list[str]) -> bool:
    """A location shared at one level of parallelism is protected at all levels by the atomics of any of them."""
    return any(graph.parallel[variable].race == "Atomics" for variable in racing)
