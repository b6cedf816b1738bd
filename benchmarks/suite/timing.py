"""What is kept of the samples of one contender."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heddle.measuring.statistics import median, ratio_of


def timed(samples: Sequence[Sequence[float]], place: int, prepared: float = 0.0) -> dict[str, Any]:
    """The median of contender ``place`` with its interval, and its ratio to the first one; ``prepared`` milliseconds
    were spent before."""
    middle = median(samples[place])
    return {
        "median_ns": middle.value,
        "low_ns": middle.low,
        "high_ns": middle.high,
        "prepared_ms": prepared,
        "ratio": ratio_of(samples[place], samples[0]) if place else None,
        "stream_share": None,
    }
