"""SpMV, SpMM, SDDMM, SpGEMM and MTTKRP on a GPU, compared with cuSPARSE, and the studies X1 to X4 (docs/sources.toml):

python benchmarks/gpu.py [--nonzeros 10000000] [--kernels spmv spmm ...] [--matrices rmat ...] [--studies X3 ...]
                         [--json benchmarks/results/gpu.json]

Needs the repository, NumPy, SciPy, CuPy and Lark. The matrices are those of the benchmark of kernels on CPUs, as large
as asked for. Every result is checked before it is timed, cuSPARSE's as well as ours. Times are medians of what the GPU
itself spends (one pair of events around a call), with operands on the GPU and its caches emptied, in "graph_ms" of the
same launches started as one CUDA graph, and in "call_ms" of what a caller waits for a call, with the host's time and
warm caches: ours with the zeros that it fills in, cuSPARSE's by each of its algorithms, with and without its analysis,
which is timed apart. "best" is the best schedule for each matrix, "one" the best single one for all of a kernel; both
are compared with cuSPARSE's best algorithm for each matrix. The JSON is written again after each kernel, so that
nothing is lost when the machine goes away.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.extend(str(Path(__file__).resolve().parents[1] / folder) for folder in ("", "compiler", "backend"))

from benchmarks.device import device_clock
from benchmarks.device.device_facts import device_facts
from benchmarks.device.gpu_kernels import KERNELS
from benchmarks.device.gpu_measuring import Gpu, bandwidth, measured, why_too_large
from benchmarks.device.gpu_summary import line, summary
from benchmarks.studies.__main__ import run as study
from benchmarks.suite.matrices import BY_NAME, load
from heddle.runtime.devices import cuda
from heddle_server.studies.registry import STUDIES

GENERATED = [name for name, matrix in BY_NAME.items() if not matrix.real]
Report = dict[str, Any]


def main(arguments: list[str] | None = None) -> int:
    """The exit code: 1 where a result is wrong."""
    options = _parser().parse_args(arguments)
    problem = cuda.missing()
    if problem is not None:
        raise SystemExit(f"This needs an NVIDIA GPU: {problem}. Install CuPy with: {cuda.INSTALL}")
    cupy = cuda.gpu()
    gpu = Gpu(cupy, device_clock.busy("cuda"), options.rounds)
    report: Report = {
        "machine": device_facts("cuda"),
        "copy_bandwidth_gbps": bandwidth(gpu),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "nonzeros": options.nonzeros,
        "rounds": options.rounds,
        "complete": False,
        "summary": [],
        "rows": [],
        "left_out": [],
        "studies": {},
    }
    for name in options.matrices:
        _add_matrix(report, gpu, name, options)
    for name in options.studies:
        chosen = STUDIES[name]
        report["studies"][name] = study(chosen, "cuda", options.study_nonzeros or chosen.nonzeros, options.rounds)
        _write(report, options.json)
    report["complete"] = True
    _write(report, options.json)
    print(json.dumps(report["summary"], indent=2))
    return 1 if any(row["wrong"] for row in report["rows"]) else 0


def _add_matrix(report: Report, gpu: Gpu, name: str, options: argparse.Namespace) -> None:
    matrix = load(BY_NAME[name], options.nonzeros, "float64")
    for kind in options.kernels:
        for kernel in KERNELS[kind](matrix):
            reason = why_too_large(kernel, gpu.cupy)
            if reason is not None:
                report["left_out"].append({"matrix": name, "kernel": kernel.name, "reason": reason})
                print(f"{name:13} {kernel.name:14} left out: {reason}", flush=True)
                continue
            facts = {"matrix": name, "rows": matrix.shape[0], "columns": matrix.shape[1], "nonzeros": int(matrix.nnz)}
            row = {**facts, **measured(kernel, gpu)}
            report["rows"].append(row)
            report["summary"] = summary(report["rows"], report["copy_bandwidth_gbps"])
            print(line(row), flush=True)
            _write(report, options.json)


def _write(report: Report, path: Path | None) -> None:
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".part")
        beside.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
        beside.replace(path)


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--nonzeros", type=int, default=10_000_000, help="of each matrix, about (default %(default)s)")
    made.add_argument("--matrices", nargs="*", choices=GENERATED, default=GENERATED, metavar="NAME")
    made.add_argument("--kernels", nargs="*", choices=list(KERNELS), default=list(KERNELS))
    made.add_argument("--studies", nargs="*", choices=list(STUDIES), default=list(STUDIES))
    usual = "as in the paper, of X3 a twentieth"
    made.add_argument("--study-nonzeros", type=int, help=f"of the studies' matrices (default: {usual})")
    made.add_argument("--rounds", type=int, default=30, help="samples of each (default %(default)s)")
    made.add_argument("--json", type=Path)
    return made


if __name__ == "__main__":
    sys.exit(main())
