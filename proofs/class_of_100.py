"""``heddle prove class``: a class of 100 behind one address, against the limits that the design promises."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proofs.report import ROOT, machine
from tests.backend.serving import ColdServer, Server

STUDENTS = Path(__file__).with_name("students.py")


@dataclass(frozen=True, slots=True)
class Limit:
    """The largest allowed ``percentile`` (0 to 1) of a request's times, in milliseconds."""

    name: str
    percentile: str
    milliseconds: float


LIMITS = (
    Limit("compile cached", "0.95", 50),
    Limit("compile cold", "0.95", 400),
    Limit("event", "0.95", 500),
    Limit("run, from click to result", "1.0", 45_000),
)


def attend(server: Server, folder: Path, students: int, lesson_seconds: float) -> tuple[dict[str, Any], dict[str, int]]:
    """One class on a server that runs: number, errors and times in milliseconds of every kind of request; and what went
    wrong, how often."""
    # A class that does not come to its end ends all the same, without a report.
    most = 180 + 2 * lesson_seconds
    options = {
        "locustfile": STUDENTS, "host": server.url, "users": 1, "students": students, "lesson-seconds": lesson_seconds,
        "json-file": folder / "class", "loglevel": "ERROR", "run-time": f"{most:.0f}s",
        "errors-file": folder / "errors.json",
    }  # fmt: skip
    command = [sys.executable, "-m", "locust", "--headless", "--only-summary"]
    command += [f"--{name}={value}" for name, value in options.items()]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=most + 60)
    report = folder / "class.json"
    if not report.is_file():
        raise RuntimeError(f"locust gave no report: {ended.stderr[-2000:]}")
    requests = {entry["name"]: summary(entry) for entry in json.loads(report.read_text())}
    return requests, json.loads((folder / "errors.json").read_text())


def summary(entry: dict[str, Any]) -> dict[str, Any]:
    """Of one entry of locust's report, whose times are in a histogram of milliseconds."""
    times = sorted((float(ms), count) for ms, count in entry["response_times"].items())
    return {
        "requests": entry["num_requests"],
        "errors": entry["num_failures"],
        "milliseconds": {share: percentile(times, float(share)) for share in ("0.5", "0.95", "1.0")},
    }


def percentile(times: list[tuple[float, int]], share: float) -> float | None:
    wanted, seen = share * sum(count for _, count in times), 0
    for milliseconds, count in times:
        seen += count
        if seen >= wanted:
            return milliseconds
    return None


def broken_limits(requests: dict[str, Any], errors: dict[str, int]) -> list[str]:
    broken = [f"{what}: {times} times" for what, times in errors.items()]
    for limit in LIMITS:
        found = requests.get(limit.name, {}).get("milliseconds", {}).get(limit.percentile)
        if found is None or found > limit.milliseconds:
            broken.append(f"{limit.name}: {found} ms at {limit.percentile}, allowed {limit.milliseconds:g} ms")
    return broken


def prove_class(students: int, lesson_seconds: float) -> tuple[dict[str, Any], list[str]]:
    """The measured numbers, and the limits that they break."""
    with tempfile.TemporaryDirectory() as folder:
        # As a teacher starts it, with the child that really measures.
        server = ColdServer(
            Path(folder) / "data", run_child_module="heddle_server.worker.child", compile_processes=2, visitor_queued=2,
            waiting_child=True,
        ).start()  # fmt: skip
        try:
            requests, errors = attend(server, Path(folder), students, lesson_seconds)
        finally:
            server.stop()
    proof = {
        "students": students, "lesson_seconds": lesson_seconds, "requests": requests, "errors": errors,
        "machine": machine(),
    }  # fmt: skip
    return proof, broken_limits(requests, errors)
