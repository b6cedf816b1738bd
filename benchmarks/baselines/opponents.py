"""What Heddle is timed against, each with its preparation done; one that is not installed says so."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import scipy.sparse

from benchmarks.suite.kernels import BY_NAME, multiplies_vectors
from heddle.measuring.baselines import mkl_library
from heddle.measuring.baselines.mkl_library import NON_TRANSPOSE, MklError
from heddle.measuring.baselines.mkl_matrix import SparseMatrix
from heddle.runtime.memory import buffers


@dataclass(frozen=True, slots=True, eq=False)
class Opponent:
    """``call()`` computes once, ``result()`` is what it computed; ``prepared`` are milliseconds of analysis before."""

    name: str
    call: Callable[[], object]
    result: Callable[[], Any]
    prepared: float = 0.0


Made = list[Opponent | tuple[str, str]]


def opponents(kernel: str, given: Mapping[str, Any], dtype: str, threads: int, openmp: str | None) -> Made:
    """All that know the kernel; ``(name, reason)`` for those that cannot take part."""
    found: Made = []
    for make in (_scipy, _numpy, _mkl, _torch, _pydata, _numba, _genten):
        try:
            found += make(kernel, given, dtype, threads, openmp)
        except (ImportError, MklError, RuntimeError, OSError, ValueError, TypeError) as error:
            found.append((make.__name__.strip("_"), f"{type(error).__name__}: {error}"))
    return found


def _kept(name: str, compute: Callable[[], Any], prepared: float = 0.0) -> Opponent:
    last: list[Any] = [None]

    def call() -> None:
        last[0] = compute()

    return Opponent(name, call, lambda: last[0], prepared)


def _scipy(kernel: str, given: Mapping[str, Any], dtype: str, threads: int, openmp: str | None) -> Made:
    if multiplies_vectors(kernel):
        return [_kept("scipy", lambda: given["A"] @ given["x" if kernel == "spmv" else "B"])]
    match kernel:
        case "spgemm" | "spgemm-unordered":
            return [_kept("scipy", lambda: given["A"] @ given["B"])]
        case "add":
            return [_kept("scipy", lambda: given["A"] + given["B"])]
        case "ttv" | "ttm":
            tensor = given["B"]
            shape = tensor.shape
            rows = tensor.columns[0].astype(np.int64) * shape[1] + tensor.columns[1]
            coo: Any = scipy.sparse.coo_array
            flat = coo((tensor.values, (rows, tensor.columns[2])), shape=(shape[0] * shape[1], shape[2])).tocsr()
            other = given["c"] if kernel == "ttv" else np.ascontiguousarray(given["C"].T)
            return [_kept("scipy", lambda: (flat @ other).reshape(*shape[:2], *other.shape[1:]))]
        case _:
            return []


def _numpy(kernel: str, given: Mapping[str, Any], dtype: str, threads: int, openmp: str | None) -> Made:
    """Gathers and segmented sums, for what SciPy has no operation."""
    if kernel != "sddmm" and not kernel.startswith("mttkrp"):
        return []
    return [_kept("numpy", lambda: BY_NAME[kernel].reference(given))]


def _mkl(kernel: str, given: Mapping[str, Any], dtype: str, threads: int, openmp: str | None) -> Made:
    if not multiplies_vectors(kernel) and kernel not in ("spgemm", "spgemm-unordered", "add"):
        return []
    library, precision = mkl_library.load(openmp), "d" if dtype == "float64" else "s"
    mkl_library.set_threads(library, threads)
    if kernel in ("spgemm", "spgemm-unordered", "add"):
        a, b = (SparseMatrix(library, given[name], precision) for name in "AB")
        return [_sparse_mkl(kernel, a, b)]
    made: Made = []
    dense = buffers.aligned_copy(given["x" if kernel == "spmv" else "B"])
    for name in ("mkl", "mkl-unoptimised"):
        matrix = SparseMatrix(library, given["A"], precision)
        shape = (given["A"].shape[0], *dense.shape[1:])
        result_array = buffers.zeros(buffers.elements(shape), dtype).reshape(shape)
        start = time.perf_counter()
        if name == "mkl":
            if kernel == "spmv":
                matrix.hint_mv(NON_TRANSPOSE, 1000)
            else:
                matrix.hint_mm(NON_TRANSPOSE, dense.shape[1], 1000)
            matrix.optimize()
        prepared = (time.perf_counter() - start) * 1e3
        multiply = matrix.mv if kernel == "spmv" else matrix.mm
        call = multiply(NON_TRANSPOSE, dense, result_array)
        made.append(Opponent(name, call, lambda array=result_array: array, prepared))  # type: ignore[misc]
    return made


def _sparse_mkl(kernel: str, a: SparseMatrix, b: SparseMatrix) -> Opponent:
    """The result is a handle, made by each call and freed by the next one."""
    last: list[SparseMatrix | None] = [None]

    def call() -> None:
        last[0] = None  # gives its memory back first, as the result of the kernel does
        result = a.add(1.0, b) if kernel == "add" else a.spmm(b)
        if kernel != "spgemm-unordered":
            result.order()
        last[0] = result

    def export() -> Any:
        assert last[0] is not None
        return last[0].export()

    return Opponent("mkl", call, export)


def _torch(kernel: str, given: Mapping[str, Any], dtype: str, threads: int, openmp: str | None) -> Made:
    if not multiplies_vectors(kernel):
        return []
    torch: Any = import_module("torch")
    torch.set_num_threads(threads)
    a = given["A"]
    start = time.perf_counter()
    matrix = torch.sparse_csr_tensor(*map(torch.from_numpy, (a.indptr, a.indices, a.data)), size=a.shape)
    prepared = (time.perf_counter() - start) * 1e3
    dense = torch.from_numpy(given["x" if kernel == "spmv" else "B"])
    return [_kept("torch", lambda: matrix @ dense, prepared)]


def _pydata(kernel: str, given: Mapping[str, Any], dtype: str, threads: int, openmp: str | None) -> Made:
    """Numba kernels of pydata/sparse; the first call compiles them, before anything is timed."""
    if not multiplies_vectors(kernel) and kernel not in ("spgemm", "add"):
        return []
    import sparse

    a = sparse.GCXS.from_scipy_sparse(given["A"])
    if kernel == "add":
        b = sparse.GCXS.from_scipy_sparse(given["B"])
        return [_kept("pydata", lambda: (a + b).to_scipy_sparse())]
    if kernel == "spgemm":
        b = sparse.GCXS.from_scipy_sparse(given["B"])
        return [_kept("pydata", lambda: (a @ b).to_scipy_sparse())]
    other = given["x" if kernel == "spmv" else "B"]
    return [_kept("pydata", lambda: a @ other)]


def _numba(kernel: str, given: Mapping[str, Any], dtype: str, threads: int, openmp: str | None) -> Made:
    """Loops of ours, as one writes them with Numba; the first call compiles them, before anything is timed."""
    if kernel != "sddmm" and not kernel.startswith("mttkrp"):
        return []
    from benchmarks.baselines.numba_kernels import mttkrp, mttkrp_csf, sddmm

    if kernel == "sddmm":
        return [Opponent("numba", *sddmm(given))]
    return [Opponent("numba", *mttkrp(given)), Opponent("numba-csf", *mttkrp_csf(given))]


def _genten(kernel: str, given: Mapping[str, Any], dtype: str, threads: int, openmp: str | None) -> Made:
    """GenTen's own C++, out of the wheel of pygenten."""
    if not kernel.startswith("mttkrp"):
        return []
    from benchmarks.baselines.genten import mttkrp

    return [Opponent("genten", *mttkrp(given, threads))]
