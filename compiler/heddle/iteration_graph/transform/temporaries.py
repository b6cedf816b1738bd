"""Parallel reductions into elements that are known only inside the loop: each part of the loop adds into a copy of its
own, and a second loop combines the copies (docs/sources.toml T28, T48)."""

from __future__ import annotations

from dataclasses import replace

from heddle.iteration_graph.analysis.shared_writes import PRIVATE, known_before, races_with, shared_targets
from heddle.iteration_graph.graph.nodes import Forall, IterationGraph
from heddle.iteration_graph.graph.provenance import all_assignments, all_loops, variables
from heddle.iteration_graph.graph.rewrite import find_loop, replace_loop
from heddle.iteration_graph.relations.divide import DivideRelation
from heddle.loop_ir.nodes import LoopKind
from heddle.names import Names
from heddle.notation.nodes import Access

PARTS = 8
"""Copies of the result: more would balance better over many threads, fewer cost less memory and less combining."""


def needs_copies(graph: IterationGraph, variable: str, target: Access) -> bool:
    """Whether the iterations of a parallel loop add into copies of ``target``."""
    tag = graph.parallel.get(variable)
    if tag is None or tag.race not in PRIVATE or tag.unit is not LoopKind.CPU_THREAD:
        return False
    if all(assign.operator == "=" for _, assign in all_assignments(graph) if assign.target == target):
        return False  # what is assigned comes once to each element
    return races_with(graph, variable, target) and not known_before(graph, variable, target)


def with_parts(graph: IterationGraph) -> IterationGraph:
    """Every loop that needs copies divided into ``PARTS`` parallel parts, serial inside: one copy for each part."""
    target = graph.signature.result.name
    for variable in [loop for loop in all_loops(graph) if loop in graph.parallel]:
        written = [t for t in shared_targets(find_loop(graph.statement, variable)) if t.tensor == target]
        if not any(needs_copies(graph, variable, access) for access in written):
            continue
        names = Names({*variables(graph), *graph.signature.tensors, *graph.workspaces})
        part, inner = names.fresh(f"{variable}_part"), names.fresh(f"{variable}_in")
        tag = graph.parallel[variable]
        relation = DivideRelation(tag.command, variable, part, inner, PARTS)

        def cut(loop: Forall, part: str = part, inner: str = inner) -> Forall:
            return Forall(part, Forall(inner, loop.body))

        tags = {part if name == variable else name: value for name, value in graph.parallel.items()}
        divided = graph.with_relation(relation, replace_loop(graph.statement, variable, cut))
        graph = replace(divided, parallel=tags)
    return graph
