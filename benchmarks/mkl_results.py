"""MKL's sparse products and sums: their results are handles, made and freed by each call."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import byref, c_int, c_void_p
from typing import Any

import numpy as np
import scipy.sparse

from backend.baselines import mkl_library
from backend.baselines.mkl_library import NON_TRANSPOSE, MklError
from backend.baselines.mkl_matrix import SparseMatrix


class SparseResult:
    """``call()`` computes, orders each row where that is asked for, and keeps the result until the next call;
    ``matrix()`` copies it."""

    def __init__(
        self, library: ctypes.CDLL, operation: str, a: SparseMatrix, b: SparseMatrix, precision: str, *, ordered: bool
    ) -> None:
        self._library, self._precision = library, precision
        self._operands = (a, b)  # Kept alive with their arrays.
        self._handle, self._ordered = c_void_p(), ordered
        self._compute = self._product(a, b) if operation == "product" else self._sum(a, b)

    def _product(self, a: SparseMatrix, b: SparseMatrix) -> Callable[[], int]:
        entry = self._library.mkl_sparse_spmm
        return lambda: int(entry(c_int(NON_TRANSPOSE), a._handle, b._handle, byref(self._handle)))

    def _sum(self, a: SparseMatrix, b: SparseMatrix) -> Callable[[], int]:
        entry, one = getattr(self._library, f"mkl_sparse_{self._precision}_add"), a._scalar(1)
        return lambda: int(entry(c_int(NON_TRANSPOSE), a._handle, one, b._handle, byref(self._handle)))

    def call(self) -> None:
        if self._handle:
            self._library.mkl_sparse_destroy(self._handle)
            self._handle = c_void_p()
        status = self._compute()
        if not status and self._ordered:
            status = int(self._library.mkl_sparse_order(self._handle))
        if status:
            raise MklError(f"MKL answered with status {status}")

    def matrix(self) -> Any:
        base, rows, columns = c_int(), c_int(), c_int()
        start, end, crd, values = c_void_p(), c_void_p(), c_void_p(), c_void_p()
        export = getattr(self._library, f"mkl_sparse_{self._precision}_export_csr")
        status = export(
            self._handle, byref(base), byref(rows), byref(columns), byref(start), byref(end), byref(crd), byref(values)
        )
        if status:
            raise MklError(f"MKL answered with status {status}")
        pos = _copied(start, rows.value, np.int32)
        ends = _copied(end, rows.value, np.int32)
        pointers = np.append(pos, ends[-1:] if rows.value else [0])
        dtype = np.float64 if self._precision == "d" else np.float32
        count = int(pointers[-1])
        arrays = (_copied(values, count, dtype), _copied(crd, count, np.int32), pointers)
        return scipy.sparse.csr_array(arrays, shape=(rows.value, columns.value))


def _copied(pointer: c_void_p, count: int, dtype: Any) -> Any:
    if not count or not pointer.value:
        return np.zeros(0, dtype=dtype)
    size = count * np.dtype(dtype).itemsize
    return np.frombuffer((ctypes.c_char * size).from_address(pointer.value), dtype=dtype).copy()


def load(openmp: str | None, threads: int) -> ctypes.CDLL:
    """MKL on the OpenMP runtime of our kernels, with so many threads."""
    library = mkl_library.load(openmp)
    mkl_library.set_threads(library, threads)
    return library
