"""Timing: rounds in which every contender is called once, in random order, so that all see the same machine."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from heddle.measuring.system_load import SILENT, Reading, System

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

    ``complete`` is False when the cap ended the rounds before there were enough. ``again[k]`` are samples of the same
    contender as if it were another one (A/A), NaN in rounds without one; empty when that was not asked for. ``region``
    are nanoseconds of an empty parallel region, one per round. ``lost[k]`` says what each sample of ``samples[k]`` lost
    to other programs.
    """

    samples: list[NDArray[np.float64]]
    calls: list[int]
    first_call_ns: list[float]
    rounds: int
    complete: bool
    order_seed: int = field(default=0)
    again: list[NDArray[np.float64]] = field(default_factory=list)
    region: NDArray[np.float64] | None = None
    lost: list[list[Reading]] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """What is done in the rounds beside timing each contender once. ``control``: each is timed a second time, the first
    one in every round and the others, which cost less so, in every second one. ``region`` answers the nanoseconds of an
    empty parallel region; ``system`` what was lost to other programs."""

    control: bool = False
    region: Callable[[], float] | None = None
    system: System = SILENT


NOTHING_BESIDE = Beside()


def measure(
    calls: Sequence[Call],
    protocol: Protocol,
    progress: Progress,
    seed: int = 0,
    *,
    beside: Beside = NOTHING_BESIDE,
    pause: Callable[[], bool] = lambda: False,
) -> Timings:
    """Warms every contender up, then times rounds until each has enough samples and time, or the cap is reached. The
    time of a contender is that of all its samples, so that controls hardly make a run longer.

    ``pause`` is called before each round and each warming up; where others had the machine meanwhile, it answers True,
    and every contender is called once more before it is timed again.
    """
    cold = False
    first: list[float] = []
    repeats: list[int] = []
    for call in calls:
        cold = pause() or cold
        first.append(_measure_elapsed(call, 1))
    for call in calls:
        cold = pause() or cold
        # Calls much shorter than the clock's noise are timed several at a time.
        repeats.append(max(1, round(protocol.sample_seconds * 1e9 / _warm_up(call, protocol))))
    sampler = _Sampler(calls, repeats, beside)
    rng = np.random.default_rng(seed)
    start = time.perf_counter()
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        while True:
            rounds, shortest = sampler.rounds, min(sampler.totals, default=0.0)
            spent = time.perf_counter() - start
            enough = rounds >= protocol.min_rounds and shortest >= protocol.min_seconds * 1e9
            if not calls or enough or rounds >= protocol.max_rounds or (spent > protocol.cap_seconds and rounds > 0):
                break
            if pause() or cold:
                _warm_again(calls, protocol)
                cold = False
            sampler.time_round(rng)
            progress(_share(rounds + 1, sampler.totals, spent, protocol))
    finally:
        if collecting:
            gc.enable()
    return Timings(
        [np.array(sample) for sample in sampler.samples],
        repeats,
        first,
        sampler.rounds,
        sampler.rounds >= protocol.min_rounds,
        seed,
        [np.array(sample) for sample in sampler.again] if beside.control else [],
        np.array(sampler.regions) if sampler.regions else None,
        sampler.lost,
    )


class _Sampler:
    """Times rounds, and has what they gave so far; ``totals`` are nanoseconds by contender, its controls among them."""

    def __init__(self, calls: Sequence[Call], repeats: Sequence[int], beside: Beside) -> None:
        self._calls, self._repeats, self._beside = calls, repeats, beside
        self.rounds = 0
        self.samples: list[list[float]] = [[] for _ in calls]
        self.again: list[list[float]] = [[] for _ in calls]
        self.lost: list[list[Reading]] = [[] for _ in calls]
        self.regions: list[float] = []
        self.totals = [0.0] * len(calls)
        if beside.region is not None and calls:
            beside.region()  # the first one also starts the threads
        beside.system.look_for_threads()

    def time_round(self, rng: np.random.Generator) -> None:
        """Every contender, the controls of some, and the empty region, in an order of chance."""
        places = range(len(self._calls))
        turns: list[Callable[[], None]] = [partial(self._time, place) for place in places]
        for place in places:
            if self._beside.control and _has_control(place, self.rounds):
                turns.append(partial(self._time_again, place))
            else:
                self.again[place].append(np.nan)
        if self._beside.region is not None:
            turns.append(partial(self._time_region, self._beside.region))
        for turn in rng.permutation(len(turns)):
            turns[turn]()
        self.rounds += 1

    def _time(self, place: int) -> None:
        before = self._beside.system.read()
        self.samples[place].append(self._sample(place))
        self.lost[place].append(self._beside.system.read().since(before))

    def _time_again(self, place: int) -> None:
        self.again[place].append(self._sample(place))

    def _time_region(self, region: Callable[[], float]) -> None:
        self.regions.append(region())

    def _sample(self, place: int) -> float:
        repeats = self._repeats[place]
        elapsed = _measure_elapsed(self._calls[place], repeats)
        self.totals[place] += elapsed
        return elapsed / repeats


def _has_control(place: int, number: int) -> bool:
    """Whether the contender at that place is timed twice in that round."""
    return place == 0 or (place + number) % 2 == 0


def _measure_elapsed(call: Call, repeats: int) -> float:
    """Nanoseconds of ``repeats`` calls."""
    start = time.perf_counter_ns()
    for _ in range(repeats):
        call()
    return float(time.perf_counter_ns() - start)


def _warm_up(call: Call, protocol: Protocol) -> float:
    """Calls until caches and threads are warm; returns the shortest call in nanoseconds."""
    end = time.perf_counter() + protocol.warm_up_seconds
    shortest = _measure_elapsed(call, 1)
    for _ in range(2):
        shortest = min(shortest, _measure_elapsed(call, 1))
    while time.perf_counter() < end:
        shortest = min(shortest, _measure_elapsed(call, 1))
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
