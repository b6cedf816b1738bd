"""What a parallel region costs on this machine: waking its threads and waiting for the last of them.

Regions that follow one another cost less than a microsecond on threads that spin while they wait. A kernel in turn
with another library, as in every iterative solver, finds its threads asleep: waking them takes 10 to 30 µs, and where
other programs run on all cores up to half a millisecond. So that is what is measured, and kept by machine, compiler and
number of threads.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import json
import os
import time
from pathlib import Path

import numpy as np

from compiler.diagnostics import CompileError
from compiler.runtime.native import c_files, cache, cpu, library, toolchain
from compiler.runtime.native.cache_folder import cache_root, write_atomically

USUAL_SECONDS = 8e-6
"""What is assumed where nothing was measured: between threads that spin and threads that sleep."""

_VERSION = "2"
_REGIONS, _AT_ONCE = 200, 10
_LONGEST_SECONDS = 0.05
_PAUSE_SECONDS = 1e-4
"""Longer than threads spin."""
_SHARE = 0.75
"""So many of the regions cost at most what counts: one in four may have met another program."""
_MEASUREMENTS = 5


def known(threads: int) -> float:
    """The seconds that a region of so many threads takes, as far as measured on this machine."""
    found, _ = _read().get(str(threads), (USUAL_SECONDS, 0))
    return found


@functools.cache
def measured(threads: int) -> float:
    """The same, measured now where that was not done often enough. The first few processes all measure, once each, and
    the least counts: one of them may have met a busy machine. What is usual where there is no C compiler or OpenMP."""
    kept = _read()
    least, times = kept.get(str(threads), (float("inf"), 0))
    if times < _MEASUREMENTS:
        try:
            compiler = toolchain.discover()
        except CompileError:
            return USUAL_SECONDS
        if compiler.openmp is None or threads < 2:
            return USUAL_SECONDS
        least = min(least, _measure(compiler, threads))
        kept[str(threads)] = (least, times + 1)
        try:
            write_atomically(_file(), json.dumps(kept).encode())
        except OSError:
            return least  # A read-only cache folder: measured again next time.
    return least


def _measure(compiler: toolchain.Toolchain, threads: int) -> float:
    regions = library.load(cache.shared_library(c_files.text_of("parallel_region.c"), _VERSION, compiler), "regions")
    places, times, found = np.zeros(8 * threads, np.int64), np.zeros(_AT_ONCE), list[float]()
    fixed = (ctypes.c_int64(_AT_ONCE), ctypes.c_int64(threads), ctypes.c_double(_PAUSE_SECONDS))
    end = time.monotonic() + _LONGEST_SECONDS
    while len(found) < _REGIONS and (time.monotonic() < end or len(found) < 2 * _AT_ONCE):
        regions(*fixed, library.pointer(places), library.pointer(times))
        found += times.tolist()
    return float(np.quantile(found[_AT_ONCE:], _SHARE))  # the first ones also start the threads


def _read() -> dict[str, tuple[float, int]]:
    """Least seconds and number of measurements by number of threads."""
    try:
        found = json.loads(_file().read_text(encoding="utf-8"))
        return {str(int(threads)): (float(least), int(times)) for threads, (least, times) in found.items()}
    except (OSError, ValueError, TypeError, AttributeError, CompileError):
        return {}


def _file() -> Path:
    """Changes with what decides how threads are woken; not with how long they spin, which runs, for one, bound."""
    waiting = os.environ.get("OMP_WAIT_POLICY", "").lower()
    facts = (_VERSION, toolchain.discover().identity(), cpu.fingerprint(), str(cpu.available_cores()), waiting)
    return cache_root() / "machine" / f"region-{hashlib.sha256(chr(10).join(facts).encode()).hexdigest()[:16]}.json"
