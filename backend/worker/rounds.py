"""Timing: rounds in which every contender is called once, in random order, so that all see the same machine."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Call = Callable[[], object]
Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Protocol:
    """When to stop. Seconds are per contender, but ``cap_seconds``, which bounds the whole."""

    min_rounds: int = 30
    min_seconds: float = 0.5
    max_rounds: int = 1000
    cap_seconds: float = 30.0
    sample_seconds: float = 0.0005
    warm_up_seconds: float = 0.05


BRIEF = Protocol(min_seconds=0.15)
"""While several others wait for the machine: as many rounds at least, and the intervals tell what less time costs."""


@dataclass(frozen=True, slots=True, eq=False)
class Timings:
    """``samples[k]`` are nanoseconds per call of contender k, one per round; each is the mean of ``calls[k]`` calls.

    ``complete`` is False when the cap ended the rounds before there were enough. ``control`` are samples of the first
    contender again, as if it were another one (A/A); None when that was not asked for.
    """

    samples: list[NDArray[np.float64]]
    calls: list[int]
    first_call_ns: list[float]
    rounds: int
    complete: bool
    order_seed: int = field(default=0)
    control: NDArray[np.float64] | None = None


def measure(
    calls: Sequence[Call],
    protocol: Protocol,
    progress: Progress,
    seed: int = 0,
    *,
    control: bool = False,
    pause: Callable[[], bool] = lambda: False,
) -> Timings:
    """Warms every contender up, then times rounds until each has enough samples and time, or the cap is reached.

    ``pause`` is called before each round and each warming up; where others had the machine meanwhile, it answers True,
    and every contender is called once more before it is timed again.
    """
    cold = False
    first: list[float] = []
    repeats: list[int] = []
    for call in calls:
        cold = pause() or cold
        first.append(_elapsed(call, 1))
    for call in calls:
        cold = pause() or cold
        # Calls much shorter than the clock's noise are timed several at a time.
        repeats.append(max(1, round(protocol.sample_seconds * 1e9 / _warm_up(call, protocol))))
    if control and calls:
        calls, repeats = [*calls, calls[0]], [*repeats, repeats[0]]
    rng = np.random.default_rng(seed)
    samples: list[list[float]] = [[] for _ in calls]
    totals = [0.0] * len(calls)
    start = time.perf_counter()
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        while True:
            rounds = len(samples[0]) if samples else 0
            spent = time.perf_counter() - start
            enough = rounds >= protocol.min_rounds and min(totals, default=0.0) >= protocol.min_seconds * 1e9
            if not calls or enough or rounds >= protocol.max_rounds or (spent > protocol.cap_seconds and rounds > 0):
                break
            if pause() or cold:
                _warm_again(calls, protocol)
                cold = False
            for place in rng.permutation(len(calls)):
                elapsed = _elapsed(calls[place], repeats[place])
                samples[place].append(elapsed / repeats[place])
                totals[place] += elapsed
            progress(_share(rounds + 1, totals, spent, protocol))
    finally:
        if collecting:
            gc.enable()
    rounds = len(samples[0]) if samples else 0
    complete = rounds >= protocol.min_rounds
    measured = [np.array(one) for one in samples]
    again = measured.pop() if control and measured else None
    return Timings(measured, repeats[: len(measured)], first, rounds, complete, seed, again)


def _elapsed(call: Call, repeats: int) -> float:
    """Nanoseconds of ``repeats`` calls."""
    start = time.perf_counter_ns()
    for _ in range(repeats):
        call()
    return float(time.perf_counter_ns() - start)


def _warm_up(call: Call, protocol: Protocol) -> float:
    """Calls until caches and threads are warm; returns the shortest call in nanoseconds."""
    end = time.perf_counter() + protocol.warm_up_seconds
    shortest = _elapsed(call, 1)
    for _ in range(2):
        shortest = min(shortest, _elapsed(call, 1))
    while time.perf_counter() < end:
        shortest = min(shortest, _elapsed(call, 1))
    return max(shortest, 1.0)


def _warm_again(calls: Sequence[Call], protocol: Protocol) -> None:
    """A call of each contender; no further ones when those took as long as warming up may."""
    end = time.perf_counter() + protocol.warm_up_seconds
    for call in calls:
        call()
        if time.perf_counter() > end:
            break


def _share(rounds: int, totals: list[float], spent: float, protocol: Protocol) -> float:
    """How far the measurement is, from 0 to 1."""
    by_rounds = rounds / protocol.min_rounds
    by_time = min(totals) / (protocol.min_seconds * 1e9) if protocol.min_seconds > 0 else 1.0
    return min(1.0, max(min(by_rounds, by_time), rounds / protocol.max_rounds, spent / protocol.cap_seconds))
