"""What a parallel region costs on this machine: waking its threads and waiting for the last of them.

Regions that follow one another cost less than a microsecond on threads that spin while they wait. A kernel in turn
with another library, as in every iterative solver, finds its threads asleep: waking them takes 10 to 30 µs, and where
other programs run on all cores milliseconds. So that is what is measured, in quiet moments, and kept by machine,
compiler and number of threads.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np

from heddle.diagnostics import CompileError
from heddle.runtime.native import c_files, cache, cpu, library, toolchain
from heddle.runtime.native.cache_folder import cache_of_runs, cache_root, write_atomically
from heddle.runtime.native.quiet_moment import MOMENTS, Spread, is_quiet, spread_of

USUAL_SECONDS = 8e-6
"""What is assumed where nothing was measured: between threads that spin and threads that sleep."""

_VERSION = "4"
_REGIONS, _AT_ONCE = 200, 10
_LONGEST_SECONDS = 0.05
_PAUSE_SECONDS = 1e-4
"""Longer than threads spin."""
_LEAST_QUIET = 0.5
"""The share of a measurement that must have been quiet for it to count."""


def recall_region(threads: int) -> float:
    """The seconds that a region of so many threads takes, as far as measured on this machine."""
    spread = spreads().get(threads)
    return USUAL_SECONDS if spread is None else spread.median


def spreads() -> dict[int, Spread]:
    """The same by number of threads with its spread, as far as measured, by runs or by ourselves."""
    moments = _read(cache_of_runs()) | _read(cache_root())
    return {threads: spread_of(seconds) for threads, seconds in moments.items() if seconds}


@functools.cache
def measure_region(threads: int) -> float:
    """The same, measured now where that was not done often enough. The first processes all measure, once each; those
    that met a busy machine do not count. What is usual where there is no C compiler or OpenMP."""
    moments = _read(cache_root())
    seconds = moments.setdefault(threads, [])
    if len(seconds) < MOMENTS:
        try:
            compiler = toolchain.discover()
        except CompileError:
            return USUAL_SECONDS
        if compiler.openmp is None or threads < 2:
            return USUAL_SECONDS
        measurement = _measure(compiler, threads)
        if measurement is not None:
            seconds.append(measurement)
            # A read-only cache folder: measured again next time.
            with suppress(OSError):
                write_atomically(file_of(cache_root(), "region"), json.dumps(moments).encode())
    return spread_of(seconds).median if seconds else USUAL_SECONDS


def empty_region(threads: int) -> Callable[[], float] | None:
    """A call that runs one region on so many threads, which sleep before it, and answers its nanoseconds; None where
    there is no C compiler or OpenMP.

    Raises
    ------
    CompileError
        the compiler does not compile it.
    """
    try:
        compiler = toolchain.discover()
    except CompileError:
        return None
    if compiler.openmp is None or threads < 2:
        return None
    run = _regions(compiler, threads, 1)
    return lambda: 1e9 * run()[0]


def shared_library(compiler: toolchain.Toolchain) -> Path:
    """That of ``parallel_region.c``, built where it is not there yet."""
    return cache.shared_library(c_files.text_of("parallel_region.c"), _VERSION, compiler)


def _regions(compiler: toolchain.Toolchain, threads: int, count: int) -> Callable[[], list[float]]:
    """A call that answers the seconds of so many regions."""
    regions = library.load(shared_library(compiler), "regions")
    places, times = np.zeros(8 * threads, np.int64), np.zeros(count)
    fixed = (library.dimension(count), library.dimension(threads), library.scalar(_PAUSE_SECONDS, "float64"))

    def run() -> list[float]:
        regions(*fixed, library.pointer(places), library.pointer(times))
        return [float(seconds) for seconds in times]

    return run


def _measure(compiler: toolchain.Toolchain, threads: int) -> float | None:
    """The median of the regions between two looks that both found the machine quiet; None where those are too few."""
    run, regions, rounds = _regions(compiler, threads, _AT_ONCE), list[float](), 0
    run()  # also starts the threads
    end = time.monotonic() + _LONGEST_SECONDS
    quiet = is_quiet(threads)
    while rounds * _AT_ONCE < _REGIONS and (time.monotonic() < end or rounds < 2):
        seconds, before = run(), quiet
        quiet = is_quiet(threads)
        regions += seconds if before and quiet else []
        rounds += 1
    return float(np.median(regions)) if len(regions) >= _LEAST_QUIET * rounds * _AT_ONCE else None


def _read(cache_folder: Path) -> dict[int, list[float]]:
    """The seconds of each quiet moment, by number of threads."""
    try:
        document = json.loads(file_of(cache_folder, "region").read_text(encoding="utf-8"))
        return {int(threads): [float(each) for each in seconds] for threads, seconds in document.items()}
    except (OSError, ValueError, TypeError, AttributeError, CompileError):
        return {}


def file_of(cache_folder: Path, fact: str) -> Path:
    """Where a fact about waking threads is kept. Changes with what decides how threads are woken; not with how long
    they spin, which runs, for one, bound."""
    waiting = os.environ.get("OMP_WAIT_POLICY", "").lower()
    facts = (_VERSION, toolchain.discover().identity(), cpu.fingerprint(), str(cpu.available_cores()), waiting)
    return cache_folder / "machine" / f"{fact}-{hashlib.sha256(chr(10).join(facts).encode()).hexdigest()[:16]}.json"
