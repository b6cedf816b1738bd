"""Medians with bootstrap intervals, and the verdict of a paired comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from backend.schema.run import Ratio

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


def paired_ratio(other: Samples, ours: Samples, seed: int = 0) -> Ratio:
    """Median of other / ours over rounds, in which both were timed one after the other: above 1, ours is faster.

    The verdict is that of ours: faster or slower only when the whole interval lies on one side of 1, further away from
    it than the resolution.
    """
    ratios = other / ours
    low, high = _interval(ratios, seed)
    verdict: Literal["faster", "slower", "inconclusive"] = "inconclusive"
    if low > 1 + RESOLUTION:
        verdict = "faster"
    elif high < 1 - RESOLUTION:
        verdict = "slower"
    return {"value": float(np.median(ratios)), "low": low, "high": high, "verdict": verdict}


def _interval(samples: Samples, seed: int) -> tuple[float, float]:
    """Percentile bootstrap of the median (Efron 1979)."""
    rng = np.random.default_rng(seed)
    medians = np.median(samples[rng.integers(0, samples.size, (_RESAMPLES, samples.size))], axis=1)
    tail = (1 - _CONFIDENCE) / 2
    low, high = np.quantile(medians, [tail, 1 - tail])
    return float(low), float(high)
