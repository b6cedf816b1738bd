"""Loops on the units of a GPU: blocks outside, warps in them, threads innermost (docs/sources.toml T26, T27)."""

from __future__ import annotations

from heddle.iteration_graph.graph.nodes import IterationGraph, ParallelTag
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.loop_ir.nodes import LoopKind

GPU_UNITS = (LoopKind.GPU_BLOCK, LoopKind.GPU_WARP, LoopKind.GPU_THREAD)
"""From the outermost to the innermost."""


def uses_gpu(graph: IterationGraph) -> bool:
    """Whether the schedule puts a loop on a GPU unit."""
    return any(tag.unit in GPU_UNITS for tag in graph.parallel.values())


def check_unit_nesting(graph: IterationGraph, outside: tuple[str, ...], variable: str, tag: ParallelTag) -> None:
    """Raises Refusal where the unit of ``variable``, inside the loops ``outside``, cannot stand there."""
    for other in outside:
        outer = graph.parallel.get(other)
        if outer is None:
            continue
        if (outer.unit in GPU_UNITS) != (tag.unit in GPU_UNITS):
            raise Refusal(
                "schedule/mixed-units",
                f"{variable} on {tag.unit.value} lies inside {other} on {outer.unit.value}: one nest runs either on a "
                f"CPU or on a GPU.",
                argument="unit",
                expected="units of one device",
                actual=f"{outer.unit.value} and {tag.unit.value}",
            )
        if tag.unit in GPU_UNITS and GPU_UNITS.index(outer.unit) >= GPU_UNITS.index(tag.unit):
            raise Refusal(
                "schedule/unit-order",
                f"{variable} on {tag.unit.value} lies inside {other} on {outer.unit.value}. A GPUBlock holds GPUWarps, "
                f"a GPUWarp holds GPUThreads, and each of them appears once in a nest. Reorder the loops, or fuse the "
                f"two.",
                argument="unit",
                expected="GPUBlock outside GPUWarp outside GPUThread, each once",
                actual=f"{outer.unit.value} outside {tag.unit.value}",
            )
    if tag.unit is LoopKind.GPU_BLOCK and outside:
        raise Refusal(
            "schedule/block-inside",
            f"{variable} on GPUBlock lies inside {outside[0]}, but the loop over blocks is what the host launches. "
            f"Reorder {variable} outside, or run {outside[0]} on GPUBlock.",
            argument="variable",
            expected="the outermost loop on GPUBlock",
            actual=variable,
        )
