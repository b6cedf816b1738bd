"""What ``gpu.py`` measures: kernels with the schedules that are tried on each matrix, and cuSPARSE's algorithms where
it has them. Nothing large is made before it is known to fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse import _sparsetools

import heddle as hd
from heddle.measuring.baselines import cusparse_library as cusparse
from heddle.measuring.baselines.cusparse_library import Opponent, Refused
from heddle.names import Names
from heddle.runtime.tensors.tensor import Tensor
from heddle.schedule import gpu_templates as templates
from heddle.tuning.rules.gpu.mttkrp import Form, Tile, mttkrp, over_columns
from heddle.tuning.search import gpu_schedules as schedules
from heddle.tuning.search.gpu_schedules import Commands

SPMV, SPMM = "y(i) = A(i,j) * x(j)", "C(i,k) = A(i,j) * B(j,k)"
SDDMM, MTTKRP = "A(i,k) = B(i,k) * C(i,j) * D(j,k)", "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)"
SPGEMM = "C(i,j) = A(i,k) * B(k,j)"
COLUMNS = (32, 128, 512)
RANK, DEPTH = 32, 64
PRODUCTS = 1 << 25
"""Of a sparse product at most."""
PART = 1 << 20
"""Entries whose products are in memory at once where results are computed for comparison."""

Opponents = Callable[[Any, Mapping[str, Tensor]], Iterable[Opponent | Refused]]


@dataclass(frozen=True)
class Kernel:
    """One kernel for one matrix. ``nbytes`` are those of its operands and of two results, on the host as on the GPU;
    ``operands`` and ``expected`` make them (the values of a result in its order). ``opponents(cupy, operands)`` makes
    cuSPARSE's calls for the operands on the GPU; None where it has no such kernel."""

    name: str
    expression: str
    formats: Mapping[str, str]
    schedules: Mapping[str, Commands]
    nbytes: int
    operands: Callable[[], dict[str, Tensor]]
    expected: Callable[[dict[str, Tensor]], np.ndarray]
    opponents: Opponents | None = None


def spmv(matrix: sp.csr_array) -> Iterator[Kernel]:
    rows, columns = matrix.shape

    def operands() -> dict[str, Tensor]:
        return {"A": hd.pack(matrix, "csr"), "x": _dense(columns)}

    def expected(given: dict[str, Tensor]) -> np.ndarray:
        return matrix @ given["x"].vals

    def opponents(cupy: Any, there: Mapping[str, Tensor]) -> Iterable[Opponent | Refused]:
        return cusparse.spmv(cupy, there["A"].to_cupy(), there["x"].to_cupy())

    nbytes = _nbytes(matrix) + 8 * (columns + 2 * rows)
    yield Kernel("SpMV", SPMV, {"A": "csr"}, spmv_schedules(), nbytes, operands, expected, opponents)


def spmm(matrix: sp.csr_array) -> Iterator[Kernel]:
    for count in COLUMNS:
        yield _spmm(matrix, count)


def _spmm(matrix: sp.csr_array, count: int) -> Kernel:
    rows, columns = matrix.shape

    def operands() -> dict[str, Tensor]:
        return {"A": hd.pack(matrix, "csr"), "B": _dense(columns, count)}

    def expected(given: dict[str, Tensor]) -> np.ndarray:
        return (matrix @ given["B"].to_numpy()).reshape(-1)

    def opponents(cupy: Any, there: Mapping[str, Tensor]) -> Iterable[Opponent | Refused]:
        return cusparse.spmm(cupy, there["A"].to_cupy(), there["B"].to_cupy())

    tried = _of_columns(("reorder(i, j, k)", "fuse(i, j, f)"), "A", "k") | several_columns(count)
    nbytes = _nbytes(matrix) + 8 * count * (columns + 2 * rows)
    return Kernel(f"SpMM {count}", SPMM, {"A": "csr"}, tried, nbytes, operands, expected, opponents)


