"""Records rounds of a condition: ``python -m tests.backend.recorded_rounds.record quiet|loaded|starved``, as root.

What else the machine does stays out of it: ``quiet`` runs in real time, before everything else, as if it were alone;
the others are a session of the highest priority. ``loaded`` has two busy processes in it, one for each of two cores;
``starved`` has all its threads on one core, which a busy process wants too.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from heddle.measuring import timed
from heddle.measuring.rounds import Protocol, Timings, measure
from heddle.measuring.starved import usual_wake_ns
from heddle.measuring.threads import set_threads
from heddle.plan import parse_plan
from heddle_server.datasets.catalogue import builtin_datasets
from heddle_server.engine.quiet_time import QuietTime
from heddle_server.worker.execute import execute

HERE = Path(__file__).parent
HIGHEST = -20
PROTOCOL = Protocol(min_seconds=0.06, max_rounds=60)
STIFFNESS, COLUMN = {"A": {"dataset": "bcsstk13"}}, {"A": {"dataset": "west0067"}}
ON_THREADS = ["split(i, i0, i1, 32)", "parallelize(i0, CPUThread, NoRaces)"]
LIBRARIES = {"baselines": ["scipy", "mkl"], "threads": 2}
SPMM, SPMV = "C(i,k) = A(i,j) * B(j,k)", "y(i) = A(i,j) * x(j)"
PLANS: dict[str, dict[str, Any]] = {
    "SpMM on two threads": {
        "expression": SPMM,
        "tensors": {"A": {"format": "csr"}, "B": {"shape": [2003, 32]}},
        "schedule": ON_THREADS,
        "inputs": STIFFNESS,
    },
    "SpMV on one thread": {"expression": SPMV, "tensors": {"A": {"format": "csr"}}, "inputs": STIFFNESS},
    "tiny SpMV on two threads": {
        "expression": SPMV,
        "tensors": {"A": {"format": "csr"}},
        "schedule": ON_THREADS,
        "inputs": COLUMN,
    },
    "SDDMM on one thread": {
        "expression": "R(i,j) = A(i,j) * B(i,k) * D(k,j)",
        "tensors": {"A": {"format": "csr"}, "R": {"format": "csr"}, "B": {"shape": [34, 8]}},
        "inputs": {"A": {"dataset": "karate"}},
    },
}


def main(condition: str) -> None:
    threads = set_threads(2)
    paths = {dataset.id: str(dataset.path) for dataset in builtin_datasets()}
    programs, measured = [], list[Timings]()

    def listened(*arguments: Any, **options: Any) -> Timings:
        measured.append(measure(*arguments, **options))
        return measured[-1]

    timed.measure = listened
    with companions(condition):
        for name, plan in PLANS.items():
            document = parse_plan({"version": 1, "run": LIBRARIES, **plan})
            result = execute(document, paths, threads, lambda *_: None, PROTOCOL, QuietTime(None))
            programs.append(recorded(name, result, measured[-1], condition))
            print(name, {entry["id"]: entry["median_ns"] for entry in result["entries"] if entry["available"]})
    text = json.dumps({"condition": condition, "cpu": result["machine"]["cpu"], "programs": programs})
    (HERE / f"{condition}.json").write_text(text.replace('{"name"', '\n{"name"').replace('{"id"', '\n {"id"') + "\n")


def recorded(name: str, result: Any, timings: Timings, condition: str) -> dict[str, Any]:
    available = [entry for entry in result["entries"] if entry["available"]]
    load = result["load"]
    return {
        "name": name,
        "rounds": timings.rounds,
        "involuntary": load["involuntary"],
        # Of what runs at lower priority, of which a quiet recording sees nothing.
        "pressure": None if condition == "quiet" else short(load["pressure"]),
        "steal": short(load["steal"]),
        "wake_ns": short(usual_wake_ns(None, timings.region)),
        "region": None if timings.region is None else [short(each) for each in timings.region],
        "contenders": [
            {
                "id": entry["id"],
                "label": entry["label"],
                "threads": entry["threads"],
                "calls": timings.calls[place],
                "samples": [short(each) for each in timings.samples[place]],
                "again": [None if math.isnan(each) else short(each) for each in timings.again[place]],
                "waited": [each.waited_ns for each in timings.lost[place]],
                "involuntary": [each.involuntary for each in timings.lost[place]],
            }
            for place, entry in enumerate(available)
        ],
    }


def short(number: float) -> float:
    """Four digits tell all that is to be told."""
    return float(f"{number:.4g}")


@contextmanager
def companions(condition: str) -> Iterator[None]:
    """The busy processes of a condition; the first core is that of the starved."""
    # Linux shares the processors between sessions, and only then between their processes.
    os.setsid()
    Path("/proc/self/autogroup").write_text(str(HIGHEST))
    match condition:
        case "quiet":
            count, cores = 0, None
            for thread in os.listdir("/proc/self/task"):
                os.sched_setscheduler(int(thread), os.SCHED_RR, os.sched_param(1))
        case "loaded":
            count, cores = 2, None
        case "starved":
            count, cores = 1, {0}
            for thread in os.listdir("/proc/self/task"):
                os.sched_setaffinity(int(thread), cores)
        case _:
            raise SystemExit(f"{condition} is not quiet, loaded or starved")
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]  # on the same cores
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


if __name__ == "__main__":
    main(sys.argv[1])
