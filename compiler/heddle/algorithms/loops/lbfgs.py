"""Steps of the limited-memory BFGS method, one at a time, so that it can stop and go on (Nocedal and Wright 2006,
algorithms 7.4, 3.5 and 3.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Objective = Callable[[Array], tuple[float, Array]]
PAIRS = 5
"""Of steps and changes of the gradient that are remembered."""

ENOUGH, FLAT = 1e-4, 0.9
"""A step must lower the objective by this share of what the slope promises, and leave this share of the slope."""

MOST_TRIALS = 25


def direction(gradient: Array, pairs: list[tuple[Array, Array]]) -> Array:
    """Downhill: the gradient times the inverse Hessian as the ``pairs`` know it, oldest first."""
    descent = -gradient
    factors = []
    for step, change in reversed(pairs):
        factor = float(step @ descent) / float(step @ change)
        descent -= factor * change
        factors.append(factor)
    if pairs:
        step, change = pairs[-1]
        descent *= float(step @ change) / float(change @ change)
    for (step, change), factor in zip(pairs, reversed(factors), strict=True):
        descent += (factor - float(change @ descent) / float(step @ change)) * step
    return descent


def remember(pairs: list[tuple[Array, Array]], step: Array, change: Array) -> list[tuple[Array, Array]]:
    """With one more pair, where it has a positive curvature, and at most ``PAIRS``."""
    curvature = float(step @ change)
    if curvature <= 1e-10 * float(change @ change):
        return pairs
    return [*pairs, (step, change)][-PAIRS:]


def search(
    objective: Objective, point: Array, value: float, gradient: Array, along: Array, first: float
) -> tuple[Array, float, Array] | None:
    """A point along a direction where the strong Wolfe conditions hold, its value and its gradient; a lower one where
    none is found; None where nothing is lower."""
    slope = float(gradient @ along)
    if slope >= 0:
        return None
    best: tuple[Array, float, Array] | None = None
    low, low_value, low_slope = 0.0, value, slope
    high: float | None = None
    high_value = value
    step = first
    for _ in range(MOST_TRIALS):
        tried = point + step * along
        trial_value, trial_gradient = objective(tried)
        trial_slope = float(trial_gradient @ along)
        if np.isfinite(trial_value) and trial_value < value and (best is None or trial_value < best[1]):
            best = tried, trial_value, trial_gradient
        if not np.isfinite(trial_value) or trial_value > value + ENOUGH * step * slope or trial_value >= low_value:
            high, high_value = step, trial_value
        elif abs(trial_slope) <= -FLAT * slope:
            return tried, trial_value, trial_gradient
        else:
            if trial_slope * ((high if high is not None else np.inf) - step) >= 0:
                high, high_value = low, low_value
            low, low_value, low_slope = step, trial_value, trial_slope
        if high is None:
            step = 4 * step if low else 2 * step
            continue
        if abs(high - low) <= 1e-14 * max(abs(high), abs(low)):
            break
        step = _between(low, low_value, low_slope, high, high_value)
    return best


def _between(low: float, low_value: float, low_slope: float, high: float, high_value: float) -> float:
    """The least of the parabola through two points, kept away from both."""
    width = high - low
    curvature = (high_value - low_value - low_slope * width) / width**2 if np.isfinite(high_value) else 0.0
    guess = low - low_slope / (2 * curvature) if curvature > 0 else low + width / 2
    nearest, farthest = sorted((low + 0.1 * width, low + 0.9 * width))
    return min(max(guess, nearest), farthest)