def sddmm(matrix: sp.csr_array) -> Iterator[Kernel]:
    """The values of the sampling matrix are ones: cuSPARSE takes only its pattern."""
    rows, columns = matrix.shape

    def operands() -> dict[str, Tensor]:
        pattern = sp.csr_array((np.ones(matrix.nnz), matrix.indices, matrix.indptr), shape=matrix.shape)
        return {"B": hd.pack(pattern, "csr"), "C": _dense(rows, RANK), "D": _dense(RANK, columns)}

    def expected(given: dict[str, Tensor]) -> np.ndarray:
        c, d = given["C"].to_numpy(), np.ascontiguousarray(given["D"].to_numpy().T)
        row = _rows(matrix)
        products = [np.einsum("pj,pj->p", c[row[part]], d[matrix.indices[part]]) for part in _parts(matrix.nnz)]
        return np.concatenate(products)

    def opponents(cupy: Any, there: Mapping[str, Tensor]) -> Iterable[Opponent | Refused]:
        pattern, c, d = (there[name].to_cupy() for name in "BCD")
        pattern.data = cupy.empty_like(pattern.data)  # cuSPARSE writes where ours reads
        return cusparse.sddmm(cupy, pattern, c, d)

    tried = {
        f"{entries} entries per warp, {warps} warps": schedules.schedule_sampled(entries, warps)
        for entries in (4, 8, 16)
        for warps in (4, 8)
    }
    nbytes = _nbytes(matrix) + 8 * (RANK * (rows + columns) + 2 * matrix.nnz)
    formats = {"A": "csr", "B": "csr"}
    yield Kernel(f"SDDMM {RANK}", SDDMM, formats, tried, nbytes, operands, expected, opponents)


