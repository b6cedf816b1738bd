"""Loops that all checks of an iteration graph let pass, and that the lowering may refuse."""

from __future__ import annotations

from heddle.iteration_graph.analysis.assembly import Appended, assembly_of
from heddle.iteration_graph.analysis.shared_writes import PRIVATE
from heddle.iteration_graph.graph.gpu_units import GPU_UNITS, uses_gpu
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import (
    all_assignments,
    level_variables,
    position_relation,
    relation_below,
    remember,
)
from heddle.lowering.statement import MOST_SEARCHES
from heddle.notation.nodes import Access, accesses


def may_be_refused(graph: IterationGraph) -> bool:
    """Whether the lowering may refuse loops that all checks passed: what it says depends on the memory of a GPU and on
    what its lanes combine, on copies of a result in parts, or on how many terms are searched."""
    summed = graph.signature.sum is not None and graph.signature.result.format.composition is not None
    return _may_miss_memory(graph) or (summed and bool(graph.parallel)) or _searches_often(graph)


def _may_miss_memory(graph: IterationGraph) -> bool:
    """Whether threads of a GPU have arrays of their own, or results to combine: these are workspaces, tables of rows,
    and partial results."""
    if not uses_gpu(graph):
        return False
    arrays = any(workspace.variables for workspace in graph.workspaces.values())
    partial = any(tag.unit in GPU_UNITS and tag.race in PRIVATE for tag in graph.parallel.values())
    return arrays or partial or bool(graph.signature.stored_temporaries) or isinstance(assembly_of(graph), Appended)


@remember
def _searches_often(graph: IterationGraph) -> bool:
    return any(
        sum(_may_be_searched(graph, access) for access in dict.fromkeys(accesses(assign.expression))) > MOST_SEARCHES
        for _, assign in all_assignments(graph)
    )


def _may_be_searched(graph: IterationGraph, access: Access) -> bool:
    """Whether a loop may know a coordinate of ``access`` without walking along what that stores: it visits positions of
    another tensor, or several coordinates become known in one loop."""
    if access.tensor not in graph.signature.tensors or graph.signature.tensors[access.tensor].format.is_dense:
        return False
    names = level_variables(graph, access)
    if len(set(names)) < len(names) or graph.signature.program is not None:
        return True
    return any(position_relation(graph, name) is not None or _is_fused(graph, name) for name in names)


def _is_fused(graph: IterationGraph, variable: str) -> bool:
    """Whether a loop stands for ``variable`` and another one."""
    below = relation_below(graph, variable)
    if below is None:
        return False
    return len(below.parents) > 1 or any(_is_fused(graph, child) for child in below.children)
