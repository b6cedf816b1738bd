"""Is a result right? The largest error, relative to the scale of each element, against a tolerance by value type."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.measuring.schema import Verification
from heddle.measuring.verification.reference import Reference

# Rounding grows with the number of terms of a sum; these leave room for sums of some million terms in any order.
_TOLERANCES = {"float64": 1e-11, "float32": 2e-4, "complex128": 1e-11, "complex64": 2e-4}


def tolerance_of(dtype: str) -> float:
    """The largest permitted error relative to the sum of magnitudes; 0 for integers."""
    return _TOLERANCES.get(dtype, 0.0)


def compare(result: NDArray[Any], reference: Reference, dtype: str) -> Verification:
    """Errors of ``result`` against the reference. NaN where the reference has a number is an infinite error; the same
    infinity or NaN on both sides is none."""
    if result.shape != reference.values.shape:
        return _verification(float("inf"), reference, dtype)
    if result.size == 0:
        return _verification(0.0, reference, dtype)
    with np.errstate(invalid="ignore", over="ignore"):
        difference = np.abs(result.astype(reference.values.dtype) - reference.values)
        errors = difference / np.where(reference.scale > 0, reference.scale, 1.0)
        same = (result == reference.values) | (np.isnan(result) & np.isnan(reference.values))
    worst = float(np.max(np.where(same, 0.0, np.where(np.isnan(errors), np.inf, errors))))
    return _verification(worst, reference, dtype)


def _verification(error: float, reference: Reference, dtype: str) -> Verification:
    tolerance = tolerance_of(dtype)
    # JSON has no infinity; this is as wrong as a number can be.
    shown = min(error, float(np.finfo(np.float64).max))
    return {"ok": error <= tolerance, "reference": reference.method, "max_error": shown, "tolerance": tolerance}
