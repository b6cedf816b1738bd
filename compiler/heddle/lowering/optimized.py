"""Iteration graph -> the loop IR that code is made of: lowered, then rewritten by the passes of the table."""

from __future__ import annotations

from functools import partial

from heddle.iteration_graph.analysis.padding import Padding, choose_padding
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.loop_ir.nodes import Function
from heddle.lowering.environment.kernel_kind import KernelKind
from heddle.lowering.function import lower
from heddle.lowering.gpu.launches import runs_on_gpu
from heddle.lowering.kernel_symbols import allocate_kernel_symbols
from heddle.lowering.passes import REFUSING, Context, run_passes, structured_text
from heddle.trace import Trace


def lower_optimized(
    graph: IterationGraph,
    *,
    wide: frozenset[str],
    gpu: bool,
    kind: KernelKind = KernelKind.EVALUATE,
    padding: Padding | None = None,
    trace: Trace | None = None,
) -> Function:
    """The verified kernel of ``graph``; its arguments are
    those of :func:`heddle.lowering.kernel_symbols.allocate_kernel_symbols`.
    With ``gpu`` all of it runs in launches. Without ``padding`` it is chosen.

    Raises
    ------
    Refusal
        as :func:`heddle.lowering.function.lower`, and where loops on GPU units cannot be launched.
    """
    trace = trace or Trace()
    with trace.step("lowered", "Loops, as lowered") as step:
        kernel = allocate_kernel_symbols(graph, wide, kind, padding or choose_padding(graph, gpu))
        function = lower(kernel)
        step.text = partial(structured_text, function)
    return run_passes(function, Context(kernel, gpu), trace)


def require_lowerable(graph: IterationGraph, *, wide: frozenset[str], gpu: bool) -> None:
    """As far of :func:`lower_optimized` as it may refuse: on a CPU no pass does, on a GPU those up to the launches.

    Raises
    ------
    Refusal
        as :func:`lower_optimized`.
    """
    context = Context(allocate_kernel_symbols(graph, wide, KernelKind.EVALUATE, choose_padding(graph, gpu)), gpu)
    assert context.kernel is not None
    function = lower(context.kernel)
    if gpu or runs_on_gpu(function):
        for row in REFUSING:
            function = row.function(function, context)
