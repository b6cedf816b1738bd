"""The shape of a GPU launch: how many threads a block has, and how much memory they share (docs/sources.toml T27)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heddle.loop_ir.nodes import Allocate, Const, For, LoopKind, MemorySpace, Stmt
from heddle.loop_ir.walk import children, statements

WARP_SIZE = 32
MAX_THREADS = 1024
"""Threads of a block, on every CUDA device."""
MAX_SHARED_BYTES = 47 * 1024
"""Shared memory of a block that needs no opt-in is 48 KiB; combinations across a block take up to 1 KiB of it."""
WORD_BYTES = 4
"""The smallest word that a device exchanges; an array of narrower elements in shared memory takes whole ones."""
GPU_KINDS = (LoopKind.GPU_BLOCK, LoopKind.GPU_WARP, LoopKind.GPU_THREAD)


@dataclass(frozen=True, slots=True)
class LaunchShape:
    """A block has ``warps`` warps of ``lanes`` lanes; with no warps (0) it has ``lanes`` threads."""

    warps: int
    lanes: int

    @property
    def threads(self) -> int:
        return max(1, self.warps) * self.lanes


def trip_count(loop: For) -> int:
    """Of a loop over warps or threads, which all run from 0 to a constant."""
    match loop.upper:
        case Const(value=int() as value):
            return value
        case _:
            raise ValueError(f"{loop.variable} has no constant trip count")


def launch_shape(loop: For) -> LaunchShape:
    """The shape of the loop over blocks ``loop``: as many warps, or threads, as its longest loop over them needs."""
    loops = [s for s in statements(loop.body) if isinstance(s, For)]
    warps = max((trip_count(s) for s in loops if s.kind is LoopKind.GPU_WARP), default=0)
    threads = max((trip_count(s) for s in loops if s.kind is LoopKind.GPU_THREAD), default=1)
    if warps == 0:
        return LaunchShape(0, threads)
    outside = max((trip_count(s) for s in _outside_warps(loop.body) if s.kind is LoopKind.GPU_THREAD), default=1)
    return LaunchShape(max(warps, -(-outside // WARP_SIZE)), WARP_SIZE)


def shared_bytes(loop: For) -> int:
    """The shared memory of a block, in bytes: arrays of the block once, those of a warp once for each warp."""
    whole = sum(_bytes(s) for s in statements(loop.body) if isinstance(s, Allocate))
    of_warps = sum(
        _bytes(s)
        for warp in statements(loop.body)
        if isinstance(warp, For) and warp.kind is LoopKind.GPU_WARP
        for s in statements(warp.body)
        if isinstance(s, Allocate)
    )
    return whole + of_warps * (max(1, launch_shape(loop).warps) - 1)


def shared_room(allocate: Allocate) -> int:
    """Elements that an array in shared memory takes: at least those it was asked for, in whole words, so that an atomic
    update of a narrow element exchanges nothing beyond the array."""
    if not isinstance(allocate.size, Const):
        raise ValueError(f"{allocate.array.name} has no constant size")
    size = np.dtype(allocate.array.dtype).itemsize
    unit = max(1, WORD_BYTES // size)
    return -(-max(1, int(allocate.size.value.real)) // unit) * unit


def _bytes(allocate: Allocate) -> int:
    if allocate.space is not MemorySpace.SHARED or not isinstance(allocate.size, Const):
        return 0
    return shared_room(allocate) * np.dtype(allocate.array.dtype).itemsize


def _outside_warps(statement: Stmt) -> list[For]:
    loops = [statement] if isinstance(statement, For) else []
    if isinstance(statement, For) and statement.kind is LoopKind.GPU_WARP:
        return loops
    return loops + [loop for child in children(statement) for loop in _outside_warps(child)]
