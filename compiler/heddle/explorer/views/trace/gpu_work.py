"""Steps of a traced run -> who did what on the GPU: work by lane, and memory by request
(docs/sources.toml V15, V16)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

import numpy as np

from heddle.codegen.device.launch_text import Launch
from heddle.explorer.views.code.gpu_schema import (
    BlockWorkView,
    LaunchLoopView,
    LaunchView,
    LaunchWorkView,
    MemoryAccessView,
    Unit,
)
from heddle.explorer.views.trace.trace_schema import TraceStepView
from heddle.loop_ir.analysis.launch_shape import WARP_SIZE
from heddle.loop_ir.nodes import Allocate, Array, For, Function, LoopKind, MemorySpace
from heddle.loop_ir.walk import statements

SECTOR_BYTES = 32
"""What a GPU reads from or writes to its memory at least (CUDA C++ Best Practices Guide, coalesced access)."""

Kind = Literal["load", "store", "atomic"]


@dataclass(slots=True)
class _Traffic:
    """One statement's accesses to one array. ``requests`` has by block, warp and turn how many lanes access each
    element; ``turns`` how many accesses each thread has made."""

    line: int
    c_line: int | None
    requests: defaultdict[tuple[int, int, int], Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    turns: Counter[tuple[int, int]] = field(default_factory=Counter)


def launch_views(launches: Iterable[Launch]) -> list[LaunchView]:
    return [
        LaunchView(
            name=launch.name,
            grid=launch.grid,
            threads=launch.threads,
            warps=launch.warps,
            lanes=launch.lanes,
            shared_bytes=launch.shared_bytes,
            loops=[
                LaunchLoopView(name=loop.name, unit=cast(Unit, loop.unit.value), variable=loop.variable)
                for loop in launch.loops
            ],
            command=launch.command,
        )
        for launch in launches
    ]


def launch_work(function: Function, launches: Sequence[Launch], steps: Sequence[TraceStepView]) -> list[LaunchWorkView]:
    """What each thread of each launch did in ``steps``, the traced run of ``function``."""
    arrays = _global_arrays(function)
    views = []
    for number, (launch, inside) in enumerate(zip(launches, _statements_of_launches(function), strict=True)):
        (blocks,) = launch.names(LoopKind.GPU_BLOCK)
        work: dict[int, list[int]] = {}
        traffic: dict[tuple[int, str, Kind], _Traffic] = {}
        for step in steps:
            if step["statement"] not in inside:
                continue
            if blocks not in step["worker"]:  # the launch itself: one iteration for each block, none where it is empty
                if blocks in step["changed"]:
                    work.setdefault(int(step["changed"][blocks]), [0] * launch.threads)
                continue
            block, thread = step["worker"][blocks], _thread(launch, step["worker"])
            work[block][thread] += step["visit"] is not None
            for array, element, kind in _accesses(step):
                if array in arrays:
                    key = (step["statement"], array, kind)
                    access_traffic = traffic.setdefault(key, _Traffic(step["line"], step["c_line"]))
                    access_traffic.turns[block, thread] += 1
                    access_traffic.requests[block, thread // WARP_SIZE, access_traffic.turns[block, thread]][
                        element
                    ] += 1
        views.append(
            LaunchWorkView(
                launch=number,
                warp_size=WARP_SIZE,
                blocks=[BlockWorkView(block=block, work=counts) for block, counts in sorted(work.items())],
                memory=[
                    _memory(arrays[array], kind, access_traffic)
                    for (_, array, kind), access_traffic in sorted(traffic.items())
                ],
            )
        )
    return views


def _statements_of_launches(function: Function) -> Iterator[range]:
    """For each launch the numbers of its statements, as the steps of a trace count them."""
    first = 0
    for statement in function.body.statements:
        count = sum(1 for _ in statements(statement))
        if isinstance(statement, For) and statement.kind is LoopKind.GPU_BLOCK:
            yield range(first, first + count)
        first += count


def _thread(launch: Launch, worker: dict[str, int]) -> int:
    """The thread's number in its block. Outside of the loops over warps and threads it is the first one's step."""
    warp = next((worker[name] for name in launch.names(LoopKind.GPU_WARP) if name in worker), None)
    lane = next((worker[name] for name in launch.names(LoopKind.GPU_THREAD) if name in worker), 0)
    return lane if warp is None else warp * WARP_SIZE + lane


def _accesses(step: TraceStepView) -> Iterator[tuple[str, int, Kind]]:
    for load in step["loads"]:
        yield load["array"], load["index"], "load"
    store = step["store"]
    if store is not None:
        yield store["array"], store["index"], "atomic" if store["atomic"] else "store"


def _global_arrays(function: Function) -> dict[str, Array]:
    """The arrays in global memory: operands, results, and what the host allocates. Shared memory has no sectors."""
    arrays = {parameter.name: parameter.array for parameter in function.parameters if parameter.array is not None}
    for statement in function.body.statements:
        if isinstance(statement, Allocate) and statement.space is not MemorySpace.SHARED:
            arrays[statement.array.name] = statement.array
    return arrays


def _memory(array: Array, kind: Kind, traffic: _Traffic) -> MemoryAccessView:
    size = np.dtype(array.dtype).itemsize
    requests = traffic.requests.values()
    return MemoryAccessView(
        array=array.name,
        tensor=array.tensor,
        level=array.level or None,
        kind=kind,
        line=traffic.line,
        c_line=traffic.c_line,
        accesses=sum(elements.total() for elements in requests),
        requests=len(requests),
        sectors=sum(len({element * size // SECTOR_BYTES for element in elements}) for elements in requests),
        fewest=sum(-(-len(elements) * size // SECTOR_BYTES) for elements in requests),
        collisions=sum(elements.total() - len(elements) for elements in requests),
    )
