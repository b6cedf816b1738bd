"""The machine's memory bandwidth: STREAM triad (McCalpin), compiled by our own toolchain and kept."""

from __future__ import annotations

import ctypes
import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.runtime.memory import buffers
from heddle.runtime.memory.allocation_limit import memory_limit
from heddle.runtime.native import cache, cpu, library, toolchain
from heddle.runtime.native.cache_folder import cache_of_runs, cache_root, write_atomically
from heddle.runtime.native.quiet_moment import Spread, is_quiet, spread_of
from heddle_server.engine.quiet_time import QuietTime

_TRIAD = """#include <stdint.h>
#include <time.h>

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// The first touch of each array is by the thread that reads or writes it later.
int32_t fill(int64_t n, int64_t threads, double* restrict a, double* restrict b, double* restrict c) {
  #pragma omp parallel for schedule(static) num_threads(threads)
  for (int64_t i = 0; i < n; i++) { a[i] = 0.0; b[i] = 1.0; c[i] = 2.0; }
  return 0;
}

// The time of one a = b + s * c, in seconds.
int32_t triad(int64_t n, int64_t threads, double* restrict a, double* restrict b, double* restrict c,
              double* restrict time) {
  double start = seconds();
  #pragma omp parallel for schedule(static) num_threads(threads)
  for (int64_t i = 0; i < n; i++) a[i] = b[i] + 3.0 * c[i];
  *time = seconds() - start;
  return 0;
}
"""
_VERSION = 3
_REPEATS = 10
_MOMENTS = 5
# STREAM asks for arrays of four times the last cache; this bounds them where caches are huge.
_LARGEST_ARRAY_BYTES = 256 << 20
_SMALLEST_ARRAY_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Moments:
    """GB/s of each moment in which the machine was quiet, and of the best in which it was not."""

    quiet: tuple[float, ...] = ()
    busy: float | None = None

    def __add__(self, other: Moments) -> Moments:
        busy = [each for each in (self.busy, other.busy) if each is not None]
        return Moments((*self.quiet, *other.quiet), max(busy, default=None))

    @property
    def spread(self) -> Spread | None:
        """Of the quiet ones; until there is one, what the machine does at least, of no moment."""
        if self.quiet:
            return spread_of(self.quiet)
        return None if self.busy is None else Spread(self.busy, self.busy, self.busy, 0)


def bandwidth(threads: int, quiet: QuietTime) -> float | None:
    """GB/s of triad with ``threads`` threads (24 bytes per element, as STREAM counts), timed in ``quiet``.

    Runs measure until there are enough moments in which nothing else ran, and the median counts. None when there is too
    little memory for it.
    """
    known = _read(cache_root())
    moments = known.get(threads, Moments())
    settled = len(moments.quiet) >= _MOMENTS
    # A busy machine is measured once, so that there is something to compare with.
    if not settled and (moments.spread is None or is_quiet(threads)):
        measured = _measure(threads, quiet)
        if measured is not None:
            moments += measured
            known[threads] = moments
            text = json.dumps({number: [each.quiet, each.busy] for number, each in known.items()})
            # A read-only cache folder: measured again next time.
            with suppress(OSError):
                write_atomically(_file(cache_root()), text.encode())
    return None if moments.spread is None else moments.spread.median


def spreads() -> dict[int, Spread]:
    """GB/s by number of threads, as far as measured on this machine with this compiler, by runs or by ourselves."""
    moments = _read(cache_of_runs()) | _read(cache_root())
    return {threads: each.spread for threads, each in moments.items() if each.spread is not None}


def _read(cache_folder: Path) -> dict[int, Moments]:
    try:
        moments: dict[str, Any] = json.loads(_file(cache_folder).read_text(encoding="utf-8"))
        return {
            int(threads): Moments(tuple(float(rate) for rate in quiet), None if busy is None else float(busy))
            for threads, (quiet, busy) in moments.items()
        }
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def array_bytes() -> int:
    """Bytes of each of the three arrays."""
    cached = 4 * (cpu.last_level_cache_bytes() or 0)
    return min(max(cached, _SMALLEST_ARRAY_BYTES), _LARGEST_ARRAY_BYTES)


def _file(cache_folder: Path) -> Path:
    facts = (
        f"{_VERSION}\n{toolchain.discover().identity()}\n{cpu.fingerprint()}\n{cpu.available_cores()}\n{array_bytes()}"
    )
    return cache_folder / "machine" / f"stream-{hashlib.sha256(facts.encode()).hexdigest()[:16]}.json"


class Triad:
    """The triad over three arrays of its own, far larger than the caches.

    Raises
    ------
    MemoryError
        the machine has too little memory for the arrays.
    """

    def __init__(self, threads: int) -> None:
        if 4 * array_bytes() > memory_limit():
            raise MemoryError("STREAM's triad needs three arrays that are larger than the caches")
        path = cache.shared_library(_TRIAD, cache.GENERATOR_VERSION, toolchain.discover())
        fill, self._triad = library.load(path, "fill"), library.load(path, "triad")
        count = array_bytes() // 8
        # Its own pool: this much memory must not stay around.
        pool = buffers.BufferPool(limit=0)
        self._arrays = [pool.empty(count, "float64") for _ in range(3)]
        self._time: NDArray[np.float64] = np.zeros(1)
        fixed = [ctypes.c_int64(count), ctypes.c_int64(threads), *map(library.pointer, self._arrays)]
        self._arguments = [*fixed, library.pointer(self._time)]
        self.bytes = 24 * count
        fill(*fixed)

    def run(self) -> float:
        """One triad, in seconds."""
        self._triad(*self._arguments)
        return float(self._time[0])


def _measure(threads: int, quiet: QuietTime) -> Moments | None:
    """One moment. It was quiet where most of its triads ran between two looks that found the machine so; the quickest
    of them counts."""
    try:
        triad = Triad(threads)
    except MemoryError:
        return None
    undisturbed, times = list[float](), list[float]()
    with quiet:
        before = is_quiet(threads)
        for _ in range(_REPEATS):
            quiet.pause()
            times.append(triad.run())
            now = is_quiet(threads)
            undisturbed += times[-1:] if before and now else []
            before = now
    if 2 * len(undisturbed) > _REPEATS:
        return Moments((triad.bytes / min(undisturbed) / 1e9,))
    return Moments((), triad.bytes / min(times) / 1e9)
