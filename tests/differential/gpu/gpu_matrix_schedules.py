"""GPU schedules of SpMV, SpMM and SDDMM."""

from __future__ import annotations

from tests.differential.gpu.gpu_schedule_parts import (
    BY_POSITION,
    COLUMNS,
    GATHERED,
    IGNORE,
    ON_LANES,
    RUNS,
    SDDMM,
    SPGEMM,
    SPMM,
    SPMV,
    WARP_ROWS,
    Case,
    on,
)

MATRIX_SCHEDULES: dict[str, Case] = {
    "A.2 SpMV": (
        SPMV,
        {"A": "csr"},
        f"{BY_POSITION.format(256, 64, 2)}; precompute(A(i,j) * x(j), thread_nz, thread_nz_pre, w); "
        f"unroll(thread_nz_pre, 2); {IGNORE}",
    ),
    "A.4 SpMM": (
        SPMM,
        {"A": "csr"},
        f"reorder(i, j, k); fuse(i, j, f); pos(f, fpos, A); split(fpos, block, fpos1, 64); "
        f"split(fpos1, warp, nnz, 8); split(k, dense_val_unbounded, thread, 32); "
        f"bound(dense_val_unbounded, dense_val, 1, MaxConstraint); "
        f"reorder(block, warp, dense_val, thread, nnz); {IGNORE}",
    ),
    "A.4 SpMM, any columns": (
        SPMM,
        {"A": "csr"},
        f"reorder(i, j, k); fuse(i, j, f); pos(f, fpos, A); {COLUMNS.format(16, 4, 'k')}; {IGNORE}",
    ),
    "A.7 SpMV, thread per row": (
        SPMV,
        {"A": "csr"},
        "split(i, block, thread, 256); parallelize(block, GPUBlock, NoRaces); parallelize(thread, GPUThread, NoRaces)",
    ),
    "A.8 SpMV, warp per row": (SPMV, {"A": "csr"}, f"{WARP_ROWS}; {on('IgnoreRaces', 'IgnoreRaces', 'Temporary')}"),
    "A.9 SpMV": (SPMV, {"A": "csr"}, f"{BY_POSITION.format(64, 32, 1)}; {IGNORE}"),
    "SpMV, atomics of warps": (
        SPMV,
        {"A": "csr"},
        f"{BY_POSITION.format(64, 16, 4)}; {on('IgnoreRaces', 'Atomics', 'Atomics')}",
    ),
    "SpMV, lanes with pieces of one row combine": (SPMV, {"A": "csr"}, f"{BY_POSITION.format(256, 64, 2)}; {RUNS}"),
    "SpMV, lanes combine, with precompute": (
        SPMV,
        {"A": "csr"},
        f"{BY_POSITION.format(128, 64, 2)}; precompute(A(i,j) * x(j), thread_nz, thread_nz_pre, w); {RUNS}",
    ),
    "SpMV, fewer lanes than a warp has combine": (SPMV, {"A": "csr"}, f"{BY_POSITION.format(30, 10, 2)}; {RUNS}"),
    "SpMV, neighbouring lanes take neighbouring entries and combine": (
        SPMV,
        {"A": "csr"},
        f"{ON_LANES.format(256, 64)}; reorder(block, warp, nz, thread); {RUNS}",
    ),
    "SpMV, the threads of a block cut into warps that combine": (
        SPMV,
        {"A": "csr"},
        "fuse(i, j, f); pos(f, fpos, A); split(fpos, block, t, 96); parallelize(block, GPUBlock, IgnoreRaces); "
        "split(t, warp, thread, 32); parallelize(warp, GPUWarp, Atomics); "
        "parallelize(thread, GPUThread, ParallelReduction)",
    ),
    "SpMV of COO, neighbouring lanes combine": (
        SPMV,
        {"A": "coo"},
        f"{ON_LANES.format(256, 64)}; reorder(block, warp, nz, thread); {RUNS}",
    ),
    "SpMM, lanes combine one column after another": (
        SPMM,
        {"A": "csr"},
        f"reorder(i, j, k); {BY_POSITION.format(128, 64, 2)}; reorder(block, warp, k, thread, thread_nz); {RUNS}",
    ),
    "SpMV, a row's warp by ParallelReduction": (
        SPMV,
        {"A": "csr"},
        f"{WARP_ROWS}; {on('NoRaces', 'NoRaces', 'ParallelReduction')}",
    ),
    "SpMV, a row's entries on the lanes": (
        SPMV,
        {"A": "csr"},
        "split(i, block, warp, 4); parallelize(block, GPUBlock, NoRaces); parallelize(warp, GPUWarp, NoRaces); "
        "parallelize(j, GPUThread, ParallelReduction)",
    ),
    "SpMV, a row's entries on the threads of a block": (
        SPMV,
        {"A": "csr"},
        "parallelize(i, GPUBlock, NoRaces); parallelize(j, GPUThread, ParallelReduction)",
    ),
    "SpMV, a block per row": (
        SPMV,
        {"A": "csr"},
        "pos(j, jpos, A); split(jpos, jpos0, thread, 32); split(jpos0, turn, warp, 4); reorder(i, warp, turn, thread); "
        "parallelize(i, GPUBlock, NoRaces); parallelize(warp, GPUWarp, Temporary); "
        "parallelize(thread, GPUThread, Temporary)",
    ),
    "SpMV of a transposed matrix": (
        "y(i) = A(j,i) * x(j)",
        {"A": "csr"},
        "reorder(j, i); split(j, block, thread, 64); parallelize(block, GPUBlock, IgnoreRaces); "
        "parallelize(thread, GPUThread, Atomics)",
    ),
    "SpMV, as many blocks as there are multiprocessors": (
        SPMV,
        {"A": "csr"},
        "fuse(i, j, f); pos(f, fpos, A); divide(fpos, block, fpos1, 3); split(fpos1, thread_nz, thread, 32); "
        "reorder(block, thread, thread_nz); parallelize(block, GPUBlock, IgnoreRaces); "
        "parallelize(thread, GPUThread, Atomics)",
    ),
    "SpMV of COO": (SPMV, {"A": "coo"}, f"{BY_POSITION.format(64, 32, 1)}; {IGNORE}"),
    "SpMV of DCSR": (SPMV, {"A": "dcsr"}, f"{BY_POSITION.format(64, 16, 2)}; {IGNORE}"),
    "SpMV of ELL": (
        SPMV,
        {"A": "ell"},
        "split(i, block, thread, 32); parallelize(block, GPUBlock, NoRaces); parallelize(thread, GPUThread, NoRaces)",
    ),
    "SpMM of COO": (
        SPMM,
        {"A": "coo"},
        f"reorder(i, j, k); fuse(i, j, f); pos(f, fpos, A); {COLUMNS.format(16, 4, 'k')}; {IGNORE}",
    ),
    "SpMM of BCSR, a warp for each row of a block": (
        SPMM,
        {"A": "bcsr(2,3)"},
        "split(k, k0, thread, 32); reorder(i_block, i_inner, k0, thread, j_block, j_inner); "
        "parallelize(i_block, GPUBlock, NoRaces); parallelize(i_inner, GPUWarp, NoRaces); "
        "parallelize(thread, GPUThread, NoRaces)",
    ),
    "SpMM, a warp's rows": (
        SPMM,
        {"A": "csr"},
        "split(i, block, i1, 32); split(i1, warp, warp_row, 4); split(k, thread, thread_col, 32); "
        f"reorder(block, warp, warp_row, thread, thread_col, j); {IGNORE}",
    ),
    "SpMM, a row of B in shared memory": (
        SPMM,
        {"A": "csr"},
        "split(k, k0, k1, 32); reorder(i, k0, j, k1); precompute(B(j,k), k1, k1w, w); "
        "parallelize(i, GPUBlock, NoRaces); parallelize(k1, GPUThread, NoRaces); parallelize(k1w, GPUThread, NoRaces)",
    ),
    "SpMM, a row of B in each warp's shared memory": (
        SPMM,
        {"A": "csr"},
        "split(i, block, warp, 4); split(k, k0, k1, 32); reorder(block, warp, k0, j, k1); "
        "precompute(B(j,k), k1, k1w, w); parallelize(block, GPUBlock, NoRaces); parallelize(warp, GPUWarp, NoRaces); "
        "parallelize(k1, GPUThread, NoRaces); parallelize(k1w, GPUThread, NoRaces)",
    ),
    "SpMM, sums in registers": (
        SPMM,
        {"A": "csr"},
        "split(i, block, thread, 32); split(k, k0, k1, 4); reorder(block, thread, k0, j, k1); "
        "precompute(A(i,j) * B(j,k), k1, k1w, w); parallelize(block, GPUBlock, NoRaces); "
        "parallelize(thread, GPUThread, NoRaces)",
    ),
    "SpGEMM into CSR, a workspace for each thread": (
        SPGEMM,
        {"A": "csr", "B": "csr", "C": "csr"},
        f"{GATHERED}; split(i, block, thread, 4); parallelize(block, GPUBlock, NoRaces); "
        "parallelize(thread, GPUThread, NoRaces)",
    ),
    "SpGEMM into CSR, several rows for each thread": (
        SPGEMM,
        {"A": "csr", "B": "csr", "C": "csr"},
        f"{GATHERED}; divide(i, block, rest, 3); divide(rest, thread, row, 2); "
        "parallelize(block, GPUBlock, NoRaces); parallelize(thread, GPUThread, NoRaces)",
    ),
    "SpGEMM into CSR, a hash table for each row": (
        SPGEMM,
        {"A": "csr", "B": "csr", "C": "csr"},
        f"{GATHERED}; parallelize(i, GPUBlock, NoRaces); parallelize(k, GPUWarp, Atomics); "
        "parallelize(jw, GPUThread, Atomics)",
    ),
    "SpGEMM into CSR, lists in registers": (
        SPGEMM,
        {"A": "csr", "B": "csr", "C": "csr"},
        f"bound(j, jb, 128, MaxConstraint); {GATHERED.replace(', j, ', ', jb, ')}; split(i, block, thread, 4); "
        "parallelize(block, GPUBlock, NoRaces); parallelize(thread, GPUThread, NoRaces)",
    ),
    "SpGEMM into a dense matrix": (
        SPGEMM,
        {"A": "csr", "B": "csr"},
        "split(i, block, thread, 4); parallelize(block, GPUBlock, NoRaces); parallelize(thread, GPUThread, NoRaces)",
    ),
    "SDDMM": (
        SDDMM,
        {"B": "csr"},
        "reorder(i, k, j); fuse(i, k, f); pos(f, fpos, B); split(fpos, block, fpos1, 32); split(fpos1, warp, nnz, 8); "
        "split(j, dense_val, thread, 32); reorder(block, warp, nnz, thread, dense_val); "
        f"{on('IgnoreRaces', 'Atomics', 'ParallelReduction')}",
    ),
    "SDDMM with the pattern of B": (
        SDDMM,
        {"A": "csr", "B": "csr"},
        "reorder(i, k, j); fuse(i, k, f); pos(f, fpos, B); split(fpos, block, fpos1, 32); split(fpos1, warp, nnz, 8); "
        "split(j, dense_val, thread, 32); reorder(block, warp, nnz, thread, dense_val); "
        f"{on('IgnoreRaces', 'IgnoreRaces', 'ParallelReduction')}",
    ),
}
