"""The programs whose generated C is kept: the CPU schedules of Senanayake et al. 2020, and the usual variants of small
kernels."""

from __future__ import annotations

from dataclasses import dataclass, field

SPMV = "y(i) = A(i,j) * x(j)"
SPMM = "C(i,k) = A(i,j) * B(j,k)"
MTTKRP = "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)"
CSR = {"A": "csr"}


@dataclass(frozen=True)
class Case:
    """``name`` is the file's: ``<name>.c``."""

    name: str
    expression: str
    formats: dict[str, str] = field(default_factory=lambda: dict(CSR))
    schedule: tuple[str, ...] = ()


CASES = (
    Case("a1-spmv", SPMV, schedule=("split(i, i0, i1, 16)", "parallelize(i0, CPUThread, NoRaces)")),
    Case(
        "a3-spmm",
        SPMM,
        schedule=(
            "split(i, i0, i1, 16)",
            "pos(j, jpos, A)",
            "split(jpos, jpos0, jpos1, 8)",
            "reorder(i0, i1, jpos0, k, jpos1)",
            "parallelize(i0, CPUThread, NoRaces)",
            "parallelize(k, CPUVector, NoRaces)",
        ),
    ),
    Case(
        "a5-mttkrp",
        MTTKRP,
        {"B": "csf"},
        (
            "reorder(i, k, l, j)",
            "pos(i, ipos, B)",
            "split(ipos, ipos0, ipos1, 4)",
            "parallelize(ipos0, CPUThread, NoRaces)",
        ),
    ),
    Case(
        "a10-spmm-tiled",
        SPMM,
        schedule=(
            "split(i, i0, i1, 16)",
            "split(j, j0, j1, 4)",
            "reorder(i0, j0, i1, j1, k)",
            "parallelize(i0, CPUThread, NoRaces)",
        ),
    ),
    Case(
        "a11-spmm-untiled",
        SPMM,
        schedule=("reorder(i, j, k)", "split(i, i0, i1, 16)", "parallelize(i0, CPUThread, NoRaces)"),
    ),
    Case("spmv", SPMV),
    Case("spmv-split-rows", SPMV, schedule=("split(i, i0, i1, 32)",)),
    Case("spmv-split-columns", SPMV, schedule=("split(j, j0, j1, 4)",)),
    Case("spmv-tiled", SPMV, schedule=("split(i, i0, i1, 4)", "split(j, j0, j1, 4)", "reorder(i0, j0, i1, j1)")),
    Case(
        "spmv-positions-atomics",
        SPMV,
        schedule=(
            "fuse(i, j, f)",
            "pos(f, fpos, A)",
            "split(fpos, p0, p1, 8)",
            "parallelize(p0, CPUThread, Atomics)",
        ),
    ),
    Case(
        "spmm-positions-columns",
        SPMM,
        schedule=(
            "reorder(i, j, k)",
            "fuse(i, j, f)",
            "pos(f, fpos, A)",
            "split(fpos, p0, p1, 8)",
            "split(k, k0, k1, 4)",
            "reorder(p0, k0, p1, k1)",
            "parallelize(p0, CPUThread, Atomics)",
        ),
    ),
    Case(
        "spmv-coordinates-of-tiles",
        SPMV,
        schedule=("pos(j, p, A)", "split(p, p0, p1, 4)", "coord(p1, jc)"),
    ),
    Case("spmv-divided", SPMV, schedule=("divide(i, i0, i1, 4)", "parallelize(i0, CPUThread, NoRaces)")),
    Case("spmv-vector-reduction", SPMV, schedule=("parallelize(j, CPUVector, ParallelReduction)",)),
    Case("spmv-dcsr", SPMV, {"A": "dcsr"}),
    Case("spmv-csc-atomics", SPMV, {"A": "csc"}, ("parallelize(j, CPUThread, Atomics)",)),
    Case("spmv-csc-temporary", SPMV, {"A": "csc"}, ("parallelize(j, CPUThread, Temporary)",)),
    Case("spmspv", SPMV, {"A": "csr", "x": "sparse"}),
    Case("spmspv-csc", SPMV, {"A": "csc", "x": "sparse"}),
    Case("spmspv-gallop", SPMV, {"A": "csr", "x": "sparse"}, ("mergeby(j, Gallop)",)),
    Case("addition", "C(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "csr"}),
    Case("addition-dense", "C(i,j) = A(i,j) + B(i,j)", CSR),
    Case("merge-three", "a(i) = b(i) * c(i) + d(i)", dict.fromkeys("bcd", "sparse")),
    Case("residual", "y(i) = b(i) - A(i,j) * x(j)"),
    Case("sddmm", "C(i,j) = S(i,j) * A(i,k) * B(k,j)", {"S": "csr"}),
    Case("inner-product", "s = a(i) * b(i)", {"a": "sparse"}),
)
