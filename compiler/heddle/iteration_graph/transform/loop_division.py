"""Which loops belong to the producer of a workspace, and which to its consumer (docs/sources.toml T31)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from heddle.iteration_graph.algebra.subexpressions import is_linear, replace_part
from heddle.iteration_graph.build.sum_distribution import variables_of
from heddle.iteration_graph.graph.nodes import Assign, IterationGraph
from heddle.iteration_graph.graph.provenance import leaves
from heddle.iteration_graph.transform.producer_variables import Precomputed
from heddle.notation.nodes import Access, Expression, coordinate_variables


@dataclass(frozen=True, slots=True)
class LoopDivision:
    """How the loops around an assignment are shared out when a part of it is computed first.

    Attributes
    ----------
    outer
        the loops around both, the outermost first.
    producer
        the loops that compute the part, by the variables that they are copied from.
    consumer
        the loops that read the workspace.
    moved
        those of ``producer`` that the consumer has no more: the producer sums over them.
    indices
        the loops that the workspace has a dimension for.
    is_whole
        the part is all that is assigned.
    """

    outer: tuple[str, ...]
    producer: tuple[str, ...]
    consumer: tuple[str, ...]
    moved: tuple[str, ...]
    indices: tuple[str, ...]
    is_whole: bool

    def in_order_of(self, levels: Sequence[str]) -> LoopDivision:
        """The same where the coordinates of the workspace come in the order of ``levels``."""
        indices = tuple(variable for variable in levels if variable in self.indices)
        return replace(self, consumer=indices, indices=indices)


def divide_loops(graph: IterationGraph, wanted: Precomputed, chain: Sequence[str], assign: Assign) -> LoopDivision:
    """The division of the loops ``chain`` around ``assign``: a loop that only the part needs, and over which it may be
    summed before the rest is computed, moves to the producer."""
    probe = Access(wanted.name, ())
    rest = replace_part(assign.expression, wanted.part, probe)
    assert rest is not None
    needed, needed_by_rest = _coordinates(graph, wanted.part), _coordinates(graph, rest) | set(assign.target.indices)
    sums = assign.operator != "=" and (rest == probe or (assign.operator == "+=" and is_linear(rest, wanted.name)))

    def in_part(loop: str) -> bool:
        return any(loop in leaves(graph, variable) for variable in needed)

    def in_rest(loop: str) -> bool:
        return any(loop in leaves(graph, variable) for variable in needed_by_rest)

    def moves(loop: str) -> bool:
        tagged = loop in graph.parallel or loop in graph.unroll
        return sums and not tagged and in_part(loop) and not in_rest(loop) and loop not in wanted.over

    first = min(chain.index(variable) for variable in wanted.over)
    while first > 0 and moves(chain[first - 1]):
        first -= 1
    inner = chain[first:]
    moved = tuple(loop for loop in inner if moves(loop))
    indices = tuple(loop for loop in inner if loop in wanted.over or (loop not in moved and in_part(loop)))
    return LoopDivision(
        outer=tuple(chain[:first]),
        producer=tuple(loop for loop in inner if loop in indices or loop in moved),
        consumer=tuple(loop for loop in inner if loop not in moved),
        moved=moved,
        indices=indices,
        is_whole=rest == probe,
    )


def _coordinates(graph: IterationGraph, expression: Expression) -> set[str]:
    """The variables whose coordinates ``expression`` is computed of."""
    program = graph.signature.program
    return {name for variable in variables_of(expression) for name in coordinate_variables(variable, program)}
