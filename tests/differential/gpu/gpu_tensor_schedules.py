"""GPU schedules of tensor kernels, inner products, sums, and sparse results."""

from __future__ import annotations

from tests.differential.gpu.gpu_schedule_parts import (
    COLUMNS,
    IGNORE,
    MTTKRP,
    MTTKRP4,
    MTTKRP5,
    RUNS,
    TTM,
    TTV,
    Case,
    on,
)

TENSOR_SCHEDULES: dict[str, Case] = {
    "A.6 MTTKRP": (
        MTTKRP,
        {"B": "csf"},
        f"reorder(i, k, l, j); fuse(k, l, kl); fuse(i, kl, f); pos(f, fpos, B); {COLUMNS.format(32, 8, 'j')}; {IGNORE}",
    ),
    "MTTKRP, lanes combine one column after another": (
        MTTKRP,
        {"B": "csf"},
        "reorder(i, k, l, j); fuse(k, l, kl); fuse(i, kl, f); pos(f, fpos, B); split(fpos, block, fpos1, 128); "
        "split(fpos1, warp, fpos2, 64); split(fpos2, thread, nz, 2); reorder(block, warp, j, thread, nz); "
        f"{RUNS}",
    ),
    "TTV": (
        TTV,
        {"B": "csf"},
        "fuse(j, k, jk); fuse(i, jk, f); pos(f, fpos, B); split(fpos, block, fpos1, 64); "
        f"split(fpos1, warp, fpos2, 32); split(fpos2, thread, nz, 1); reorder(block, warp, thread, nz); {IGNORE}",
    ),
    "TTM": (
        TTM,
        {"B": "csf"},
        "reorder(i, j, k, l); fuse(j, k, jk); fuse(i, jk, f); pos(f, fpos, B); split(fpos, block, fpos1, 64); "
        "split(fpos1, warp, nnz, 16); split(l, dense_val, thread, 32); "
        f"reorder(block, warp, nnz, thread, dense_val); {IGNORE}",
    ),
    "TTV with the pattern of B's fibres": (
        TTV,
        {"A": "dcsr", "B": "csf"},
        "fuse(i, j, ij); pos(ij, p, B); split(p, block, thread, 32); parallelize(block, GPUBlock, NoRaces); "
        "parallelize(thread, GPUThread, NoRaces)",
    ),
    "TTV with the pattern of B's fibres, lanes combine": (
        TTV,
        {"A": "dcsr", "B": "csf"},
        "fuse(j, k, jk); fuse(i, jk, f); pos(f, fpos, B); split(fpos, block, fpos1, 64); split(fpos1, warp, fpos2, 64);"
        f" split(fpos2, nz, thread, 32); reorder(block, warp, nz, thread); {RUNS}",
    ),
    "TTM with the pattern of B's fibres": (
        TTM,
        {"A": "compressed, compressed, dense", "B": "csf"},
        "fuse(i, j, ij); pos(ij, p, B); split(p, block, warp, 4); split(l, l0, thread, 32); "
        f"reorder(block, warp, l0, thread, k); {on('NoRaces', 'NoRaces', 'NoRaces')}",
    ),
    "MTTKRP of order 4": (
        MTTKRP4,
        {"B": "csf"},
        "reorder(i, k, l, m, j); fuse(l, m, lm); fuse(k, lm, klm); fuse(i, klm, f); pos(f, fpos, B); "
        f"{COLUMNS.format(32, 8, 'j')}; {IGNORE}",
    ),
    "MTTKRP of order 5": (
        MTTKRP5,
        {"B": "csf"},
        "reorder(i, k, l, m, n, j); fuse(m, n, mn); fuse(l, mn, lmn); fuse(k, lmn, klmn); fuse(i, klmn, f); "
        f"pos(f, fpos, B); {COLUMNS.format(32, 8, 'j')}; {IGNORE}",
    ),
    "inner product by Temporary": (
        "s = b(i) * c(i)",
        {"b": "compressed"},
        "split(i, i0, i1, 2); split(i0, block, thread, 2); parallelize(block, GPUBlock, Temporary); "
        "parallelize(thread, GPUThread, Temporary)",
    ),
    "inner product by warps": (
        "s = b(i) * c(i)",
        {},
        "split(i, block, r, 128); split(r, warp, thread, 32); "
        f"{on('ParallelReduction', 'ParallelReduction', 'ParallelReduction')}",
    ),
    "inner product, an atomic for each warp": (
        "s = b(i) * c(i)",
        {},
        "split(i, block, r, 64); split(r, warp, thread, 32); parallelize(block, GPUBlock, IgnoreRaces); "
        "parallelize(warp, GPUWarp, Atomics); parallelize(thread, GPUThread, ParallelReduction)",
    ),
    "residual": (
        "y(i) = b(i) - A(i,j) * x(j)",
        {"A": "csr"},
        "split(i, block, thread, 32); parallelize(block, GPUBlock, NoRaces); parallelize(thread, GPUThread, NoRaces)",
    ),
    "residual of sparse operands, a block sums each row of a merge": (
        "y(i) = b(i) - A(i,j) * x(j)",
        {"A": "compressed, dense", "b": "compressed", "x": "compressed"},
        "split(i, block, row, 4); parallelize(block, GPUBlock, NoRaces); parallelize(j, GPUThread, IgnoreRaces)",
    ),
    "addition, two operands merged by each thread": (
        "C(i,j) = A(i,j) + B(i,j)",
        {"A": "csr", "B": "csr"},
        "split(i, block, thread, 4); parallelize(block, GPUBlock, NoRaces); parallelize(thread, GPUThread, NoRaces)",
    ),
    "addition into CSR, each thread counts and fills rows": (
        "C(i,j) = A(i,j) + B(i,j)",
        {"A": "csr", "B": "csr", "C": "csr"},
        "split(i, block, thread, 4); parallelize(block, GPUBlock, NoRaces); parallelize(thread, GPUThread, NoRaces)",
    ),
    "product of two patterns into CSR, a row for each warp": (
        "C(i,j) = A(i,j) * B(i,j)",
        {"A": "csr", "B": "csr", "C": "csr"},
        "split(i, block, warp, 4); parallelize(block, GPUBlock, NoRaces); parallelize(warp, GPUWarp, NoRaces)",
    ),
    "addition of tensors, two levels counted": (
        "C(i,j,k) = A(i,j,k) + B(i,j,k)",
        dict.fromkeys("ABC", "dense, compressed, compressed"),
        "split(i, block, thread, 4); parallelize(block, GPUBlock, NoRaces); parallelize(thread, GPUThread, NoRaces)",
    ),
    "minimum of each row": (
        "y(i) = min(j, A(i,j) * x(j))",
        {},
        "parallelize(i, GPUBlock, NoRaces); parallelize(j, GPUThread, ParallelReduction)",
    ),
    "outer product": (
        "C(i,j) = a(i) * b(j)",
        {},
        "fuse(i, j, f); split(f, block, thread, 64); parallelize(block, GPUBlock, NoRaces); "
        "parallelize(thread, GPUThread, NoRaces)",
    ),
    "a merge in tiles": (
        "s = b(i) * c(i)",
        {"b": "compressed", "c": "compressed"},
        "split(i, i0, i1, 2); split(i0, block, thread, 2); parallelize(block, GPUBlock, Atomics); "
        "parallelize(thread, GPUThread, Atomics)",
    ),
}
