"""Milliseconds from an expression to its C text, one command:

python benchmarks/codegen.py [--runs 100] [--json FILE]

The appendix CPU schedules of "A Sparse Iteration Space Transformation Framework for Sparse Tensor Algebra" (2020) and
the explorer's examples, through all stages in this process, with their traces; the programs take turns, so that a busy
moment of the machine falls on all alike. "first" is the first run of a program (of a group: the slowest first run),
"p95" the 95th percentile. No C compiler runs. The import of `compiler` is timed in fresh processes.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

sys.path.extend(str(Path(__file__).resolve().parents[1] / folder) for folder in ("", "compiler", "backend"))

from heddle.pipeline import lower
from heddle.plan import Plan, parse_plan, plan_from_arguments

ROOT = Path(__file__).resolve().parent.parent
TARGETS = {"appendix": (10.0, 40.0), "example": (10.0, 40.0), "parts": (40.0, 120.0)}
"""By group of programs the median and the 95th percentile in milliseconds. Of sums of parts each part is a program."""

SPMV = ("y(i) = A(i,j) * x(j)", {"A": "csr"})
SPMM = ("C(i,k) = A(i,j) * B(j,k)", {"A": "csr"})
MTTKRP = ("A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", {"B": "csf"})
APPENDIX = {
    "A.1 SpMV": (*SPMV, "split(i,i0,i1,16); reorder(i0,i1,j); parallelize(i0,CPUThread,NoRaces)"),
    "A.3 SpMM": (
        *SPMM,
        "split(i,i0,i1,16); pos(j,jpos,A); split(jpos,jpos0,jpos1,8); reorder(i0,i1,jpos0,k,jpos1);"
        "parallelize(i0,CPUThread,NoRaces); parallelize(k,CPUVector,NoRaces)",
    ),
    "A.5 MTTKRP": (
        *MTTKRP,
        "pos(i,ipos,B); split(ipos,ipos0,ipos1,16); reorder(ipos0,ipos1,k,l,j); parallelize(ipos0,CPUThread,NoRaces)",
    ),
    "A.7 SpMV, a thread per row": (*SPMV, "parallelize(i,CPUThread,NoRaces)"),
    "A.10 SpMM tiled": (*SPMM, "pos(j,jpos,A); split(jpos,jpos0,jpos1,8); reorder(i,jpos0,k,jpos1)"),
    "A.11 SpMM": (*SPMM, ""),
}
PARTS = ("hyb(8,5)", "hyb(8,5,64)", "hyb(1,5,whole)", "bcsr(4,4) where tile(4,4) >= 8 + csr")
"""Formats of A in SpMM."""


def programs() -> dict[str, tuple[str, Plan]]:
    """By name: the group and the plan."""
    found = {
        name: ("appendix", plan_from_arguments(expression, formats, tuple(filter(None, schedule.split(";")))))
        for name, (expression, formats, schedule) in APPENDIX.items()
    }
    for path in sorted((ROOT / "backend" / "heddle_server" / "examples").glob("*.json")):
        plan = parse_plan(json.loads(path.read_text(encoding="utf-8"))["plan"])
        found[path.stem] = ("example", plan)
    for format in PARTS:
        found[f"SpMM, A: {format}"] = ("parts", plan_from_arguments(SPMM[0], {"A": format}, ()))
    return found


def compile_milliseconds(plan: Plan) -> float:
    start = time.perf_counter()
    result = lower(plan)
    elapsed = (time.perf_counter() - start) * 1e3
    result.raise_errors()
    assert result.source is not None
    return elapsed


def import_milliseconds(statement: str, runs: int) -> list[float]:
    """Of ``statement`` alone in a fresh process, without the start of Python."""
    program = f"import time; start = time.perf_counter(); {statement}; print(time.perf_counter() - start)"
    command = [sys.executable, "-P", "-c", program]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = [subprocess.run(command, env=environment, capture_output=True, text=True, check=True) for _ in range(runs)]
    return [float(one.stdout) * 1e3 for one in done]


def summary(samples: list[float]) -> dict[str, float]:
    return {
        "median_ms": float(np.median(samples)),
        "p95_ms": float(np.percentile(samples, 95)),
        "first_ms": samples[0],
        "runs": len(samples),
    }


def cpu_name() -> str:
    """The kernel's name of the processor, where it tells one."""
    information = Path("/proc/cpuinfo")
    lines = information.read_text(encoding="utf-8").splitlines() if information.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def row(name: str, numbers: dict[str, float]) -> str:
    return f"{name:44s} {numbers['median_ms']:8.2f} {numbers['p95_ms']:8.2f} {numbers['first_ms']:8.2f}"


def main() -> int:
    """The exit code: 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100, help="of each program (default: 100)")
    parser.add_argument("--import-runs", type=int, default=11, help="fresh processes (default: 11)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers here")
    chosen = parser.parse_args()
    plans = programs()
    samples: dict[str, list[float]] = {name: [] for name in plans}
    for _ in range(max(1, chosen.runs)):
        for name, (_, plan) in plans.items():
            samples[name].append(compile_milliseconds(plan))

    print(f"{'milliseconds':44s} {'median':>8s} {'p95':>8s} {'first':>8s}")
    for name, found in samples.items():
        print(row(name, summary(found)))
    totals = {}
    for group in TARGETS:
        of_group = [samples[name] for name in plans if plans[name][0] == group]
        totals[group] = summary([one for turn in zip(*of_group, strict=True) for one in turn])
        totals[group]["first_ms"] = max(found[0] for found in of_group)
    met = all(
        totals[group]["median_ms"] <= median and totals[group]["p95_ms"] <= p95
        for group, (median, p95) in TARGETS.items()
    )
    for group, numbers in totals.items():
        print(row(f"all of group {group}", numbers))
    wanted = ", ".join(f"{group} {median:g} and {p95:g}" for group, (median, p95) in TARGETS.items())
    print(f"targets in ms, median and p95: {wanted}: {'met' if met else 'MISSED'}")

    imports = {
        statement: summary(import_milliseconds(statement, max(1, chosen.import_runs)))
        for statement in ("import heddle", "from heddle.pipeline import lower", "from heddle import Kernel")
    }
    for statement, numbers in imports.items():
        print(row(statement, numbers))
    if chosen.json is not None:
        document = {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": {
                "cpu": cpu_name(),
                "cores": os.cpu_count(),
                "os": platform.platform(),
                "python": platform.python_version(),
                "numpy": np.__version__,
                "load": os.getloadavg() if hasattr(os, "getloadavg") else None,
            },
            "targets": {group: {"median_ms": median, "p95_ms": p95} for group, (median, p95) in TARGETS.items()},
            "met": met,
            "totals": totals,
            "programs": {name: {"group": plans[name][0], **summary(found)} for name, found in samples.items()},
            "imports": imports,
        }
        chosen.json.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
