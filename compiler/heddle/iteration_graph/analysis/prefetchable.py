"""Which operands are found by a coordinate that another tensor stores: what ``prefetch`` may name."""

from __future__ import annotations

from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.iteration_graph.algebra.lattice import iterators
from heddle.iteration_graph.analysis.iterated import lattice_at
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import leaves, level_variables, position_relation
from heddle.notation.nodes import Access


def is_located(graph: IterationGraph, access: Access) -> bool:
    """Whether all levels of ``access`` are located, one of them by a coordinate that a lone sparse level stores."""
    if access.tensor not in graph.signature.tensors or not access.indices:
        return False
    levels = graph.signature.tensors[access.tensor].format.levels
    if not all(LEVEL_KINDS[level.kind].can_locate for level in levels):
        return False
    return any(_is_stored(graph, variable) for variable in level_variables(graph, access))


def _is_stored(graph: IterationGraph, variable: str) -> bool:
    if not leaves(graph, variable):  # a number
        return False
    if position_relation(graph, variable) is not None:
        return True
    lattice = lattice_at(graph, variable)
    return len(lattice) == 1 and len(iterators(lattice)) == 1 and not lattice[0].full
