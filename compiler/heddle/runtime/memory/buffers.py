"""A pool of aligned, reusable buffers for packed tensors and results.

Fresh memory costs as much as the arithmetic of many sparse kernels (page faults on first touch), and NumPy's 16-byte
alignment costs vector code up to 45 % in cache. So results live in 64-byte aligned buffers that go back to the pool
when the last array that looks into them is gone.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.runtime.memory.allocation_limit import require_memory

ALIGNMENT = 64
# Compiled loops may read a vector past the end of an array (masked tails), so every buffer is a little longer.
_PADDING = 64
_BYTE = np.dtype(np.uint8)


class BufferPool:
    """Keeps up to ``limit`` bytes of released buffers, by size class, for reuse."""

    _new_queue = deque
    """Kept here, since the names of modules are gone when the last results of a program are."""

    def __init__(self, limit: int = 1 << 30) -> None:
        self._limit = limit
        self._free: dict[int, deque[Memory]] = {}
        self._held = 0

    @property
    def held_bytes(self) -> int:
        """Bytes that wait for reuse."""
        return self._held

    def empty(self, count: int, dtype: str | np.dtype[Any]) -> NDArray[Any]:
        """``count`` uninitialised elements, aligned to 64 bytes; the memory returns when its last view is released.

        Raises
        ------
        CompileError
            ``runtime/too-large`` when the machine cannot hold it.
        """
        data_type = np.dtype(dtype)
        size = count * data_type.itemsize + _PADDING
        memory = self._reuse(_size_class(size))
        if memory is None:
            require_memory(size, f"{count:,} values of type {dtype}")
            memory = Memory(_size_class(size))
        return self.view(memory, count, data_type)

    def allocate_together(self, *wanted: tuple[int, str | np.dtype[Any]]) -> list[NDArray[Any]]:
        """Arrays as :meth:`empty` makes them, of so many elements and such types, in one memory, which takes less time;
        all of it stays until the last view of any is released.

        Raises
        ------
        CompileError
            ``runtime/too-large``.
        """
        places, size = [], 0
        for count, dtype in wanted:
            data_type = np.dtype(dtype)
            places.append((count, data_type, size))
            size += (count * data_type.itemsize + _PADDING + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
        whole = self.empty(size, _BYTE)
        return [np.ndarray(count, data_type, whole, start) for count, data_type, start in places]

    def memory(self, size: int) -> Memory:
        """At least ``size`` bytes. The caller gives them back by :meth:`take_back`, or makes a :meth:`view`.

        Raises
        ------
        MemoryError
            the machine does not have so many.
        """
        kind = _size_class(size)
        return self._reuse(kind) or Memory(kind)

    def view(self, memory: Memory, count: int, dtype: np.dtype[Any]) -> NDArray[Any]:
        """The first ``count`` elements of memory that returns to the pool when their last view is released."""
        return np.asarray(_Lease(self, memory, count, dtype))

    def _reuse(self, kind: int) -> Memory | None:
        """Memory of this size class that waits for reuse."""
        free = self._free.get(kind)
        try:
            memory = free.pop() if free else None
        except IndexError:  # Another thread took the last one.
            return None
        if memory is not None:
            self._held -= memory.size
        return memory

    def take_back(self, memory: Memory) -> None:
        """Called when nothing refers to ``memory`` any more; what is over the limit goes back to the system."""
        if self._held + memory.size <= self._limit:
            self._held += memory.size
            free = self._free.get(memory.size)
            if free is None:
                free = self._free.setdefault(memory.size, self._new_queue())
            free.append(memory)


class Memory:
    """``size`` bytes whose ``address`` is aligned.

    Raises
    ------
    MemoryError
        there are not so many.
    """

    __slots__ = ("_described", "_whole", "address", "size")

    def __init__(self, size: int) -> None:
        if size > sys.maxsize - ALIGNMENT:  # NumPy calls this a wrong value
            raise MemoryError
        self._whole = np.empty(size + ALIGNMENT, dtype=np.uint8)
        start: int = self._whole.ctypes.data
        self.address = start + -start % ALIGNMENT
        self.size = size
        self._described: tuple[int, np.dtype[Any], dict[str, Any]] | None = None

    def describe(self, count: int, dtype: np.dtype[Any]) -> dict[str, Any]:
        """The first ``count`` elements as NumPy's array interface; the same as before for as many."""
        described = self._described
        if described is not None and described[0] == count and described[1] is dtype:
            return described[2]
        interface = {"shape": (count,), "typestr": dtype.str, "data": (self.address, False), "version": 3}
        self._described = count, dtype, interface
        return interface


class _Lease:
    """The owner that NumPy keeps as the ``base`` of every view; its end is the end of the last view."""

    __slots__ = ("__array_interface__", "_memory", "_pool")

    def __init__(self, pool: BufferPool, memory: Memory, count: int, dtype: np.dtype[Any]) -> None:
        self._pool, self._memory = pool, memory
        self.__array_interface__ = memory.describe(count, dtype)

    def __del__(self) -> None:
        self._pool.take_back(self._memory)


def _size_class(size: int) -> int:
    """Rounds up to one of four steps per power of two: at most 25 % is wasted, and sizes repeat."""
    if size <= 256:
        return 256
    step = 1 << (size.bit_length() - 3)
    return -(-size // step) * step


POOL = BufferPool()
"""The process's own."""


def empty(count: int, dtype: str | np.dtype[Any]) -> NDArray[Any]:
    """Uninitialised aligned memory from the process's own pool."""
    return POOL.empty(count, dtype)


def allocate_together(*wanted: tuple[int, str | np.dtype[Any]]) -> list[NDArray[Any]]:
    """Uninitialised aligned arrays in one memory from the process's own pool (:meth:`BufferPool.together`)."""
    return POOL.allocate_together(*wanted)


def zeros(count: int, dtype: str) -> NDArray[Any]:
    """Aligned memory set to zero."""
    array = POOL.empty(count, dtype)
    array.fill(0)
    return array


def is_aligned(array: NDArray[Any]) -> bool:
    """Whether the first element lies at a multiple of 64 bytes."""
    return bool(array.ctypes.data % ALIGNMENT == 0)


def aligned_copy(array: NDArray[Any]) -> NDArray[Any]:
    """A C-contiguous copy of ``array`` in aligned memory (the array itself when it already is both)."""
    if array.flags.c_contiguous and is_aligned(array):
        return array
    copy = POOL.empty(array.size, array.dtype.name).reshape(array.shape)
    copy[...] = array
    return copy


def elements(shape: Sequence[int]) -> int:
    """How many elements an array of ``shape`` has, as an exact integer."""
    return prod(shape)
