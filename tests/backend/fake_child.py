"""Stands in for the child that measures: behaves as the plan's first baseline says. Run by its module name."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
from typing import Any

MACHINE = {
    "cpu": "test",
    "cores": 2,
    "memory_bytes": 1,
    "os": "test",
    "compiler": "gcc 12",
    "python": "3.11",
    "numpy": "2",
    "scipy": "1",
    "mkl": None,
    "stream_triad_gbps": {"1": 10.0},
    "load": 0.5,
}

ENTRY = {
    "id": "heddle",
    "label": "Heddle",
    "available": True,
    "reason": None,
    "median_ns": 100.0,
    "low_ns": 90.0,
    "high_ns": 110.0,
    "quartiles_ns": [95.0, 105.0],
    "samples_ns": [90.0, 100.0, 110.0],
    "ratio_to_heddle": None,
    "gigabytes_per_second": 1.0,
    "bandwidth_share": 0.1,
    "preparation": [],
    "note": None,
}

SCIPY = {
    **ENTRY,
    "id": "scipy",
    "label": "SciPy",
    "median_ns": 200.0,
    "ratio_to_heddle": {
        "value": 2.0,
        "low": 1.9,
        "high": 2.1,
        "paired": 2.0,
        "verdict": "faster",
        "statement": "SciPy takes 2.0 times as long as Heddle",
    },
}

RESULT = {
    "verification": {"ok": True, "reference": "scipy", "max_error": 0.0, "tolerance": 1e-12},
    "entries": [ENTRY, SCIPY],
    "control": {"value": 1.001, "low": 0.995, "high": 1.006, "resolution": 0.02, "quiet": True},
    "bytes_moved": 1000.0,
    "threads": 1,
    "machine": MACHINE,
    "protocol": {"rounds": 3},
    "inputs": [],
    "sandbox": {},
    "date": "2026-01-01T00:00:00Z",
}


def say(**event: Any) -> None:
    print(json.dumps(event), flush=True)


def behave(job: dict[str, Any]) -> None:
    match job["plan"].get("run", {}).get("baselines", ["scipy"])[0]:
        case "segfault":
            ctypes.string_at(0)
        case "abort":
            os.abort()
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "memory":
            bytearray(1 << 45)
        case "hang":
            say(event="progress", phase="timing", fraction=0.5, message="hanging")
            time.sleep(600)
        case "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            subprocess.Popen(["sleep", "600"], start_new_session=True)
            say(event="progress", phase="timing", fraction=0.5, message="hanging")
            time.sleep(600)
        case "flood":
            while True:
                print("x" * 65_536)
        case "bomb":
            while True:
                with contextlib.suppress(OSError):
                    if os.fork() == 0:
                        time.sleep(600)
        case "disk":
            with open("filling", "wb") as file:
                while True:
                    file.write(bytes(1 << 20))
        case "many files":
            for number in range(1 << 20):
                pathlib.Path(f"file-{number}").write_bytes(bytes(1 << 22))
        case "resident":
            held = []
            while True:
                held.append(b"x" * (16 << 20))
        case "escape":
            written = []
            for folder in ("/", "/tmp", "/etc", "/var/tmp", "/dev", "/proc"):
                with contextlib.suppress(OSError):
                    pathlib.Path(folder, "heddle-escape").write_text("x")
                    written.append(folder)
            seen = len([name for name in os.listdir("/proc") if name.isdigit()])
            say(event="problem", problem={"title": f"wrote {written}", "detail": f"sees {seen} processes"})
        case "look":
            seen = {}
            for path in job["look"]:
                try:
                    seen[path] = sorted(os.listdir(path)) if os.path.isdir(path) else pathlib.Path(path).read_text()
                except OSError as error:
                    seen[path] = type(error).__name__
            say(event="problem", problem={"title": "Looked", "detail": json.dumps(seen)})
        case "fill the cache":
            told = []
            for number, name in enumerate(job["names"]):
                path = pathlib.Path(os.environ["HEDDLE_CACHE"], name)
                path.parent.mkdir(parents=True, exist_ok=True)
                try:
                    with path.open("wb") as file:
                        for _ in range(job["mebibytes"]):
                            file.write(bytes(1 << 20))
                except OSError as error:
                    told.append([number, error.strerror])
            time.sleep(job["rest"])
            say(event="problem", problem={"title": "Filled", "detail": json.dumps(told)})
        case "keep a kernel":
            from heddle.runtime.native import cache as kernels

            kernel, cache = kernels.store("a" * 40, b"machine code"), pathlib.Path(os.environ["HEDDLE_CACHE"])
            (kernel.parent / f"{'b' * 40}.{'0' * 32}.so").write_bytes(b"of a stranger")
            (kernel.parent / f"{'c' * 40}.{'0' * 32}.so").symlink_to("/etc/passwd")
            os.mkfifo(kernel.parent / f"{'d' * 40}.{'0' * 32}.so")
            (cache / "pocl").symlink_to("/etc")
            (cache / "cupy").mkdir(exist_ok=True)
            (cache / "cupy" / "kernel.cubin").write_bytes(b"compiled")
            for key in cache.glob("seal-*.key"):
                key.write_bytes(bytes(32))
            say(event="problem", problem={"title": kernel.name, "detail": str(kernel)})
        case "write":
            written = []
            for folder in job["into"]:
                with contextlib.suppress(OSError):
                    pathlib.Path(folder, "heddle-planted").write_text("x")
                    pathlib.Path(folder, "heddle-planted").unlink()
                    written.append(folder)
            say(event="problem", problem={"title": "Wrote", "detail": json.dumps(written)})
        case "system calls":
            libc = ctypes.CDLL(None, use_errno=True)
            errors = {}
            for name, number, *arguments in job["calls"]:
                ctypes.set_errno(0)
                answer = libc.syscall(number, *(ctypes.c_long(each) for each in arguments))
                errors[name] = ctypes.get_errno() if answer < 0 else 0
            # What kernels need: threads, processes, and the compiler's own children.
            errors["sh"] = subprocess.run(["sh", "-c", "exit 7"]).returncode
            said = []
            thread = threading.Thread(target=lambda: said.append(1))
            thread.start()
            thread.join()
            errors["threads"] = len(said)
            say(event="problem", problem={"title": "Called", "detail": json.dumps(errors)})
        case "silent":
            return
        case "status":
            print("the reason is here", file=sys.stderr)
            sys.exit(3)
        case "problem":
            say(event="problem", problem={"title": "No", "detail": "It cannot be done."})
        case "refused":
            diagnostic = {"code": "input/shape", "severity": "error", "message": "The shape of A does not fit."}
            rest = {"location": None, "expected": None, "found": None, "candidates": [], "hint": None, "fixes": []}
            problem = {"title": "Refused", "detail": diagnostic["message"], "diagnostics": [{**diagnostic, **rest}]}
            say(event="problem", problem=problem)
        case "malformed":
            say(event="result", result={**RESULT, "entries": "none"})
        case "network":
            import socket

            with socket.socket() as probe:
                probe.settimeout(2)
                reached = probe.connect_ex(("127.0.0.1", int(job["plan"]["run"]["threads"]) + 1024)) == 0
            say(event="problem", problem={"title": "Reached" if reached else "Unreachable", "detail": "-"})
        case "noisy":
            say(
                event="result",
                result={**RESULT, "control": {**RESULT["control"], "low": 0.5, "high": 1.9, "quiet": False}},
            )
        case "slow":
            for step in range(10):
                say(event="progress", phase=f"step-{step}", fraction=step / 10, message="working")
                time.sleep(0.2)
            say(event="result", result=RESULT)
        case _:
            print("a library prints something", flush=True)
            say(event="progress", phase="timing", fraction=0.5, message="half")
            say(event="result", result=RESULT)


if __name__ == "__main__":
    behave(json.load(sys.stdin))
