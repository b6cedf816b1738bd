"""In which rounds a contender of several threads could not have its cores.

A kernel on one thread that is put off its core goes on later, and most rounds of a busy machine do not see that. One on
several ends with the last of its threads: whenever any of them waits, all do, and its median is that of the machine.
So no verdict rests on rounds in which it waited.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heddle.measuring.system_load import Reading
from heddle.runtime.native import parallel_region

LACKED = 0.1
"""The share of a sample in which its threads could go on and had no core: the median of so many rounds is then wrong by
more than what controls of a quiet machine show."""

FAR = 10.0
"""How many times its quiet median an empty region must take to say that a core was not free: a busy core is given away
after milliseconds."""

SLICE_NS = 1e6
"""What a thread that was put off its core waits for at least: the least that Linux lets the next one run."""

MOST_WAKE_NS = 50_000.0
"""What waking a thread costs on most machines, at most. Where it takes longer, on virtual machines whose cores sleep,
the first quiet moment tells; where there was none, regions that take longer are those of a busy machine."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """Of one contender: how many ``threads`` it has, how many ``calls`` make one of its ``samples`` (nanoseconds per
    call), and what each of them lost."""

    threads: int
    calls: int
    samples: NDArray[np.float64]
    lost: Sequence[Reading]


def starved_rounds(rounds: Rounds, region: NDArray[np.float64] | None, wake_ns: float) -> list[int]:
    """The numbers of the rounds in which the contender could not have its cores; none of one on a single thread.

    Where the system says for how long threads waited, that decides, without what waking them usually takes: a thread
    waits for a core that sleeps as well, which is the kernel's and not another program's. Where one was put off its
    core, others wanted it, and all waiting counts. Elsewhere each involuntary switch counts as the least that it costs,
    and the empty region of the round, ``region``, says whether the cores were free at the time.
    """
    if rounds.threads < 2:
        return []
    # Each call may wake the threads; of few calls, each may take three times what is usual.
    waking = (rounds.calls + 2 * math.sqrt(rounds.calls)) * (rounds.threads - 1) * wake_ns
    flagged = []
    for number, (sample, reading) in enumerate(zip(rounds.samples, rounds.lost, strict=True)):
        elapsed = float(sample) * rounds.calls
        if reading.waited_ns is not None:
            starved = reading.waited_ns - (0 if reading.involuntary else waking) > LACKED * elapsed
        else:
            switched = (reading.involuntary or 0) * SLICE_NS > LACKED * elapsed
            starved = switched or (region is not None and float(region[number]) > FAR * wake_ns)
        if starved:
            flagged.append(number)
    return flagged


def usual_wake_ns(known: float | None, region: NDArray[np.float64] | None) -> float:
    """What waking the threads takes when nothing else runs: ``known`` seconds of quiet moments; else the quicker ones
    of this run's regions, as far as waking can account for them."""
    if known is not None:
        return known * 1e9
    if region is None:
        return parallel_region.USUAL_SECONDS * 1e9
    return min(float(np.quantile(region, 0.1)), MOST_WAKE_NS)
