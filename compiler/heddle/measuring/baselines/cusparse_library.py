"""SpMV, SpMM, SDDMM and SpGEMM by cuSPARSE, each of its algorithms by name, with operands on the GPU and in row-major
order as ours.

CuPy makes descriptors; the calls but SpGEMM go to the library itself, because CuPy knows neither all algorithms nor
SDDMM nor the analysis that a repeated product may do once (``cusparse…_preprocess``). What comes before the timed calls
(workspace, analysis, the first call) is timed apart.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Operation:
    """``cusparse<name>``: ``arguments`` are an ``e`` for each number of an enumeration and a ``p`` for each pointer or
    handle, as ``cusparse.h`` has them, the workspace last. ``algorithms`` are those for CSR, with their numbers
    there."""

    name: str
    arguments: str
    algorithms: Mapping[str, int]


SPMV = Operation("SpMV", "pepppppeep", {"SPMV_CSR_ALG1": 2, "SPMV_CSR_ALG2": 3})
SPMM = Operation("SpMM", "peepppppeep", {"SPMM_CSR_ALG1": 4, "SPMM_CSR_ALG2": 6, "SPMM_CSR_ALG3": 12})
SDDMM = Operation("SDDMM", "peepppppeep", {"SDDMM_ALG_DEFAULT": 0})
PREPARED = ", analysed"
"""After the name of an algorithm whose analysis was done before."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """``run`` computes on CuPy's current stream, ``result`` gives the values that the last run computed: those of a
    sparse product in order of their coordinates. ``preparation_ms``: what came before, on the host's clock, the first
    call included."""

    algorithm: str
    run: Callable[[], None]
    result: Callable[[], Any]
    preparation_ms: float


@dataclass(frozen=True, slots=True)
class Refused:
    """An algorithm that this cuSPARSE does not have, or not for these operands."""

    algorithm: str
    reason: str


def missing() -> str | None:
    """Why cuSPARSE cannot be called here although CuPy can; None where it can."""
    try:
        _library()
    except ImportError as error:
        return f"cuSPARSE cannot be loaded: {str(error).splitlines()[0]}"
    return None


def spmv(cupy: Any, matrix: Any, x: Any) -> Iterator[Opponent | Refused]:
    """``matrix`` (cupyx CSR) times the vector ``x``. Each algorithm is prepared when it is asked for."""
    from cupyx.cusparse import DnVecDescriptor, SpMatDescriptor

    result = cupy.empty(matrix.shape[0], matrix.dtype)
    operands = (SpMatDescriptor.create(matrix), DnVecDescriptor.create(x), DnVecDescriptor.create(result))
    return _opponents(cupy, SPMV, operands, result, (matrix, x))


def spmm(cupy: Any, matrix: Any, dense: Any) -> Iterator[Opponent | Refused]:
    """``matrix`` (cupyx CSR) times the row-major ``dense`` matrix."""
    from cupyx.cusparse import SpMatDescriptor

    result = cupy.empty((matrix.shape[0], dense.shape[1]), matrix.dtype)
    operands = (SpMatDescriptor.create(matrix), _by_rows(dense), _by_rows(result))
    return _opponents(cupy, SPMM, operands, result, (matrix, dense))


def sddmm(cupy: Any, pattern: Any, left: Any, right: Any) -> Iterator[Opponent | Refused]:
    """The product of the row-major matrices ``left`` and ``right`` where ``pattern`` (cupyx CSR) has entries, into the
    values of ``pattern``, which it does not read."""
    from cupyx.cusparse import SpMatDescriptor

    operands = (_by_rows(left), _by_rows(right), SpMatDescriptor.create(pattern))
    return _opponents(cupy, SDDMM, operands, pattern.data, (pattern, left, right))


def spgemm(cupy: Any, left: Any, right: Any) -> Iterator[Opponent | Refused]:
    """The product of two matrices (cupyx CSR), as ``left @ right`` of cupyx has it: memory for the result and for the
    steps of the algorithm is made in each call."""
    from cupyx.cusparse import spgemm as multiply

    title, products = "SPGEMM_DEFAULT", list[Any]()

    def run() -> None:
        products[:] = [multiply(left, right)]

    def result() -> Any:
        products[0].sort_indices()
        return products[0].data

    try:
        start = perf_counter()
        run()
        cupy.cuda.get_current_stream().synchronize()
        opponent = Opponent(title, run, result, (perf_counter() - start) * 1e3)
    except (_library().CuSparseError, MemoryError, AttributeError) as error:
        yield Refused(title, str(error))
        return
    yield opponent


def _library() -> Any:
    from cupy_backends.cuda.libs import cusparse

    return cusparse


def native() -> Any:
    """The functions of cuSPARSE itself, which CuPy's module is linked to."""
    return ctypes.CDLL(_library().__file__)


