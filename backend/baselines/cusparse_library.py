"""SpMV and SpMM by cuSPARSE, each of its algorithms by name, with operands on the GPU and in row-major order as ours.

What comes before the calls (descriptors, workspaces, the first call with its analysis) is timed apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

SPMV_ALGORITHMS = ("CUSPARSE_SPMV_CSR_ALG1", "CUSPARSE_SPMV_CSR_ALG2")
SPMM_ALGORITHMS = ("CUSPARSE_SPMM_CSR_ALG1", "CUSPARSE_SPMM_CSR_ALG2", "CUSPARSE_SPMM_CSR_ALG3")


@dataclass(frozen=True, slots=True)
class Opponent:
    """``run`` computes into ``result``, on CuPy's current stream. ``preparation_ms``: what came before, on the host's
    clock, the first call included."""

    algorithm: str
    run: Callable[[], None]
    result: Any
    preparation_ms: float


def spmv(cupy: Any, matrix: Any, x: Any) -> list[Opponent]:
    """``matrix`` (cupyx CSR) times the vector ``x``, by each algorithm that this cuSPARSE has."""
    return [_spmv(cupy, name, matrix, x) for name in SPMV_ALGORITHMS if hasattr(_library(), name)]


def spmm(cupy: Any, matrix: Any, dense: Any) -> list[Opponent]:
    """``matrix`` (cupyx CSR) times the row-major ``dense`` matrix, by each algorithm that this cuSPARSE has."""
    return [_spmm(cupy, name, matrix, dense) for name in SPMM_ALGORITHMS if hasattr(_library(), name)]


def _library() -> Any:
    from cupy_backends.cuda.libs import cusparse

    return cusparse


def _spmv(cupy: Any, algorithm: str, matrix: Any, x: Any) -> Opponent:
    from cupyx import cusparse as descriptors

    library, start = _library(), perf_counter()
    result = cupy.zeros(matrix.shape[0], matrix.dtype)
    left = descriptors.SpMatDescriptor.create(matrix)
    right, target = descriptors.DnVecDescriptor.create(x), descriptors.DnVecDescriptor.create(result)
    one, zero, code = np.ones(1, matrix.dtype), np.zeros(1, matrix.dtype), getattr(library, algorithm)
    operands = (
        cupy.cuda.device.get_cusparse_handle(),
        library.CUSPARSE_OPERATION_NON_TRANSPOSE,
        one.ctypes.data,
        left.desc,
        right.desc,
        zero.ctypes.data,
        target.desc,
        _dtype(matrix.dtype),
        code,
    )
    workspace = cupy.empty(library.spMV_bufferSize(*operands), "int8")
    kept = (one, zero, left, right, target)  # the descriptors are destroyed with their objects

    def run() -> None:
        assert kept
        library.spMV(*operands, workspace.data.ptr)

    return _opponent(cupy, algorithm, run, result, start)


def _spmm(cupy: Any, algorithm: str, matrix: Any, dense: Any) -> Opponent:
    from cupyx import cusparse as descriptors

    library, start = _library(), perf_counter()
    result = cupy.zeros((matrix.shape[0], dense.shape[1]), matrix.dtype)
    left = descriptors.SpMatDescriptor.create(matrix)
    right, target = (
        library.createDnMat(*one.shape, one.shape[1], one.data.ptr, _dtype(one.dtype), library.CUSPARSE_ORDER_ROW)
        for one in (dense, result)
    )
    one, zero, code = np.ones(1, matrix.dtype), np.zeros(1, matrix.dtype), getattr(library, algorithm)
    operands = (
        cupy.cuda.device.get_cusparse_handle(),
        library.CUSPARSE_OPERATION_NON_TRANSPOSE,
        library.CUSPARSE_OPERATION_NON_TRANSPOSE,
        one.ctypes.data,
        left.desc,
        right,
        zero.ctypes.data,
        target,
        _dtype(matrix.dtype),
        code,
    )
    workspace = cupy.empty(library.spMM_bufferSize(*operands), "int8")
    kept = (one, zero, left, dense)

    def run() -> None:
        assert kept
        library.spMM(*operands, workspace.data.ptr)

    return _opponent(cupy, algorithm, run, result, start)


def _opponent(cupy: Any, algorithm: str, run: Callable[[], None], result: Any, start: float) -> Opponent:
    run()
    cupy.cuda.get_current_stream().synchronize()
    return Opponent(algorithm.removeprefix("CUSPARSE_"), run, result, (perf_counter() - start) * 1e3)


def _dtype(dtype: Any) -> int:
    """CUDA's number of a type."""
    from cupy._core import _dtype

    number: int = _dtype.to_cuda_dtype(dtype)
    return number
