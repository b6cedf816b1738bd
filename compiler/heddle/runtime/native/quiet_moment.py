"""Facts of a machine are measured in quiet moments, several times, and their median counts.

A moment is quiet when every thread that can go on has a core: those that are measured, and whatever else runs. Linux
says how many can; where a system does not, no moment is told from another.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heddle.runtime.native import cpu

MOMENTS = 9
"""So many quiet moments settle a fact, in as many processes."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of what quiet moments gave, with the quartiles ``low`` and ``high``; ``times`` is how many there
    were."""

    median: float
    low: float
    high: float
    times: int


def spread_of(values: Sequence[float]) -> Spread:
    """Of at least one value."""
    low, middle, high = np.quantile(values, [0.25, 0.5, 0.75])
    return Spread(float(middle), float(low), float(high), len(values))


def is_quiet(threads: int, proc: str = "/proc") -> bool:
    """Whether so many threads of this process and all that runs now have a core each."""
    if threads > cpu.available_cores():
        return False
    runnable = _runnable(proc)
    if runnable is None:
        return True
    return max(0, runnable - _runnable_here(proc)) + threads <= (os.cpu_count() or 1)


def _runnable(proc: str) -> int | None:
    """The threads of this machine that run or could: the first number of ``0.00 0.01 0.05 2/345 6789``."""
    try:
        with open(f"{proc}/loadavg", encoding="ascii") as file:
            running, _, all_threads = file.read().split()[3].partition("/")
        # Some sandboxes answer zeros.
        return int(running) if int(all_threads) > 0 else None
    except (OSError, ValueError, IndexError):
        return None


def _runnable_here(proc: str) -> int:
    """Those of this process."""
    count = 0
    try:
        for number in os.listdir(f"{proc}/self/task"):
            with open(f"{proc}/self/task/{number}/stat", encoding="utf-8", errors="replace") as file:
                count += file.read().rpartition(")")[2].split()[:1] == ["R"]
    except OSError:
        pass
    return max(1, count)
