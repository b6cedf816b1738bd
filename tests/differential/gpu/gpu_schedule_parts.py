"""Programs and pieces of schedules that the tables of GPU schedules are made of."""

from __future__ import annotations

SPMV, SPMM = "y(i) = A(i,j) * x(j)", "C(i,k) = A(i,j) * B(j,k)"
SDDMM = "A(i,k) = B(i,k) * C(i,j) * D(j,k)"
SPGEMM = "C(i,j) = A(i,k) * B(k,j)"
TTV, TTM = "A(i,j) = B(i,j,k) * c(k)", "A(i,j,l) = B(i,j,k) * C(k,l)"
MTTKRP = "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)"
MTTKRP4 = "A(i,j) = B(i,k,l,m) * C(k,j) * D(l,j) * E(m,j)"
MTTKRP5 = "A(i,j) = B(i,k,l,m,n) * C(k,j) * D(l,j) * E(m,j) * F(n,j)"

_BLOCKS = "parallelize(block, GPUBlock, {0}); parallelize(warp, GPUWarp, {1}); parallelize(thread, GPUThread, {2})"


def on(block: str, warp: str, thread: str) -> str:
    return _BLOCKS.format(block, warp, thread)


IGNORE = on("IgnoreRaces", "IgnoreRaces", "Atomics")
BY_POSITION = (
    "fuse(i, j, f); pos(f, fpos, A); split(fpos, block, fpos1, {0}); split(fpos1, warp, fpos2, {1}); "
    "split(fpos2, thread, thread_nz, {2}); reorder(block, warp, thread, thread_nz)"
)
ON_LANES = (
    "fuse(i, j, f); pos(f, fpos, A); split(fpos, block, fpos1, {0}); split(fpos1, warp, fpos2, {1}); "
    "split(fpos2, nz, thread, 32)"
)
RUNS = on("IgnoreRaces", "Atomics", "ParallelReduction")
GATHERED = "precompute(A(i,k) * B(k,j), j, jw, w)"
COLUMNS = (
    "split(fpos, block, fpos1, {0}); split(fpos1, warp, nnz, {1}); split({2}, dense_val, thread, 32); "
    "reorder(block, warp, dense_val, thread, nnz)"
)
WARP_ROWS = (
    "split(i, block, block_row, 16); split(block_row, warp_row, warp, 4); pos(j, jpos, A); "
    "split(jpos, thread_nz, thread, 32); reorder(block, warp, warp_row, thread, thread_nz)"
)

Case = tuple[str, dict[str, str], str]
