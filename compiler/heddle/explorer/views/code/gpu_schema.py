"""The JSON of what runs on a GPU: the shape of each launch, and who did what in a traced run
(docs/sources.toml V15, V16)."""

from __future__ import annotations

from typing import Literal

from heddle.explorer.views.typed_dict import TypedDict

Unit = Literal["GPUBlock", "GPUWarp", "GPUThread"]


class LaunchLoopView(TypedDict):
    """A loop on a GPU unit. ``name`` is its variable in the loops' text and in ``worker`` of a trace's steps,
    ``variable`` the one of the iteration graph; null for a loop that the lowering added."""

    name: str
    unit: Unit
    variable: str | None


class LaunchView(TypedDict):
    """One launch of a kernel for a GPU: fields as those of ``heddle.codegen.device.launch_text.Launch``.

    ``grid`` is the number of blocks as a text in the kernel's parameters. ``loops`` has the one over
    blocks first. ``command`` is null for a launch that no command made.
    """

    name: str
    grid: str
    threads: int
    warps: int
    lanes: int
    shared_bytes: int
    loops: list[LaunchLoopView]
    command: int | None


class MemoryAccessView(TypedDict):
    """What one statement does with one array in global memory, over all warps of a launch.

    The lanes of a warp access memory together: the n-th access of each of them is one *request* (a model: real lanes
    may drift apart). ``accesses`` counts lanes, ``sectors`` the segments of 32 bytes that the requests touch, each
    counted once per request; ``fewest`` is how many there would be if the elements of each request were contiguous.
    ``collisions`` are the lanes of a request that meet another one at its element: an atomic makes them wait for one
    another. ``line`` and ``c_line`` are 1-based, in the text of the loops and in the code.
    """

    array: str
    tensor: str | None
    level: int | None
    kind: Literal["load", "store", "atomic"]
    line: int
    c_line: int | None
    accesses: int
    requests: int
    sectors: int
    fewest: int
    collisions: int


class BlockWorkView(TypedDict):
    """``work`` counts the points that each thread of the block computed, in the order of their numbers: lanes of the
    first warp, lanes of the second … Code that all threads execute alike is counted once, as the first thread's."""

    block: int
    work: list[int]


class LaunchWorkView(TypedDict):
    """One launch in the traced run. ``launch`` is its index in ``CompileView.launches``; ``warp_size`` how many
    neighbouring threads go in step."""

    launch: int
    warp_size: int
    blocks: list[BlockWorkView]
    memory: list[MemoryAccessView]


class KernelFiguresView(TypedDict):
    """What NVIDIA's compiler made of one kernel for one ``architecture``.

    ``registers`` and ``local_bytes`` (registers spilled, arrays that did not fit) are those of a thread,
    ``shared_bytes`` those of a block. ``occupancy`` is the share of a multiprocessor's warps that can be resident at
    once, from 0 to 1, by these figures and its limits: a model, no measurement.
    """

    kernel: str
    architecture: str
    registers: int
    shared_bytes: int
    local_bytes: int
    occupancy: float
