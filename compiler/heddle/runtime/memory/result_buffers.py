"""Memory that a kernel obtains for its result while it runs: from the pool, and back to it with the last view."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.runtime.memory.allocation_limit import exceeds_memory
from heddle.runtime.memory.buffers import POOL, Memory
from heddle.runtime.memory.c_types import c_types

_lent: dict[int, Memory] = {}
"""What running kernels hold, by address: C knows nothing else of it."""


def _obtain(size: int) -> int | None:
    if exceeds_memory(size):  # the kernel returns its status for it
        return None
    try:
        memory = POOL.memory(size)
    except MemoryError:
        return None
    _lent[memory.address] = memory
    return memory.address


def _release(address: int | None) -> None:
    if address is not None:
        POOL.take_back(_lent.pop(address))


@cache
def callbacks() -> dict[str, Any]:
    """What kernels call, by the name of their pointer to it."""
    ctypes = c_types()
    return {
        "obtain_memory": ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t)(_obtain),
        "release_memory": ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_release),
    }


def lend_pool(library: Any) -> None:
    """Makes a compiled kernel that allocates results take their memory from the pool. Kernels obtain it on the thread
    that called them."""
    ctypes = c_types()
    for name, function in callbacks().items():
        try:
            pointer = ctypes.c_void_p.in_dll(library, name)
        except ValueError:  # it allocates no result
            return
        pointer.value = ctypes.cast(function, ctypes.c_void_p).value


class ResultCells:
    """Where one call's kernel writes the addresses of the arrays that it obtains, one cell for each of ``slots``."""

    def __init__(self, slots: tuple[tuple[str, int], ...]) -> None:
        self._slots = slots
        self._cells = (c_types().c_void_p * len(slots))()

    def arguments(self) -> list[Any]:
        """The addresses of the cells, as C arguments."""
        ctypes = c_types()
        start, step = ctypes.addressof(self._cells), ctypes.sizeof(ctypes.c_void_p)
        return [ctypes.c_void_p(start + place * step) for place in range(len(self._slots))]

    def take(self) -> dict[tuple[str, int], Memory]:
        """What the kernel obtained, by slot. The cells are empty afterwards."""
        memories = {}
        for place, slot in enumerate(self._slots):
            address = self._cells[place]
            self._cells[place] = None
            if address is not None:
                memories[slot] = _lent.pop(address)
        return memories

    def discard(self) -> None:
        """Gives back what a kernel obtained before it failed."""
        for memory in self.take().values():
            POOL.take_back(memory)


def array(memory: Memory, count: int, dtype: str) -> NDArray[Any]:
    """The first ``count`` elements; they keep the memory."""
    return POOL.view(memory, count, np.dtype(dtype))
