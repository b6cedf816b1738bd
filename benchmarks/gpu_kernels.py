"""What ``gpu.py`` measures: matrices of unlike structure, kernels with the schedules that are tried on each, and
cuSPARSE's algorithms where it has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp

import compiler as hd
from backend.baselines import cusparse_library as cusparse
from backend.baselines.cusparse_library import Opponent
from compiler.names import Names
from compiler.schedule import gpu_templates as templates
from compiler.tuning import gpu_schedules as schedules
from compiler.tuning.gpu_mttkrp import Form, Tile, mttkrp, over_columns
from compiler.tuning.gpu_schedules import Commands

SPMV, SPMM = "y(i) = A(i,j) * x(j)", "C(i,k) = A(i,j) * B(j,k)"
SDDMM, MTTKRP = "A(i,k) = B(i,k) * C(i,j) * D(j,k)", "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)"
COLUMNS = (32, 128, 512)
RANK, DEPTH = 32, 64


def matrices(nonzeros: int, seed: int = 0) -> dict[str, sp.csr_array]:
    """Square matrices in CSR, float64, with about ``nonzeros`` entries each."""
    random = np.random.default_rng(seed)
    size = max(64, nonzeros // 16)

    def of(rows: np.ndarray, columns: np.ndarray, shape: int) -> sp.csr_array:
        matrix = sp.coo_array((random.random(rows.size) + 0.5, (rows, columns)), shape=(shape, shape)).tocsr()
        matrix.sum_duplicates()
        return matrix

    rows = np.repeat(np.arange(size), 16)
    band = np.clip(rows + np.tile(np.arange(-8, 8), size), 0, size - 1)
    law = random.zipf(1.6, nonzeros) % size
    long_rows = np.where(random.random(rows.size) < 0.3, random.integers(0, 8, rows.size), rows)
    short, dense = max(1, nonzeros // 3), max(1, nonzeros // 512)
    return {
        "band of 16": of(rows, band, size),
        "16 uniform entries per row": of(rows, random.integers(0, size, rows.size), size),
        "power law": of(law, random.integers(0, size, nonzeros), size),
        "8 long rows": of(long_rows, random.integers(0, size, long_rows.size), size),
        "3 entries per row": of(np.repeat(np.arange(short), 3), random.integers(0, short, 3 * short), short),
        "dense rows of 512": of(np.repeat(np.arange(dense), 512), random.integers(0, dense, dense * 512), dense),
    }


@dataclass(frozen=True)
class Kernel:
    """``opponents(cupy)`` makes cuSPARSE's calls for the same operands; there are none where it has no such kernel."""

    name: str
    expression: str
    formats: Mapping[str, str]
    schedules: Mapping[str, Commands]
    operands: Mapping[str, Any]
    expected: np.ndarray
    opponents: Callable[[Any], list[Opponent]] = field(default=lambda cupy: [])


def spmv(matrix: sp.csr_array) -> Iterator[Kernel]:
    x = np.random.default_rng(1).random(matrix.shape[1])
    operands = {"A": hd.pack(matrix, "csr"), "x": x}

    def opponents(cupy: Any) -> list[Opponent]:
        return cusparse.spmv(cupy, _there(matrix), cupy.asarray(x))

    yield Kernel("SpMV", SPMV, {"A": "csr"}, spmv_schedules(), operands, matrix @ x, opponents)


def spmm(matrix: sp.csr_array) -> Iterator[Kernel]:
    for count in COLUMNS:
        b = np.random.default_rng(1).random((matrix.shape[1], count))
        operands = {"A": hd.pack(matrix, "csr"), "B": b}

        def opponents(cupy: Any, b: np.ndarray = b) -> list[Opponent]:
            return cusparse.spmm(cupy, _there(matrix), cupy.asarray(b))

        found = _of_columns(("reorder(i, j, k)", "fuse(i, j, f)"), "A", "k") | several_columns(count)
        yield Kernel(f"SpMM {count}", SPMM, {"A": "csr"}, found, operands, matrix @ b, opponents)


def sddmm(matrix: sp.csr_array) -> Iterator[Kernel]:
    random = np.random.default_rng(1)
    c, d = random.random((matrix.shape[0], RANK)), random.random((RANK, matrix.shape[1]))
    coo = matrix.tocoo()
    sampled = coo.data * np.einsum("pj,jp->p", c[coo.row], d[:, coo.col])
    operands = {"B": hd.pack(matrix, "csr"), "C": c, "D": d}
    tried = {
        f"{entries} entries per warp, {warps} warps": schedules.sampled(entries, warps)
        for entries in (4, 8, 16)
        for warps in (4, 8)
    }
    yield Kernel(f"SDDMM {RANK}", SDDMM, {"A": "csr", "B": "csr"}, tried, operands, sampled)


def mttkrps(matrix: sp.csr_array) -> Iterator[Kernel]:
    """The matrix with a third coordinate for each entry: in CSF by fibres, in COO by GenTen's forms."""
    random = np.random.default_rng(1)
    coo = matrix.tocoo()
    third = random.integers(0, DEPTH, coo.nnz)
    c, d = random.random((matrix.shape[1], RANK)), random.random((DEPTH, RANK))
    by_row = sp.csr_array((coo.data, (coo.row, np.arange(coo.nnz))), shape=(matrix.shape[0], coo.nnz))
    expected = by_row @ (c[coo.col] * d[third])
    entries = ((coo.row, coo.col, third), coo.data, (*matrix.shape, DEPTH))
    fibres = _of_columns(("reorder(i, k, l, j)", "fuse(k, l, kl)", "fuse(i, kl, f)"), "B", "j")
    genten = {
        f"GenTen {form}, {share} entries per member": mttkrp(3, form, RANK, entries=share).schedule
        for form in Form
        for share in (32, 128)
    }
    for format, tried in (("csf", fibres), ("coo", genten)):
        operands = {"B": hd.pack(entries, format), "C": c, "D": d}
        yield Kernel(f"MTTKRP {RANK} {format.upper()}", MTTKRP, {"B": format}, tried, operands, expected)


KERNELS: Mapping[str, Callable[[sp.csr_array], Iterator[Kernel]]] = {
    "spmv": spmv,
    "spmm": spmm,
    "sddmm": sddmm,
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


def _there(matrix: sp.csr_array) -> Any:
    """The matrix on the GPU."""
    from cupyx.scipy import sparse

    return sparse.csr_matrix(matrix)
