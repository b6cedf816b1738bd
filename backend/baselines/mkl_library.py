"""Intel MKL's inspector-executor sparse routines, through ctypes on the ``mkl`` wheel's ``libmkl_rt``."""

from __future__ import annotations

import ctypes
import functools
import sysconfig
from ctypes import byref, c_double, c_float, c_int, c_void_p
from pathlib import Path
from typing import Any

from backend.schema.run import MklFacts
from compiler.runtime.native import toolchain

NON_TRANSPOSE, TRANSPOSE = 10, 11
ROW_MAJOR = 101
_GENERAL = 20
_LAYERS = {toolchain.POOL: (3, "GNU OpenMP"), "libiomp5": (0, "Intel OpenMP"), None: (1, "sequential")}
_STATUS = {1: "not initialised", 2: "out of memory", 3: "invalid value", 4: "execution failed", 6: "not supported"}
_BRANCHES = {
    2: "generic", 3: "compatible", 4: "SSE2", 6: "SSSE3", 7: "SSE4.1", 8: "SSE4.2", 9: "AVX", 10: "AVX2",
    11: "AVX-512 (KNL)", 12: "AVX-512", 13: "AVX-512 E1 (KNL)", 14: "AVX-512 E1", 15: "AVX10",
}  # fmt: skip


class MklError(Exception):
    """MKL is missing, or refused a call."""


class Description(ctypes.Structure):
    """``struct matrix_descr``: a general matrix."""

    _fields_ = (("type", c_int), ("mode", c_int), ("diag", c_int))


GENERAL = Description(_GENERAL, 0, 0)


@functools.cache
def load(openmp: str | None) -> ctypes.CDLL:
    """The library, told before it does anything else which OpenMP to use: that of our kernels, or beside threads of
    our own GNU's, whose threads can be told to sleep soon, so that nobody waits for a core on which they spin.

    Raises:
        MklError: not installed, or not loadable.
    """
    found = sorted(Path(sysconfig.get_path("data"), "lib").glob("libmkl_rt.so*"))
    if not found:
        raise MklError("The Python package mkl is not installed.")
    try:
        library = ctypes.CDLL(str(found[-1]))
    except OSError as error:
        raise MklError(f"MKL cannot be loaded: {error}") from None
    layer, name = _LAYERS.get(openmp, _LAYERS[None])
    if library.MKL_Set_Threading_Layer(c_int(layer)) != layer:
        raise MklError(
            f"MKL did not accept {name}, which suits threads of ours: it keeps what this process asked for first."
        )
    return library


def set_threads(library: ctypes.CDLL, threads: int) -> None:
    library.MKL_Set_Num_Threads(c_int(threads))


def facts(openmp: str | None) -> MklFacts:
    """Version, threading and the instruction set that MKL chose (on processors of others it takes generic paths)."""
    library = load(openmp)
    text = ctypes.create_string_buffer(200)
    library.mkl_get_version_string(text, c_int(200))
    branch = int(library.mkl_cbwr_get_auto_branch())
    return {
        "version": text.value.decode(errors="replace")
        .strip()
        .removesuffix(" for Intel(R) 64 architecture applications"),
        "threading": _LAYERS.get(openmp, _LAYERS[None])[1],
        "dispatch": _BRANCHES.get(branch, f"branch {branch}"),
    }


class SparseMatrix:
    """A CSR handle on the arrays given, which are kept alive with it. ``precision`` is ``d`` or ``s``."""

    def __init__(self, library: ctypes.CDLL, matrix: Any, precision: str) -> None:
        self._library, self._precision = library, precision
        self._arrays = (matrix.indptr, matrix.indices, matrix.data)
        self._handle = c_void_p()
        pos = matrix.indptr.ctypes.data
        self._check(
            "create_csr",
            byref(self._handle), c_int(0), c_int(matrix.shape[0]), c_int(matrix.shape[1]),
            c_void_p(pos), c_void_p(pos + matrix.indptr.itemsize),
            c_void_p(matrix.indices.ctypes.data), c_void_p(matrix.data.ctypes.data),
            typed=True,
        )  # fmt: skip

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
        one, zero = self._scalar(1), self._scalar(0)
        arguments = (
            c_int(operation),
            one,
            self._handle,
            GENERAL,
            c_void_p(x.ctypes.data),
            zero,
            c_void_p(y.ctypes.data),
        )
        return self._repeatable("mv", arguments)

    def mm(self, operation: int, b: Any, c: Any) -> Any:
        """A call that computes ``C = op(A) B``; both are row-major."""
        one, zero, columns = self._scalar(1), self._scalar(0), c_int(b.shape[1])
        arguments = (
            c_int(operation), one, self._handle, GENERAL, c_int(ROW_MAJOR), c_void_p(b.ctypes.data), columns, columns,
            zero, c_void_p(c.ctypes.data), columns,
        )  # fmt: skip
        return self._repeatable("mm", arguments)

    def _repeatable(self, name: str, arguments: tuple[Any, ...]) -> Any:
        entry = getattr(self._library, f"mkl_sparse_{self._precision}_{name}")

        def call() -> None:
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