def _by_rows(matrix: Any) -> Any:
    from cupyx.cusparse import DnMatDescriptor

    library, (rows, columns) = _library(), matrix.shape
    descriptor = library.createDnMat(
        rows, columns, columns, matrix.data.ptr, _dtype(matrix.dtype), library.CUSPARSE_ORDER_ROW
    )
    return DnMatDescriptor(descriptor, library.dnMatGet, library.destroyDnMat)


def _opponents(
    cupy: Any, operation: Operation, operands: tuple[Any, Any, Any], result: Any, arrays: tuple[Any, ...]
) -> Iterator[Opponent | Refused]:
    for name, number in operation.algorithms.items():
        for analysed in (False, True):
            title = name + PREPARED if analysed else name
            try:
                start = perf_counter()
                run = _prepare(cupy, operation, number, operands, result.dtype, analysed, arrays)
                run()
                cupy.cuda.get_current_stream().synchronize()
                opponent = Opponent(title, run, lambda: result, (perf_counter() - start) * 1e3)
            except (_library().CuSparseError, MemoryError, AttributeError) as error:
                yield Refused(title, str(error))
                continue
            yield opponent


def _prepare(
    cupy: Any,
    operation: Operation,
    algorithm: int,
    operands: tuple[Any, Any, Any],
    dtype: Any,
    analysed: bool,
    arrays: tuple[Any, ...],
) -> Callable[[], None]:
    """Calls with a workspace of their own; ``arrays`` is what ``operands`` point to.

    Raises
    ------
    CuSparseError
        it does not take these operands.
    AttributeError
        this version has no such function.
    """
    library, functions = _library(), native()
    alpha, zero = np.ones(1, dtype), np.zeros(1, dtype)
    as_they_are = [library.CUSPARSE_OPERATION_NON_TRANSPOSE] * (operation.arguments.index("pp") - 1)
    first, second, target = (operand.desc for operand in operands)
    handle = cupy.cuda.device.get_cusparse_handle()
    scalars = alpha.ctypes.data, zero.ctypes.data
    argument_values = (handle, *as_they_are, scalars[0], first, second, scalars[1], target, _dtype(dtype), algorithm)
    buffers = (alpha, zero, operands, arrays)  # the given numbers are addresses inside of these

    def call(function: str, last: Any) -> None:
        assert buffers
        library.setStream(handle, cupy.cuda.get_current_stream().ptr)
        types = [_TYPES[kind] for kind in operation.arguments]
        passed = [kind(value) for kind, value in zip(types, argument_values, strict=False)]
        library.check_status(getattr(functions, f"cusparse{operation.name}{function}")(*passed, last))

    size = ctypes.c_size_t()
    call("_bufferSize", ctypes.byref(size))
    workspace = cupy.empty(max(1, size.value), "int8")
    if analysed:
        call("_preprocess", ctypes.c_void_p(workspace.data.ptr))
    return lambda: call("", ctypes.c_void_p(workspace.data.ptr))


_TYPES: Mapping[str, Any] = {"e": ctypes.c_int, "p": ctypes.c_void_p}


def _dtype(dtype: Any) -> int:
    """CUDA's number of a type."""
    from cupy._core import _dtype

    number: int = _dtype.to_cuda_dtype(dtype)
    return number
