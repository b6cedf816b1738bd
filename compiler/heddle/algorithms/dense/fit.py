"""How well a model fits, from three inner products, and how far it can be seen (docs/understand/decompositions.md)."""

from __future__ import annotations

from math import log2, sqrt

import numpy as np

EPSILON = float(np.finfo(np.float64).eps)


def resolution(stored: int) -> float:
    """The share of ‖X‖² that rounding hides: the squared distance is a difference of numbers near ‖X‖²."""
    return (4 + log2(max(stored, 1))) * EPSILON


def fit_of(norm2: float, model2: float, inner: float, stored: int) -> tuple[float, bool, bool]:
    """``1 − ‖X − M‖ / ‖X‖`` from ‖X‖², ‖M‖² and ⟨X, M⟩; whether it is resolved, else it is at least this; and whether
    the squared distance came out negative beyond rounding, which a nearly singular system does."""
    hidden = resolution(stored)
    share = (norm2 + model2 - 2 * inner) / norm2
    if share < hidden:
        return 1 - sqrt(hidden), False, share < -hidden
    return 1 - sqrt(share), True, False


def comparable(fit: float, stored: int) -> float:
    """By how much the fits of two programs, or of two sweeps, may differ for rounding alone."""
    hidden = resolution(stored)
    return max(1e-10, 8 * hidden / max(1 - fit, sqrt(hidden)))
