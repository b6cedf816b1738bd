"""``heddle prove quiet``: compiles on a machine do not disturb what is timed there, and edits stay quick.

One plan is measured again and again, in turn with three kinds of company: none; people who compile without a pause on
another server of the same machine, which takes turns with the timed rounds; and the same on a server with a timing lock
of its own, which therefore cannot (what it was like without taking turns).
"""

from __future__ import annotations

import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from proofs.report import machine
from tests.backend.serving import ColdServer, Server

PLAN = {
    "expression": "y(i) = A(i,j) * x(j)",
    "tensors": {"A": {"format": "csr"}},
    "schedule": ["split(i, i0, i1, 64)", "parallelize(i0, CPUThread, NoRaces)"],
    "inputs": {
        "A": {"generator": "uniform", "shape": [50_000, 50_000], "nnz": 1_000_000, "seed": 1},
        "x": {"generator": "uniform", "seed": 1},
    },
    "run": {"baselines": ["scipy"]},
}
COMPANY = ("none", "in turn", "at any time")
PEOPLE = 2
ALLOWED_CHANGE = 0.05
ALLOWED_COMPILE_MILLISECONDS = 500.0


@dataclass(slots=True)
class Measured:
    """With one kind of company: of every run the median of the kernel in nanoseconds, the spread of its samples (the
    distance of the quartiles over the median) and the A/A control; of every compile its milliseconds."""

    medians: list[float] = field(default_factory=list)
    spreads: list[float] = field(default_factory=list)
    controls: list[float] = field(default_factory=list)
    disturbed: int = 0
    waited_seconds: list[float] = field(default_factory=list)
    compiles: list[float] = field(default_factory=list)

    def add(self, result: dict[str, Any]) -> None:
        (kernel,) = (entry for entry in result["entries"] if entry["id"] == "heddle")
        low, high = kernel["quartiles_ns"]
        self.medians.append(kernel["median_ns"])
        self.spreads.append((high - low) / kernel["median_ns"])
        self.controls.append(result["control"]["value"])
        self.disturbed += result["protocol"]["disturbed_by_compiles"]
        self.waited_seconds.append(result["protocol"]["waited_for_compiles_seconds"])

    def summary(self, alone: Measured) -> dict[str, Any]:
        changes = [ours / theirs for ours, theirs in zip(self.medians, alone.medians, strict=True)]
        compiles = sorted(self.compiles)
        return {
            "time_over_that_without_company": round(statistics.median(changes), 4),
            "spread_of_samples": round(statistics.median(self.spreads), 4),
            "largest_deviation_of_a_control": round(max(abs(one - 1) for one in self.controls), 4),
            "waited_for_compiles_seconds": round(statistics.median(self.waited_seconds), 3),
            "disturbed_runs": self.disturbed,
            "compiles": len(compiles),
            "compile_milliseconds": {
                share: round(compiles[int(float(share) * (len(compiles) - 1))], 1) for share in ("0.5", "0.95", "1.0")
            }
            if compiles
            else {},
            "medians_ns": [round(one) for one in self.medians],
        }


def prove_quiet(times: int) -> tuple[dict[str, Any], list[str]]:
    """Each kind of company ``times`` times, in turn; and what was disturbed."""
    measured = {company: Measured() for company in COMPANY}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        runs, polite, rude = (started(stack, Path(folder), name) for name in ("runs", "polite", "rude"))
        lock = Path(folder) / "machine.lock"
        servers = {"none": None, "in turn": polite, "at any time": rude}
        assert runs.environment["HEDDLE_TIMING_LOCK"] == polite.environment["HEDDLE_TIMING_LOCK"] == str(lock)
        for _ in range(times):
            for company, server in servers.items():
                with people(server, measured[company].compiles):
                    measured[company].add(once(runs))
    summaries = {company: one.summary(measured["none"]) for company, one in measured.items()}
    proof = {"plan": PLAN, "times": times, "people": PEOPLE, "company": summaries, "machine": machine()}
    return proof, broken_limits(summaries["in turn"])


def started(stack: ExitStack, folder: Path, name: str) -> Server:
    lock = folder / ("rude.lock" if name == "rude" else "machine.lock")
    server = ColdServer(
        folder / name, run_child_module="heddle_server.worker.child", compile_processes=PEOPLE, timing_lock=lock,
        quota_factor=0, waiting_child=True,
    ).start()  # fmt: skip
    stack.callback(server.stop)
    return server


def once(server: Server) -> dict[str, Any]:
    view = server.wait(server.run(PLAN), seconds=120)
    if view["result"] is None:
        raise RuntimeError(f"the run ended as {view['state']}: {view['problem']}")
    return dict(view["result"])


@contextmanager
def people(server: Server | None, compiles: list[float]) -> Iterator[None]:
    """Each of them compiles one new plan after another; their milliseconds go to ``compiles``."""
    ended = threading.Event()
    threads = [
        threading.Thread(target=edit, args=(server, ended, compiles, number))
        for number in range(PEOPLE if server is not None else 0)
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def edit(server: Server, ended: threading.Event, compiles: list[float], person: int) -> None:
    tile = 1_000_000 * (person + 1) + 1000 * len(compiles)
    with httpx.Client(base_url=server.url, timeout=60) as client:
        while not ended.is_set():
            tile += 1
            document = {**PLAN, "schedule": [f"split(i, i0, i1, {tile})", "parallelize(i0, CPUThread, NoRaces)"]}
            begun = time.monotonic()
            client.post("/api/v1/compile", json=document).raise_for_status()
            compiles.append(1000 * (time.monotonic() - begun))


def broken_limits(found: dict[str, Any]) -> list[str]:
    """Of the company that takes turns."""
    change, slow = found["time_over_that_without_company"], found["compile_milliseconds"]["0.95"]
    broken = []
    if abs(change - 1) > ALLOWED_CHANGE:
        broken.append(f"compiles change the time to {change:.3f} of what it is alone, allowed {ALLOWED_CHANGE:.0%}")
    if found["disturbed_runs"]:
        broken.append(f"{found['disturbed_runs']} runs timed rounds beside compiles")
    if slow > ALLOWED_COMPILE_MILLISECONDS:
        broken.append(f"compile p95 {slow:.0f} ms beside a timed run, allowed {ALLOWED_COMPILE_MILLISECONDS:g} ms")
    return broken
