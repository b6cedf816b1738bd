"""Sparse matrices of MKL's inspector-executor routines, as handles."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, byref, c_double, c_float, c_int, c_void_p, cast
from typing import Any

import numpy as np
import scipy.sparse

from heddle.measuring.baselines.mkl_library import NON_TRANSPOSE, MklError

ROW_MAJOR = 101
_GENERAL = 20
_STATUS = {1: "not initialised", 2: "out of memory", 3: "invalid value", 4: "execution failed", 6: "not supported"}


class Description(ctypes.Structure):
    """``struct matrix_descr``: a general matrix."""

    _fields_ = (("type", c_int), ("mode", c_int), ("diag", c_int))


GENERAL = Description(_GENERAL, 0, 0)


class SparseMatrix:
    """A CSR handle on the arrays given, which are kept alive with it. ``precision`` is ``d`` or ``s``."""

    def __init__(self, library: ctypes.CDLL, matrix: Any, precision: str) -> None:
        self._library, self._precision = library, precision
        self._arrays: tuple[Any, ...] | None = (matrix.indptr, matrix.indices, matrix.data)
        self._handle = c_void_p()
        pos = matrix.indptr.ctypes.data
        self._check(
            "create_csr",
            byref(self._handle), c_int(0), c_int(matrix.shape[0]), c_int(matrix.shape[1]),
            c_void_p(pos), c_void_p(pos + matrix.indptr.itemsize),
            c_void_p(matrix.indices.ctypes.data), c_void_p(matrix.data.ctypes.data),
            typed=True,
        )  # fmt: skip

    @classmethod
    def of_result(cls, library: ctypes.CDLL, precision: str, handle: c_void_p) -> SparseMatrix:
        """A matrix that MKL made, with memory of its own."""
        matrix = cls.__new__(cls)
        matrix._library, matrix._precision, matrix._arrays, matrix._handle = library, precision, None, handle
        return matrix

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._library.mkl_sparse_destroy(self._handle)

    def hint_mv(self, operation: int, calls: int) -> None:
        self._check("set_mv_hint", self._handle, c_int(operation), GENERAL, c_int(calls))

    def hint_mm(self, operation: int, columns: int, calls: int) -> None:
        self._check(
            "set_mm_hint", self._handle, c_int(operation), GENERAL, c_int(ROW_MAJOR), c_int(columns), c_int(calls)
        )

    def optimize(self) -> None:
        self._check("optimize", self._handle)

    def mv(self, operation: int, x: Any, y: Any) -> Any:
        """A call that computes ``y = op(A) x``; ``x`` and ``y`` are aligned contiguous vectors."""
        scalar, zero = self._scalar(1), self._scalar(0)
        arguments = (
            c_int(operation),
            scalar,
            self._handle,
            GENERAL,
            c_void_p(x.ctypes.data),
            zero,
            c_void_p(y.ctypes.data),
        )
        return self._repeatable("mv", arguments, x, y)

    def mm(self, operation: int, b: Any, c: Any) -> Any:
        """A call that computes ``C = op(A) B``; both are row-major."""
        scalar, zero, columns = self._scalar(1), self._scalar(0), c_int(b.shape[1])
        arguments = (
            c_int(operation), scalar, self._handle, GENERAL, c_int(ROW_MAJOR), c_void_p(b.ctypes.data), columns,
            columns, zero, c_void_p(c.ctypes.data), columns,
        )  # fmt: skip
        return self._repeatable("mm", arguments, b, c)

    def spmm(self, right: SparseMatrix) -> SparseMatrix:
        """The product with another sparse matrix, as a new one whose rows are not sorted."""
        handle = c_void_p()
        self._check("spmm", c_int(NON_TRANSPOSE), self._handle, right._handle, byref(handle))
        return SparseMatrix.of_result(self._library, self._precision, handle)

    def spmmd(self, right: SparseMatrix, c: Any) -> Any:
        """A call that computes the product with another sparse matrix into the dense, row-major ``c``."""
        columns = c.shape[1] if c.ndim == 2 else 1
        arguments = (
            c_int(NON_TRANSPOSE), self._handle, right._handle, c_int(ROW_MAJOR), c_void_p(c.ctypes.data),
            c_int(columns),
        )  # fmt: skip
        return self._repeatable("spmmd", arguments, right, c)

    def add(self, scale: float, summand: SparseMatrix) -> SparseMatrix:
        """``scale`` times this matrix plus ``summand``, as a new one."""
        handle = c_void_p()
        self._check(
            "add", c_int(NON_TRANSPOSE), self._handle, self._scalar(scale), summand._handle, byref(handle), typed=True
        )
        return SparseMatrix.of_result(self._library, self._precision, handle)

    def order(self) -> None:
        """Sorts the columns of each row."""
        self._check("order", self._handle)

    def export(self) -> Any:
        """A copy in SciPy's CSR."""
        base, rows, columns = c_int(), c_int(), c_int()
        starts, ends, indices, values = (c_void_p() for _ in range(4))
        self._check(
            "export_csr", self._handle, byref(base), byref(rows), byref(columns), byref(starts), byref(ends),
            byref(indices), byref(values), typed=True,
        )  # fmt: skip
        pos = np.empty(rows.value + 1, np.int32)
        pos[:-1], pos[1:] = _array(starts, c_int, rows.value), _array(ends, c_int, rows.value)
        kind = c_double if self._precision == "d" else c_float
        stored = (_array(part, type, int(pos[-1])) for part, type in ((values, kind), (indices, c_int)))
        return scipy.sparse.csr_array((*stored, pos), shape=(rows.value, columns.value))

    def _repeatable(self, name: str, arguments: tuple[Any, ...], *operands: Any) -> Any:
        entry = getattr(self._library, f"mkl_sparse_{self._precision}_{name}")
        alive = (self, *operands)  # the addresses among ``arguments`` lie in these

        def call() -> None:
            assert alive
            status = entry(*arguments)
            if status:
                raise MklError(f"mkl_sparse_{name}: {_STATUS.get(status, status)}")

        return call

    def _check(self, name: str, *arguments: Any, typed: bool = False) -> None:
        entry = getattr(self._library, f"mkl_sparse_{self._precision}_{name}" if typed else f"mkl_sparse_{name}")
        status = entry(*arguments)
        if status:
            raise MklError(f"mkl_sparse_{name}: {_STATUS.get(status, status)}")

    def _scalar(self, value: float) -> c_double | c_float:
        return c_double(value) if self._precision == "d" else c_float(value)


def _array(address: c_void_p, kind: Any, length: int) -> Any:
    """A copy of what lies there."""
    if length == 0:
        return np.empty(0, kind)
    return np.ctypeslib.as_array(cast(address, POINTER(kind)), (length,)).copy()
