"""Timing contenders together in one process: rounds, what the system says meanwhile, and entries that can be judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from heddle.measuring.contender import Contender
from heddle.measuring.entries import entries_of, load_of
from heddle.measuring.rounds import Beside, Protocol, Timings, measure
from heddle.measuring.system_load import SystemLoad
from heddle.runtime.native import parallel_region

if TYPE_CHECKING:
    from heddle.measuring.schema import Entry, Load


@dataclass(frozen=True, slots=True, eq=False)
class Timed:
    """An entry for each contender, in their order; the ``load`` is None where nobody was timed."""

    entries: list[Entry]
    load: Load | None
    timings: Timings


def time_contenders(
    contenders: Sequence[Contender],
    threads: int,
    protocol: Protocol,
    progress: Callable[[float], None],
    bytes_moved: int,
    triad: float | None = None,
    pause: Callable[[], bool] = lambda: False,
) -> Timed:
    """Times ``contenders`` in rounds; the first is ours, which the others are compared with.

    Parameters
    ----------
    threads
        How many a kernel may run on, for the empty parallel region that is timed beside kernels of several threads.
    progress
        Is called with the share of the rounds that is done.
    bytes_moved
        What any of them must move at least.
    triad
        Bandwidth of this machine in GB/s; None where nobody knows.
    pause
        See :func:`heddle.measuring.rounds.measure`.
    """
    several = any(contender.threads > 1 for contender in contenders)
    with SystemLoad() as system:
        before = system.read(), system.read_machine()
        timings = measure(
            [contender.call for contender in contenders],
            protocol,
            progress,
            beside=Beside(True, parallel_region.empty_region(threads) if several else None, system),
            pause=pause,
        )
        involuntary = system.read().since(before[0]).involuntary
        shares = system.read_machine().shares_since(before[1])
    wake = parallel_region.spreads().get(threads)
    entries = entries_of(contenders, timings, bytes_moved, triad, None if wake is None else wake.median)
    load = load_of(entries, timings, involuntary, shares) if contenders else None
    return Timed(entries, load, timings)
