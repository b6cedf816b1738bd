"""SpMV, SpMM, SDDMM and MTTKRP on a GPU beside cuSPARSE, one command:

python benchmarks/gpu.py [--nonzeros 10000000] [--kernels spmv spmm ...] [--json benchmarks/results/gpu.json]

Needs the repository, NumPy, SciPy, CuPy and Lark. The matrices differ in structure: bands, uniform rows, a power law,
a few very long rows, many short rows. Every result is checked before it is timed, cuSPARSE's as well as ours. Times are
medians of what the GPU itself spends (events), with operands on the GPU: ours with the zeros that it fills in,
cuSPARSE's by each of its algorithms, what comes before their calls apart. "best" is the best schedule for each matrix,
"one" the best single one for all of a kernel; both are compared with cuSPARSE's best algorithm for each matrix.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import compiler as hd
from benchmarks.device_facts import device_facts
from benchmarks.gpu_kernels import KERNELS, Kernel, matrices
from compiler.runtime import cuda
from compiler.runtime.calling import BoundCall

WARMUP, REPEATS = 5, 30


def median_ms(call: Callable[[], float]) -> float:
    for _ in range(WARMUP):
        call()
    return float(np.median([call() for _ in range(REPEATS)])) * 1e3


def ours(call: BoundCall) -> Callable[[], float]:
    """Runs the kernel; returns the seconds that the GPU spent on it."""
    device = call.device
    assert device is not None

    def run() -> float:
        device.seconds()
        call.compute()
        return device.seconds()

    return run


def between_events(cupy: Any, call: Callable[[], Any]) -> Callable[[], float]:
    """The same of what is queued on the current stream."""

    def run() -> float:
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        call()
        end.record()
        end.synchronize()
        return float(cupy.cuda.get_elapsed_time(start, end)) * 1e-3

    return run


def measure(kernel: Kernel, cupy: Any) -> dict[str, Any]:
    """The times of every schedule and of every algorithm of cuSPARSE, in milliseconds.

    Raises:
        SystemExit: a result is wrong.
    """
    times: dict[str, float] = {}
    refused: dict[str, str] = {}
    moved = 0
    for name, schedule in kernel.schedules.items():
        try:
            call = hd.compile(kernel.expression, dict(kernel.formats), schedule, "cuda").bind(**kernel.operands)
            call.run()
        except hd.CompileError as error:
            refused[name] = str(error)
            continue
        found = call.output.vals if kernel.expected.ndim == 1 else call.output.to_numpy()
        check(f"{kernel.name}, {name}", found, kernel)
        moved = sum(tensor.nbytes for tensor in call.operands.values()) + call.output.nbytes
        times[name] = median_ms(ours(call))
    theirs = {}
    for opponent in kernel.opponents(cupy):
        check(f"{kernel.name}, cuSPARSE {opponent.algorithm}", opponent.result.get(), kernel)
        middle = median_ms(between_events(cupy, opponent.run))
        theirs[opponent.algorithm] = {"ms": middle, "preparation_ms": opponent.preparation_ms}
    return {"kernel": kernel.name, "ours_ms": times, "cusparse": theirs, "bytes": moved, "refused": refused}


def check(name: str, found: np.ndarray, kernel: Kernel) -> None:
    if not np.allclose(found, kernel.expected, rtol=1e-9):
        raise SystemExit(f"{name}: the result is wrong")


def bandwidth(cupy: Any) -> float:
    """GB/s of a copy of 1 GiB, both directions counted."""
    source = cupy.zeros(1 << 27)
    target = cupy.empty_like(source)
    milliseconds = median_ms(between_events(cupy, lambda: cupy.copyto(target, source)))
    return 2 * source.nbytes / milliseconds / 1e6


def best_of_cusparse(row: Mapping[str, Any]) -> float | None:
    """Milliseconds of its fastest algorithm; None where it has no such kernel."""
    return min((one["ms"] for one in row["cusparse"].values()), default=None)


def summary(rows: list[dict[str, Any]], peak: float) -> list[dict[str, Any]]:
    """For each kernel: geometric means of cuSPARSE's time over ours, and the share of the bandwidth ``peak``."""
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
        theirs = [best_of_cusparse(row) for row in own]
        if None not in theirs:
            times = np.array(theirs, dtype=float)
            shared = [name for name in own[0]["ours_ms"] if all(name in row["ours_ms"] for row in own)]
            means = {name: geometric_mean(times / [row["ours_ms"][name] for row in own]) for name in shared}
            entry["best_speedup"] = geometric_mean(times / best)
            if means:
                one = max(means, key=means.__getitem__)
                entry["one_speedup"], entry["one_schedule"] = means[one], one
        found.append(entry)
    return found


def geometric_mean(ratios: Any) -> float:
    return float(np.exp(np.mean(np.log(ratios))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nonzeros", type=int, default=10_000_000)
    parser.add_argument("--kernels", nargs="+", choices=list(KERNELS), default=list(KERNELS))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    problem = cuda.missing()
    if problem is not None:
        raise SystemExit(f"This needs an NVIDIA GPU: {problem}. Install CuPy with: {cuda.INSTALL}")
    cupy, facts = cuda.gpu(), device_facts("cuda")
    peak = bandwidth(cupy)
    rows = []
    for name, matrix in matrices(options.nonzeros).items():
        for kind in options.kernels:
            for kernel in KERNELS[kind](matrix):
                if sum(_bytes(operand) for operand in kernel.operands.values()) * 3 > cupy.cuda.runtime.memGetInfo()[0]:
                    print(f"{name:28} {kernel.name:14} left out: it does not fit into the GPU's memory")
                    continue
                row = {"matrix": name, "rows": matrix.shape[0], "nonzeros": int(matrix.nnz), **measure(kernel, cupy)}
                rows.append(row)
                print(line(row), flush=True)
                cupy.get_default_memory_pool().free_all_blocks()
    report = {
        "machine": facts,
        "copy_bandwidth_gbps": peak,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "nonzeros": options.nonzeros,
        "summary": summary(rows, peak),
        "rows": rows,
    }
    print(json.dumps(report["summary"], indent=2))
    if options.json is not None:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def _bytes(operand: Any) -> int:
    return int(operand.nbytes)


def line(row: Mapping[str, Any]) -> str:
    """A row for a person: our best schedule, and cuSPARSE's best algorithm."""
    best = min(row["ours_ms"], key=row["ours_ms"].__getitem__, default=None)
    own = "refused" if best is None else f"{row['ours_ms'][best]:9.3f} ms ({best})"
    theirs = min(row["cusparse"], key=lambda name: row["cusparse"][name]["ms"], default=None)
    other = "" if theirs is None else f"  cuSPARSE {row['cusparse'][theirs]['ms']:.3f} ms ({theirs})"
    return f"{row['matrix']:28} {row['kernel']:14} {own}{other}"


if __name__ == "__main__":
    main()
