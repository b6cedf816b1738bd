"""Memory that a kernel obtained for its result: freed with the last view of it."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

# The C library that compiled kernels allocate from is the process's own.
_free = ctypes.CDLL(None).free
_free.argtypes = (ctypes.c_void_p,)
_free.restype = None


class Obtained:
    """Owns the memory at ``address``, which the C library allocated."""

    __slots__ = ("__array_interface__", "_address", "_release")

    def __init__(self, address: int) -> None:
        self._address = address
        self._release = _free  # at the end of the process the module's own names may be gone

    def array(self, count: int, dtype: str) -> NDArray[Any]:
        """The first ``count`` elements; the array keeps the memory alive."""
        self.__array_interface__ = {
            "shape": (count,),
            "typestr": np.dtype(dtype).str,
            "data": (self._address, False),
            "version": 3,
        }
        return np.asarray(self)

    def __del__(self) -> None:
        self._release(self._address)


class ResultCells:
    """Where one call's kernel writes the addresses of the arrays that it allocates, one cell for each of ``slots``."""

    def __init__(self, slots: tuple[tuple[str, int], ...]) -> None:
        self._slots = slots
        self._cells = (ctypes.c_void_p * len(slots))()

    def arguments(self) -> list[Any]:
        """The addresses of the cells, as C arguments."""
        start, step = ctypes.addressof(self._cells), ctypes.sizeof(ctypes.c_void_p)
        return [ctypes.c_void_p(start + place * step) for place in range(len(self._slots))]

    def take(self) -> dict[tuple[str, int], Obtained]:
        """What the kernel obtained, by slot. The cells are empty afterwards."""
        taken = {}
        for place, slot in enumerate(self._slots):
            address = self._cells[place]
            self._cells[place] = None
            if address is not None:
                taken[slot] = Obtained(address)
        return taken

    def discard(self) -> None:
        """Frees what a kernel obtained before it failed."""
        self.take()
