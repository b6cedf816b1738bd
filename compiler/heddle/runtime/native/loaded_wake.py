"""What threads cost a short kernel while other programs keep all cores busy.

A woken thread then finds no free core. What the owner of a parallel region loses by it depends on the OpenMP runtime:
ours does the part of a thread that comes late, others wait for it, and both may lose their core to another program
meanwhile. So it is measured: short regions on all threads and on one thread in turn, beside as many threads as there
are cores that never rest. Their difference is the fact. A machine that is busy anyway measures it as well as a quiet
one, but not for good: moments are far apart, and their median counts once there are a few.
"""

from __future__ import annotations

import functools
import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np

from heddle.diagnostics import CompileError
from heddle.runtime.native import cpu, library, parallel_region, toolchain
from heddle.runtime.native.cache_folder import cache_of_runs, cache_root, write_atomically
from heddle.runtime.native.quiet_moment import MOMENTS, Spread, spread_of

USUAL_SECONDS = parallel_region.USUAL_SECONDS
"""What is assumed before there were enough moments: no more than on a quiet machine."""

LEAST_MOMENTS = 3
"""So many moments make a fact: their median is then not that of a single busy one."""

APART_SECONDS = 600.0
"""Between two moments, so that one busy minute is at most one of them."""

_SECONDS = 0.1
"""Of one moment."""
_PAUSE_SECONDS = 1e-4
"""Before each region, in which its threads fall asleep."""
_STEPS, _AT_ONCE = 15_000, 10
"""A region is short (about 15 µs on each of two threads), but long enough for a thread that is woken to begin its
part."""


def recall_wake(threads: int) -> float:
    """The seconds that threads cost a short region beside busy programs, as far as measured on this machine."""
    fact = spreads().get(threads)
    return USUAL_SECONDS if fact is None else fact.median


def spreads() -> dict[int, Spread]:
    """The same by number of threads with its spread, where there were enough moments, in runs or here."""
    moments = _read(cache_of_runs()) | _read(cache_root())
    return {
        threads: spread_of([seconds for _, seconds in each])
        for threads, each in moments.items()
        if len(each) >= LEAST_MOMENTS
    }


@functools.cache
def measure_wake(threads: int) -> float:
    """The same, after one more moment where those are too few and the last one is long ago."""
    moments = _read(cache_root())
    before, now = moments.setdefault(threads, []), time.time()
    if len(before) < MOMENTS and (not before or abs(now - before[-1][0]) >= APART_SECONDS):
        seconds = _measure(threads)
        if seconds is not None:
            before.append((now, seconds))
            # A read-only cache folder: measured again next time.
            with suppress(OSError):
                write_atomically(parallel_region.file_of(cache_root(), "loaded"), json.dumps(moments).encode())
    return recall_wake(threads)


def _measure(threads: int) -> float | None:
    """One moment; None where there are no parallel regions to measure."""
    try:
        compiler = toolchain.discover()
    except CompileError:
        return None
    if compiler.openmp is None or threads < 2:
        return None
    path = parallel_region.shared_library(compiler)
    keep_busy = library.load(path, "keep_busy")
    alone, together = _regions(path, 1, threads), _regions(path, threads, threads)
    together()  # also starts the threads
    others = [
        threading.Thread(target=keep_busy, args=(library.scalar(_SECONDS, "float64"),), daemon=True)
        for _ in range(cpu.available_cores())
    ]
    for each in others:
        each.start()
    differences = list[float]()
    end = time.monotonic() + 0.9 * _SECONDS
    while not differences or time.monotonic() < end:
        differences.append(together() - alone())
    for each in others:
        each.join()
    return max(0.0, float(np.mean(differences)))


def _regions(path: Path, threads: int, parts: int) -> Callable[[], float]:
    """A call that answers the mean seconds of a few regions that share the same work."""
    shared_work = library.load(path, "shared_work")
    values, total = np.ones(8 * parts), np.zeros(1)
    counts = (_AT_ONCE, threads, parts, _STEPS)
    fixed = (*map(library.dimension, counts), library.scalar(_PAUSE_SECONDS, "float64"))

    def run() -> float:
        total[0] = 0.0
        shared_work(*fixed, library.pointer(values), library.pointer(total))
        return float(total[0]) / _AT_ONCE

    return run


def _read(cache_folder: Path) -> dict[int, list[tuple[float, float]]]:
    """When each moment was, and its seconds, by number of threads."""
    try:
        stored = json.loads(parallel_region.file_of(cache_folder, "loaded").read_text(encoding="utf-8"))
        return {
            int(threads): [(float(when), float(seconds)) for when, seconds in each] for threads, each in stored.items()
        }
    except (OSError, ValueError, TypeError, AttributeError, CompileError):
        return {}
