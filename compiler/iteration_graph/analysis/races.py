"""Data races, derived from provenance (docs/sources.md T28, T47).

Two iterations of a parallel variable race when they can map to the same output coordinate: when one of the original
variables that it comes from does not index the output, or when it runs over positions and one coordinate has several.
"""

from __future__ import annotations

from compiler.iteration_graph.graph.gpu_units import GPU_UNITS
from compiler.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, ParallelTag, Series, Statement, Where
from compiler.iteration_graph.graph.provenance import assignments, leaves, loops, relation_above, walked_positions
from compiler.loop_ir.nodes import LoopKind
from compiler.notation.nodes import Access

PRIVATE = ("Temporary", "ParallelReduction")
"""The race strategies that keep a partial result for each worker."""


def races_with(graph: IterationGraph, variable: str, target: Access) -> bool:
    return not _indexed(graph, variable, target) or repeats(graph, variable)


def _indexed(graph: IterationGraph, variable: str, target: Access) -> bool:
    """Whether all that ``variable`` comes from is an index of the target."""
    above = relation_above(graph, variable)
    if variable in target.indices or above is None:
        return variable in target.indices
    return all(_indexed(graph, parent, target) for parent in above.parents)


def repeats(graph: IterationGraph, variable: str) -> bool:
    """Whether ``variable`` is a part of the positions of a level where one coordinate has several of them."""
    for positions in walked_positions(graph):
        if variable in leaves(graph, positions.position):
            levels = graph.signature.tensors[positions.access.tensor].format.levels
            if not levels[positions.last_level - 1].unique and positions.last_level < len(levels):
                return True
    return False


def combines_runs(tag: ParallelTag) -> bool:
    """Whether the iterations of a loop are lanes of a warp that combine what neighbours add into the same element. Each
    run of neighbours then adds its result by one atomic update."""
    return tag.unit is LoopKind.GPU_THREAD and tag.race == "ParallelReduction"


def uses_atomics(graph: IterationGraph, racing: list[str]) -> bool:
    """A location shared at one level of parallelism is protected at all levels by the atomics of any of them. On a GPU
    the innermost unit says it for those around it, whether or not its own iterations meet (docs/sources.md A.4)."""
    if any(combines_runs(graph.parallel[variable]) for variable in racing):
        return True
    if any(graph.parallel[variable].unit in GPU_UNITS for variable in racing):
        return any(tag.race == "Atomics" for tag in graph.parallel.values())
    return any(graph.parallel[variable].race == "Atomics" for variable in racing)


def known_before(graph: IterationGraph, variable: str, target: Access) -> bool:
    """All coordinates of the target are known before the loop."""
    for path in loops(graph.statement):
        if variable in path:
            before = set(path[: path.index(variable)])
            needed = {leaf for index in target.indices for leaf in leaves(graph, index)}
            return needed <= before
    return False


def shared_targets(loop: Forall) -> list[Access]:
    """What the loop writes that lives outside it."""

    def private(statement: Statement) -> set[str]:
        match statement:
            case Forall(body=body):
                return private(body)
            case Where(consumer=consumer, producer=producer):
                return private(consumer) | private(producer) | {assignments(producer)[-1][1].target.tensor}
            case Series(statements=statements):
                return set[str]().union(*map(private, statements))
            case Assign():
                return set()
            case _:
                raise TypeError(f"unexpected statement {statement!r}")

    hidden = private(loop)
    return list(dict.fromkeys(a.target for _, a in assignments(loop) if a.target.tensor not in hidden))
