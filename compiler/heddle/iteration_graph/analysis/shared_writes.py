"""Which iterations write one element, derived from provenance (docs/sources.toml T28, T47): what races are decided by.

Two iterations of a parallel variable race when they can map to the same output coordinate: when one of the original
variables that it comes from does not index the output, or when it runs over positions and one coordinate has several.
"""

from __future__ import annotations

from heddle.iteration_graph.graph.gpu_units import GPU_UNITS
from heddle.iteration_graph.graph.nodes import Assign, Forall, IterationGraph, ParallelTag, Series, Statement, Where
from heddle.iteration_graph.graph.provenance import all_paths, assignments, leaves, relation_above, walked_positions
from heddle.iteration_graph.graph.relation import Relation
from heddle.loop_ir.nodes import LoopKind
from heddle.notation.nodes import Access

PRIVATE = ("Temporary", "ParallelReduction")
"""The race strategies that keep a partial result for each worker."""


def races_with(graph: IterationGraph, variable: str, target: Access) -> bool:
    """Whether two iterations of ``variable`` may write the same element of ``target``."""
    return not _is_indexed(graph, variable, target) or repeats(graph, variable) or parts_meet(graph, variable, target)


def parts_meet(graph: IterationGraph, variable: str, target: Access) -> bool:
    """Whether ``variable`` runs through several statements in turn, of which two may write the same element."""
    in_turn = any(relation.in_turn and _from(graph, variable, relation) for relation in graph.relations)
    summed = graph.signature.sum
    return in_turn and (summed is None or not summed.is_apart(target.indices, graph.signature))


def _from(graph: IterationGraph, variable: str, relation: Relation) -> bool:
    return any(variable in leaves(graph, child) for child in relation.children)


def _is_indexed(graph: IterationGraph, variable: str, target: Access) -> bool:
    """Whether all that ``variable`` comes from is an index of the target."""
    if variable in target.indices or relation_above(graph, variable) is None:
        return variable in target.indices
    # Statements that were taken apart inside of a loop each have what it was cut from under a name of their own.
    above = [relation for relation in graph.relations if variable in relation.children]
    return any(_all_indexed(graph, relation, target) for relation in above)


def _all_indexed(graph: IterationGraph, above: Relation, target: Access) -> bool:
    known = (_is_indexed(graph, parent, target) for parent in above.parents)
    return any(known) if above.of_statements else all(known)


def repeats(graph: IterationGraph, variable: str) -> bool:
    """Whether ``variable`` is a part of the positions of a level where one coordinate has several of them."""
    for positions in walked_positions(graph):
        repeated = graph.signature.repeats(positions.access.tensor, positions.last_level)
        if repeated and variable in leaves(graph, positions.position):
            return True
    return False


def combines_runs(tag: ParallelTag) -> bool:
    """Whether the iterations of a loop are lanes of a warp that combine what neighbours add into the same element. Each
    run of neighbours then adds its result by one atomic update."""
    return tag.unit is LoopKind.GPU_THREAD and tag.race == "ParallelReduction"


def uses_atomics(graph: IterationGraph, racing: list[str]) -> bool:
    """A location shared at one level of parallelism is protected at all levels by the atomics of any of them. On a GPU
    the innermost unit says it for those around it, whether or not its own iterations meet (docs/sources.toml A.4); what
    threads could not sum up in registers, as where two statements add into it, they add one by one."""
    if any(combines_runs(graph.parallel[variable]) for variable in racing):
        return True
    if any(graph.parallel[variable].unit in GPU_UNITS for variable in racing):
        summed = any(graph.parallel[variable].race in PRIVATE for variable in racing)
        return summed or any(tag.race == "Atomics" for tag in graph.parallel.values())
    return any(graph.parallel[variable].race == "Atomics" for variable in racing)


def known_before(graph: IterationGraph, variable: str, target: Access) -> bool:
    """All coordinates of the target are known before the loop."""
    for path in all_paths(graph):
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
