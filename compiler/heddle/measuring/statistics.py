"""Medians with bootstrap intervals, and the ratio of two of them with its verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from heddle.measuring.verdicts import told_apart

if TYPE_CHECKING:
    from heddle.measuring.schema import Quotient

Samples = NDArray[np.float64]
_RESAMPLES = 2000
_CONFIDENCE = 0.95

RESOLUTION = 0.02
"""What the protocol can tell apart: the same kernel timed as two contenders (A/A) must differ by less."""


@dataclass(frozen=True, slots=True)
class Median:
    """A median, its 95 % percentile-bootstrap interval, and the quartiles of the samples."""

    value: float
    low: float
    high: float
    quartiles: tuple[float, float]


def median(samples: Samples, seed: int = 0) -> Median:
    """Of at least one sample, in the samples' unit."""
    low, high = _interval(samples, seed)
    first, third = np.quantile(samples, [0.25, 0.75])
    return Median(float(np.median(samples)), low, high, (float(first), float(third)))


def ratio_of(other: Samples, ours: Samples, seed: int = 0, resolution: float = RESOLUTION) -> Quotient:
    """How many times as long ``other`` takes as ``ours``: the quotient of the two medians, so that it never contradicts
    the times that stand beside it. Its interval is that of the quotient over rounds drawn anew, both medians of the
    same rounds: what disturbs a whole round disturbs both. ``paired`` is the median of the quotients round by round.

    The verdict is what these samples alone allow to say, further away from 1 than the resolution: of a run it is what
    ``heddle.measuring.verdicts`` judges that counts.
    """
    rng = np.random.default_rng(seed)
    rounds = rng.integers(0, ours.size, (_RESAMPLES, ours.size))
    low, high = _middle(np.median(other[rounds], axis=1) / np.median(ours[rounds], axis=1))
    verdict = told_apart(low, high, resolution)
    value = float(np.median(other) / np.median(ours))
    # The quotient of few rounds drawn anew may miss that of all.
    low, high = min(low, value), max(high, value)
    return {"value": value, "low": low, "high": high, "paired": float(np.median(other / ours)), "verdict": verdict}


def _interval(samples: Samples, seed: int) -> tuple[float, float]:
    """Percentile bootstrap of the median (Efron 1979)."""
    rng = np.random.default_rng(seed)
    return _middle(np.median(samples[rng.integers(0, samples.size, (_RESAMPLES, samples.size))], axis=1))


def _middle(samples: Samples) -> tuple[float, float]:
    tail = (1 - _CONFIDENCE) / 2
    low, high = np.quantile(samples, [tail, 1 - tail])
    return float(low), float(high)
