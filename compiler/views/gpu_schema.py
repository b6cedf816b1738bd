"""The JSON of what runs on a GPU: the shape of each launch, and who did what in a traced run (PANELS V15, V16)."""

from __future__ import annotations

import sys
from typing import Literal

if sys.version_info >= (3, 12):
    from typing import TypedDict
else:
    from typing_extensions import TypedDict


class LaunchView(TypedDict):
    """One launch of a kernel for a GPU: fields as those of ``compiler.codegen.launch.Launch``.

    ``grid`` is the number of blocks as a text in the kernel's parameters. ``command`` is null for a launch that no
    command asked for.
    """

    name: str
    grid: str
    threads: int
    warps: int
    lanes: int
    shared_bytes: int
    block: str
    warp_variables: list[str]
    thread_variables: list[str]
    command: int | None


class MemoryAccessView(TypedDict):
    """What one statement does with one array in global memory, over all warps of a launch.

    The lanes of a warp access memory together: the n-th access of each of them is one *request* (a model: real lanes
    may drift apart). ``accesses`` counts lanes, ``sectors`` the segments of 32 bytes that the requests touch, each
    counted once for a request; ``fewest`` is how many there would be if the elements of each request lay side by side.
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
