"""SpMV, SpMM, SDDMM and MTTKRP on a GPU beside cuSPARSE, one command:

python benchmarks/gpu.py [--nonzeros 10000000] [--kernels spmv spmm ...] [--json benchmarks/results/gpu.json]

Needs the repository, NumPy, SciPy, CuPy and Lark. The matrices differ in structure: bands, uniform rows, a power law,
a few very long rows, many short rows. Every result is checked before it is timed. Times are medians of what the GPU
itself spends (events), with operands on the GPU: ours with the zeros that it fills in, cuSPARSE's as CuPy calls it,
its analysis before. "best" is the best schedule for each matrix, "one" the best single one for all of a kernel.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import scipy
import scipy.sparse as sp

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import compiler as hd
from compiler.runtime import cuda
from compiler.runtime.calling import BoundCall

IGNORE = "parallelize(block, GPUBlock, IgnoreRaces); parallelize(warp, GPUWarp, IgnoreRaces); "
SPMV, SPMM = "y(i) = A(i,j) * x(j)", "C(i,k) = A(i,j) * B(j,k)"
SDDMM, MTTKRP = "A(i,k) = B(i,k) * C(i,j) * D(j,k)", "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)"
SIZES = (32, 128, 512)
WARMUP, REPEATS = 5, 30


def spmv_schedules() -> dict[str, str]:
    found = {
        f"thread per row, {threads} threads": f"split(i, block, thread, {threads}); "
        "parallelize(block, GPUBlock, NoRaces); parallelize(thread, GPUThread, NoRaces)"
        for threads in (64, 128, 256)
    }
    for warps in (4, 8, 16):
        found[f"warp per row, {warps} warps"] = (
            f"split(i, block, warp, {warps}); pos(j, jpos, A); split(jpos, turn, thread, 32); "
            "reorder(block, warp, turn, thread); parallelize(block, GPUBlock, NoRaces); "
            "parallelize(warp, GPUWarp, NoRaces); parallelize(thread, GPUThread, ParallelReduction)"
        )
    for entries in (2, 4, 8, 16):
        for warps in (4, 8):
            found[f"{entries} entries per thread, {warps} warps"] = (
                f"fuse(i, j, f); pos(f, fpos, A); split(fpos, block, fpos1, {entries * 32 * warps}); "
                f"split(fpos1, warp, fpos2, {entries * 32}); split(fpos2, thread, entry, {entries}); "
                f"reorder(block, warp, thread, entry); {IGNORE}parallelize(thread, GPUThread, Atomics)"
            )
    return found


def column_schedules(fused: str, tensor: str, columns: str) -> dict[str, str]:
    """A warp takes neighbouring entries of ``tensor``, its lanes the columns (A.4 and A.6 of the appendix)."""
    return {
        f"{entries} entries per warp, {warps} warps": (
            f"{fused}; pos(f, fpos, {tensor}); split(fpos, block, fpos1, {entries * warps}); "
            f"split(fpos1, warp, nnz, {entries}); split({columns}, dense_val, thread, 32); "
            f"reorder(block, warp, dense_val, thread, nnz); {IGNORE}parallelize(thread, GPUThread, Atomics)"
        )
        for entries in (8, 16, 32, 64)
        for warps in (4, 8, 16)
    }


SDDMM_SCHEDULES = {
    f"{entries} entries per warp, {warps} warps": (
        f"reorder(i, k, j); fuse(i, k, f); pos(f, fpos, B); split(fpos, block, fpos1, {entries * warps}); "
        f"split(fpos1, warp, nnz, {entries}); split(j, dense_val, thread, 32); "
        "reorder(block, warp, nnz, thread, dense_val); parallelize(block, GPUBlock, IgnoreRaces); "
        "parallelize(warp, GPUWarp, Atomics); parallelize(thread, GPUThread, ParallelReduction)"
    )
    for entries in (4, 8, 16)
    for warps in (4, 8)
}


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
    long_rows = np.where(random.random(nonzeros) < 0.3, random.integers(0, 8, nonzeros), rows[:nonzeros] % size)
    short = nonzeros // 3
    return {
        "band of 16": of(rows, band, size),
        "16 uniform entries per row": of(rows, random.integers(0, size, rows.size), size),
        "power law": of(law, random.integers(0, size, nonzeros), size),
        "8 long rows": of(long_rows[: rows.size], random.integers(0, size, long_rows[: rows.size].size), size),
        "3 entries per row": of(np.repeat(np.arange(short), 3), random.integers(0, short, 3 * short), short),
        "dense rows of 512": of(
            np.repeat(np.arange(nonzeros // 512), 512),
            random.integers(0, nonzeros // 512, nonzeros // 512 * 512),
            nonzeros // 512,
        ),
    }


@dataclass(frozen=True)
class Kernel:
    """``library`` computes the same by cuSPARSE, where it can. ``moved`` are the bytes of operands and result."""

    name: str
    expression: str
    formats: dict[str, str]
    schedules: dict[str, str]
    operands: dict[str, Any]
    expected: np.ndarray
    library: Callable[[], Any] | None


def kernels(name: str, matrix: sp.csr_array, cupy: Any) -> list[Kernel]:
    from cupyx.scipy import sparse

    random = np.random.default_rng(1)
    rows, columns = matrix.shape
    if name == "spmv":
        x = random.random(columns)
        there, vector = sparse.csr_matrix(matrix), cupy.asarray(x)
        operands = {"A": hd.pack(matrix, "csr"), "x": x}
        return [Kernel("SpMV", SPMV, {"A": "csr"}, spmv_schedules(), operands, matrix @ x, lambda: there @ vector)]
    if name == "spmm":
        found = []
        for count in SIZES:
            b = random.random((columns, count))
            if b.nbytes * 3 > cupy.cuda.runtime.memGetInfo()[0]:
                continue
            there, dense = sparse.csr_matrix(matrix), cupy.asarray(b)
            schedules = column_schedules("reorder(i, j, k); fuse(i, j, f)", "A", "k")
            operands = {"A": hd.pack(matrix, "csr"), "B": b}
            library = _product(there, dense)
            found.append(Kernel(f"SpMM {count}", SPMM, {"A": "csr"}, schedules, operands, matrix @ b, library))
        return found
    if name == "sddmm":
        c, d = random.random((rows, 32)), random.random((32, columns))
        coo = matrix.tocoo()
        sampled = coo.data * np.einsum("pj,jp->p", c[coo.row], d[:, coo.col])
        operands = {"B": hd.pack(matrix, "csr"), "C": c, "D": d}
        return [Kernel("SDDMM 32", SDDMM, {"A": "csr", "B": "csr"}, SDDMM_SCHEDULES, operands, sampled, None)]
    depth = 64
    coo = matrix.tocoo()
    third = random.integers(0, depth, coo.nnz)
    operand = hd.pack(((coo.row, coo.col, third), coo.data, (rows, columns, depth)), "csf")
    c, d = random.random((columns, 32)), random.random((depth, 32))
    expected = sp.csr_array((coo.data, (coo.row, np.arange(coo.nnz))), shape=(rows, coo.nnz)) @ (c[coo.col] * d[third])
    schedules = column_schedules("reorder(i, k, l, j); fuse(k, l, kl); fuse(i, kl, f)", "B", "j")
    return [Kernel("MTTKRP 32", MTTKRP, {"B": "csf"}, schedules, {"B": operand, "C": c, "D": d}, expected, None)]


def _product(left: Any, right: Any) -> Callable[[], Any]:
    return lambda: left @ right


def _timed(call: BoundCall) -> Callable[[], float]:
    """Runs the kernel; returns the seconds that the GPU spent on it."""
    device = call.device
    assert device is not None

    def run() -> float:
        device.seconds()
        call.compute()
        return device.seconds()

    return run


def median_ms(call: Callable[[], float]) -> float:
    for _ in range(WARMUP):
        call()
    return float(np.median([call() for _ in range(REPEATS)])) * 1e3


def library_seconds(cupy: Any, call: Callable[[], Any]) -> float:
    start, end = cupy.cuda.Event(), cupy.cuda.Event()
    start.record()
    call()
    end.record()
    end.synchronize()
    return float(cupy.cuda.get_elapsed_time(start, end)) * 1e-3


def measure(kernel: Kernel, cupy: Any) -> dict[str, Any]:
    times: dict[str, float] = {}
    refused: dict[str, str] = {}
    moved = 0
    for name, schedule in kernel.schedules.items():
        commands = [command.strip() for command in schedule.split(";") if command.strip()]
        try:
            compiled = hd.compile(kernel.expression, kernel.formats, commands, "cuda")
            call = compiled.bind(**kernel.operands)
            call.run()
        except hd.CompileError as error:
            refused[name] = str(error)
            continue
        found = call.output.vals if kernel.expected.ndim == 1 else call.output.to_numpy()
        if not np.allclose(found, kernel.expected, rtol=1e-9):
            raise SystemExit(f"{kernel.name}, {name}: the result is wrong")
        moved = sum(tensor.nbytes for tensor in call.operands.values()) + call.output.nbytes
        times[name] = median_ms(_timed(call))
    library = None if kernel.library is None else median_ms(lambda: library_seconds(cupy, kernel.library))  # type: ignore[arg-type]
    return {"kernel": kernel.name, "ours_ms": times, "cusparse_ms": library, "bytes": moved, "refused": refused}


def bandwidth(cupy: Any) -> float:
    """GB/s of a copy of 1 GiB, both directions counted."""
    source = cupy.zeros(1 << 27)
    target = cupy.empty_like(source)
    milliseconds = median_ms(lambda: library_seconds(cupy, lambda: cupy.copyto(target, source)))
    return 2 * source.nbytes / milliseconds / 1e6


def summary(rows: list[dict[str, Any]], peak: float) -> list[dict[str, Any]]:
    """For each kernel: geometric means of cuSPARSE's time over ours, and the share of the bandwidth."""
    found = []
    for kernel in dict.fromkeys(row["kernel"] for row in rows):
        own = [row for row in rows if row["kernel"] == kernel and row["ours_ms"]]
        if not own:
            continue
        best = [min(row["ours_ms"].values()) for row in own]
        entry: dict[str, Any] = {
            "kernel": kernel,
            "bandwidth_share": [round(row["bytes"] / ms / 1e6 / peak, 3) for row, ms in zip(own, best, strict=True)],
        }
        if all(row["cusparse_ms"] for row in own):
            theirs = np.array([row["cusparse_ms"] for row in own])
            shared = [name for name in own[0]["ours_ms"] if all(name in row["ours_ms"] for row in own)]
            means = {
                name: float(np.exp(np.mean(np.log(theirs / np.array([row["ours_ms"][name] for row in own])))))
                for name in shared
            }
            one = max(means, key=means.__getitem__)
            entry["best_speedup"] = float(np.exp(np.mean(np.log(theirs / np.array(best)))))
            entry["one_speedup"], entry["one_schedule"] = means[one], one
        found.append(entry)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nonzeros", type=int, default=10_000_000)
    parser.add_argument("--kernels", nargs="+", default=["spmv", "spmm", "sddmm", "mttkrp"])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    problem = cuda.missing()
    if problem is not None:
        raise SystemExit(f"This needs an NVIDIA GPU: {problem}. Install CuPy with: {cuda.INSTALL}")
    cupy = cuda.gpu()
    peak = bandwidth(cupy)
    rows = []
    for name, matrix in matrices(options.nonzeros).items():
        for kind in options.kernels:
            for kernel in kernels(kind, matrix, cupy):
                row = {"matrix": name, "rows": matrix.shape[0], "nonzeros": int(matrix.nnz), **measure(kernel, cupy)}
                rows.append(row)
                best = min(row["ours_ms"], key=row["ours_ms"].__getitem__, default="none")
                theirs = f"cuSPARSE {row['cusparse_ms']:.3f} ms" if row["cusparse_ms"] else "no library"
                ours = f"{row['ours_ms'][best]:9.3f} ms" if row["ours_ms"] else "refused"
                print(f"{name:28} {kernel.name:10} {ours}  {theirs}  ({best})", flush=True)
            cupy.get_default_memory_pool().free_all_blocks()
    device = cupy.cuda.runtime.getDeviceProperties(0)
    report = {
        "gpu": device["name"].decode(),
        "driver": cupy.cuda.runtime.driverGetVersion(),
        "cuda": cupy.cuda.runtime.runtimeGetVersion(),
        "cusparse": cupy.cuda.cusparse.getVersion(cupy.cuda.cusparse.create()),
        "copy_bandwidth_gbps": peak,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "cupy": cupy.__version__,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "nonzeros": options.nonzeros,
        "summary": summary(rows, peak),
        "rows": rows,
    }
    print(json.dumps(report["summary"], indent=2))
    if options.json is not None:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
