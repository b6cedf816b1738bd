"""``heddle prove soak --minutes N``: lesson after lesson, and the memory of server and workers stays flat."""

from __future__ import annotations

import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psutil

from proofs.class_of_100 import attend
from proofs.report import machine
from tests.backend.serving import ColdServer, Server

SAMPLE_SECONDS = 5.0
STUDENTS, LESSON_SECONDS = 20, 40.0
# Caches fill and pools start in the first part; it does not count.
WARM_SHARE = 0.3
ALLOWED_GROWTH = 0.03
# Of compiled plans, which are all different: small, so that it is full when the warm part ends, and only leaks grow.
CACHE_BYTES = 256 << 10


def prove_soak(minutes: float) -> tuple[dict[str, Any], list[str]]:
    """Memory over time in bytes, and what grew or failed."""
    memory: list[tuple[float, int]] = []
    errors, lessons = Counter[str](), 0
    with tempfile.TemporaryDirectory() as folder:
        server = ColdServer(Path(folder) / "data", visitor_queued=2, compile_cache_bytes=CACHE_BYTES).start()
        ended = threading.Event()
        watching = threading.Thread(target=watch, args=(server, memory, ended))
        watching.start()
        try:
            until = time.monotonic() + 60 * minutes
            while time.monotonic() < until:
                _, wrong = attend(server, Path(folder), STUDENTS, LESSON_SECONDS)
                errors.update(wrong)
                lessons += 1
        finally:
            ended.set()
            watching.join()
            server.stop()
    early, late = parts(memory)
    growth = late / early - 1
    proof = {
        "minutes": minutes, "lessons": lessons, "students": STUDENTS, "errors": dict(errors),
        "early_bytes": early, "late_bytes": late, "growth": round(growth, 4),
        "bytes_over_seconds": [[round(at), size] for at, size in memory], "machine": machine(),
    }  # fmt: skip
    broken = [f"memory grew by {growth:.1%}, allowed {ALLOWED_GROWTH:.0%}"] if growth > ALLOWED_GROWTH else []
    return proof, [*broken, *(f"{what}: {times} times" for what, times in errors.items())]


def watch(server: Server, memory: list[tuple[float, int]], ended: threading.Event) -> None:
    begun = time.monotonic()
    while not ended.wait(SAMPLE_SECONDS):
        memory.append((time.monotonic() - begun, resident(server)))


def resident(server: Server) -> int:
    """Of the server and what lives as long as it: the children of single runs come and go."""
    assert server.process is not None
    top = psutil.Process(server.process.pid)
    size = 0
    for one in [top, *top.children(recursive=True)]:
        try:
            if "heddle_server.engine.children.sandbox" not in one.cmdline():
                size += one.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return size


def parts(memory: list[tuple[float, int]]) -> tuple[int, int]:
    """The median of the first and of the last third after warming up."""
    warm = [size for _, size in memory][int(WARM_SHARE * len(memory)) :]
    third = max(1, len(warm) // 3)
    return sorted(warm[:third])[third // 2], sorted(warm[-third:])[third // 2]
