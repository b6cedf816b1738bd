"""Iteration graph -> the loop IR that code is made of: lowered, rewritten for speed, launched on GPU units."""

from __future__ import annotations

from compiler.iteration_graph.nodes import IterationGraph
from compiler.loop_ir.nodes import Function
from compiler.loop_ir.partial_sums import partial_sums
from compiler.loop_ir.register_vectors import register_vectors
from compiler.loop_ir.shared_choices import choose_around_lanes
from compiler.loop_ir.simplify import simplify
from compiler.loop_ir.unrolled_rows import unrolled_rows
from compiler.loop_ir.unswitch import unswitch
from compiler.loop_ir.vector_sums import vector_sums
from compiler.lowering.function import lower
from compiler.lowering.launches import with_launches


def lower_optimized(graph: IterationGraph, *, wide: frozenset[str], gpu: bool, given: bool = False) -> Function:
    """The kernel of ``graph``; arguments and errors are those of :func:`compiler.lowering.function.lower`. With ``gpu``
    all of it runs in launches.

    Raises:
        Refusal: also where loops on GPU units cannot be launched.
    """
    function = lower(graph, wide=wide, given=given)
    function = simplify(unrolled_rows(choose_around_lanes(unswitch(partial_sums(function)))))
    return vector_sums(register_vectors(simplify(with_launches(function, gpu))))