def spgemm(matrix: sp.csr_array) -> Iterator[Kernel]:
    """Some rows of the matrix, as many as have ``PRODUCTS``, times the whole of it, or its transpose where it is not
    square."""
    right = matrix if matrix.shape[0] == matrix.shape[1] else sp.csr_array(matrix.T)
    lengths = np.diff(right.indptr)
    step = max(1, -(-int(lengths[matrix.indices].sum()) // PRODUCTS))
    left = sp.csr_array(matrix[::step])
    arrays = (left.indptr, left.indices, right.indptr, right.indices)
    entries = int(_sparsetools.csr_matmat_maxnnz(left.shape[0], right.shape[1], *arrays))

    def operands() -> dict[str, Tensor]:
        return {"A": hd.pack(left, "csr"), "B": hd.pack(right, "csr")}

    def expected(given: dict[str, Tensor]) -> np.ndarray:
        product = sp.csr_array(left @ right)
        product.sort_indices()
        return product.data

    def opponents(cupy: Any, there: Mapping[str, Tensor]) -> Iterable[Opponent | Refused]:
        return cusparse.spgemm(cupy, there["A"].to_cupy(), there["B"].to_cupy())

    nbytes = _nbytes(left) + _nbytes(right) + 2 * (12 * entries + 4 * left.shape[0])
    yield Kernel(
        "SpGEMM", SPGEMM, dict.fromkeys("ABC", "csr"), {"hash tables": ()}, nbytes, operands, expected, opponents
    )


def mttkrps(matrix: sp.csr_array) -> Iterator[Kernel]:
    """The matrix with a third coordinate for each entry: in CSF by fibres, in COO by GenTen's forms."""
    fibres = _of_columns(("reorder(i, k, l, j)", "fuse(k, l, kl)", "fuse(i, kl, f)"), "B", "j")
    genten = {
        f"GenTen {form}, {share} entries per member": mttkrp(3, form, RANK, entries=share).schedule
        for form in Form
        for share in (32, 128)
    }
    for format, tried in (("csf", fibres), ("coo", genten)):
        yield _mttkrp(matrix, format, tried)


def _mttkrp(matrix: sp.csr_array, format: str, tried: Mapping[str, Commands]) -> Kernel:
    rows, columns = matrix.shape

    def third() -> np.ndarray:
        return np.random.default_rng(2).integers(0, DEPTH, matrix.nnz, dtype=np.int32)

    def operands() -> dict[str, Tensor]:
        entries = ((_rows(matrix), matrix.indices, third()), matrix.data, (rows, columns, DEPTH))
        return {"B": hd.pack(entries, format), "C": _dense(columns, RANK), "D": _dense(DEPTH, RANK)}

    def expected(given: dict[str, Tensor]) -> np.ndarray:
        c, d, row, depth = given["C"].to_numpy(), given["D"].to_numpy(), _rows(matrix), third()
        found = np.zeros((rows, RANK))
        for part in _parts(matrix.nnz):
            products = c[matrix.indices[part]] * d[depth[part]]
            first, last = row[part][[0, -1]]
            sums = sp.csr_array(
                (matrix.data[part], (row[part] - first, np.arange(len(products)))),
                shape=(last - first + 1, len(products)),
            )
            found[first : last + 1] += sums @ products
        return found.reshape(-1)

    nbytes = 2 * _nbytes(matrix) + 8 * RANK * (columns + DEPTH + 2 * rows)
    return Kernel(f"MTTKRP {RANK} {format.upper()}", MTTKRP, {"B": format}, tried, nbytes, operands, expected)


KERNELS: Mapping[str, Callable[[sp.csr_array], Iterator[Kernel]]] = {
    "spmv": spmv,
    "spmm": spmm,
    "sddmm": sddmm,
    "spgemm": spgemm,
    "mttkrp": mttkrps,
}


def spmv_schedules() -> dict[str, Commands]:
    found = {f"thread per row, {threads} threads": schedules.thread_per_row(threads) for threads in (64, 128, 256)}
    found |= {f"warp per row, {warps} warps": schedules.warp_per_row(warps, warps) for warps in (4, 8, 16)}
    for warps in (4, 8):
        for entries in (2, 4, 8, 16):
            with_warps = f"{warps} warps"
            found[f"{entries} entries per thread, {with_warps}"] = schedules.by_entries(entries, warps)
            combined = schedules.by_entries(entries, warps, combine=True)
            found[f"{entries} entries per thread, combined, {with_warps}"] = combined
            found[f"{entries} turns, combined, {with_warps}"] = schedules.neighbouring_entries(entries, warps)
    return found


def several_columns(count: int) -> dict[str, Commands]:
    """SpMM with ``count`` columns of which a lane takes one or more: by rows, and by nonzeros in equal parts."""
    found: dict[str, Commands] = {}
    for lanes, each in ((8, 4), (16, 4), (32, 1), (32, 2), (32, 4)):
        if lanes * each > count:
            continue
        share = f"{lanes} lanes of {each} columns"
        found[f"row per {share}"] = by_rows(lanes, each)
        for entries in (16, 64):
            found[f"{entries} entries per {share}"] = over_columns(
                "A", ("i", "j"), "k", Form.C, Tile(lanes, lanes * each), _names(), entries
            )
    return found


def by_rows(lanes: int, each: int) -> Commands:
    if each == 1:
        return templates.rows_and_columns("i", ["j"], "k", lanes, _names())
    return templates.rows_and_several_columns("i", ["j"], "k", lanes, each, "A(i,j) * B(j,k)", _names())


def _names() -> Names:
    return Names({"A", "B", "C", "i", "j", "k"})


def _of_columns(fused: Commands, tensor: str, column: str) -> dict[str, Commands]:
    return {
        f"{entries} entries per warp, {warps} warps": schedules.columns(fused, tensor, column, entries, warps)
        for entries in (8, 16, 32, 64)
        for warps in (4, 8, 16)
    }


def _dense(*shape: int) -> Tensor:
    return hd.pack(np.random.default_rng(1).random(shape), ", ".join(["dense"] * len(shape)))


def _nbytes(matrix: sp.csr_array) -> int:
    return int(matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes)


def _rows(matrix: sp.csr_array) -> np.ndarray:
    """The row of each entry."""
    return np.repeat(np.arange(matrix.shape[0], dtype=np.int32), np.diff(matrix.indptr))


def _parts(entries: int) -> list[slice]:
    return [slice(first, min(entries, first + PART)) for first in range(0, entries, PART)]
