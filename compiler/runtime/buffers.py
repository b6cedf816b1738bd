"""A pool of aligned, reusable buffers for packed tensors and results.

Fresh memory costs as much as the arithmetic of many sparse kernels (page faults on first touch), and NumPy's 16-byte
alignment costs vector code up to 45 % in cache. So results live in 64-byte aligned buffers that go back to the pool
when the last array that looks into them is gone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.runtime.memory import require_memory

ALIGNMENT = 64
# Compiled loops may read a vector past the end of an array (masked tails), so every buffer is a little longer.
_PADDING = 64


class BufferPool:
    """Keeps up to ``limit`` bytes of released buffers, by size class, for reuse."""

    def __init__(self, limit: int = 1 << 30) -> None:
        self._limit = limit
        self._free: dict[int, deque[NDArray[np.uint8]]] = {}
        self._held = 0

    @property
    def held_bytes(self) -> int:
        """Bytes that wait for reuse."""
        return self._held

    def empty(self, count: int, dtype: str) -> NDArray[Any]:
        """``count`` uninitialised elements, aligned to 64 bytes; the memory returns when its last view is released.

        Raises:
            CompileError: ``runtime/too-large`` when the machine cannot hold it.
        """
        data_type = np.dtype(dtype)
        size = _size_class(count * data_type.itemsize + _PADDING)
        free = self._free.get(size)
        try:
            raw = free.pop() if free else None
        except IndexError:  # Another thread took the last one.
            raw = None
        if raw is None:
            require_memory(size, f"{count:,} values of type {dtype}")
            raw = _aligned(size)
        else:
            self._held -= size
        return np.asarray(_Lease(self, raw, count, data_type))

    def take_back(self, raw: NDArray[np.uint8]) -> None:
        """Called when nothing refers to ``raw`` any more; memory over the limit goes back to the system."""
        if self._held + raw.size <= self._limit:
            self._held += raw.size
            self._free.setdefault(raw.size, deque()).append(raw)


class _Lease:
    """The owner that NumPy keeps as the ``base`` of every view; its end is the end of the last view."""

    __slots__ = ("__array_interface__", "_pool", "_raw")

    def __init__(self, pool: BufferPool, raw: NDArray[np.uint8], count: int, dtype: np.dtype[Any]) -> None:
        self._pool, self._raw = pool, raw
        self.__array_interface__ = {
            "shape": (count,),
            "typestr": dtype.str,
            "data": (raw.ctypes.data, False),
            "version": 3,
        }

    def __del__(self) -> None:
        self._pool.take_back(self._raw)


def _size_class(size: int) -> int:
    """Rounds up to one of four steps per power of two: at most 25 % is wasted, and sizes repeat."""
    if size <= 256:
        return 256
    step = 1 << (size.bit_length() - 3)
    return -(-size // step) * step


def _aligned(size: int) -> NDArray[np.uint8]:
    whole = np.empty(size + ALIGNMENT, dtype=np.uint8)
    start = -whole.ctypes.data % ALIGNMENT
    return whole[start : start + size]


_POOL = BufferPool()


def empty(count: int, dtype: str) -> NDArray[Any]:
    """Uninitialised aligned memory from the process's own pool."""
    return _POOL.empty(count, dtype)


def zeros(count: int, dtype: str) -> NDArray[Any]:
    """Aligned memory set to zero."""
    array = _POOL.empty(count, dtype)
    array.fill(0)
    return array


def aligned_copy(array: NDArray[Any]) -> NDArray[Any]:
    """A C-contiguous copy of ``array`` in aligned memory (the array itself when it already is both)."""
    if array.flags.c_contiguous and array.ctypes.data % ALIGNMENT == 0:
        return array
    copy = _POOL.empty(array.size, array.dtype.name).reshape(array.shape)
    copy[...] = array
    return copy


def elements(shape: Sequence[int]) -> int:
    """How many elements an array of ``shape`` has, as an exact integer."""
    return prod(shape)
