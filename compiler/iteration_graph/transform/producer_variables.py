"""A second set of variables for a producer: it recovers its own coordinates from its own loops
(docs/sources.md T31)."""

from __future__ import annotations

from dataclasses import replace

from compiler.iteration_graph.graph.nodes import IterationGraph
from compiler.iteration_graph.graph.provenance import loop_variables, variables
from compiler.iteration_graph.graph.relation import Relation
from compiler.names import Names


def copy_variables(graph: IterationGraph, names: dict[str, str]) -> tuple[IterationGraph, dict[str, str]]:
    """``names`` maps loop variables to new ones. Everything that these loops determine is copied with its relations.

    Returns the graph that knows the copies, and all of them by the variable that each stands for.
    """
    fresh = Names({*variables(graph), *graph.signature.tensors, *graph.workspaces, *names.values()})
    copies, copied = dict(names), list[Relation]()
    for relation in reversed(graph.relations):
        if any(child in copies for child in relation.children):
            for parent in relation.parents:
                if parent not in copies:
                    copies[parent] = fresh.fresh(f"{parent}w")
            copied.append(relation)
    made = [relation.renamed(copies) for relation in reversed(copied)]
    roots = {copies[root]: graph.copies.get(root, root) for root in graph.underived if root in copies}
    changed = replace(
        graph,
        relations=(*graph.relations, *made),
        underived=(*graph.underived, *roots),
        copies={**graph.copies, **roots},
    )
    return changed, copies


def fresh_copy(graph: IterationGraph, variable: str) -> str:
    """A name for a copy of ``variable``."""
    taken = {*variables(graph), *loop_variables(graph.statement), *graph.signature.tensors, *graph.workspaces}
    return Names(taken).fresh(f"{variable}w")
