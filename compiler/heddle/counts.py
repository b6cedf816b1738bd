"""``repeat``, ``bincount`` and ``reduceat`` for counts and places of 64 bits on every machine.

NumPy casts them to its index type by the safe rule, which refuses 64 bits where that has 32: in WebAssembly. What is
counted fits the memory of such a machine, so it also fits the narrower type.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]


def repeat(values: ArrayLike, counts: ArrayLike, axis: int | None = None) -> Array:
    """``np.repeat``: each of ``values`` as many times as ``counts`` says."""
    return np.repeat(values, _indices(counts), axis)


def bincount(places: ArrayLike, weights: ArrayLike | None = None, minlength: int = 0) -> Array:
    """``np.bincount``: how many of ``places`` are 0, 1, …; with ``weights`` their sums."""
    return np.bincount(_indices(places), weights, minlength)


def reduceat(function: np.ufunc, values: Array, starts: ArrayLike, dtype: Any = None) -> Array:
    """``function.reduceat``: the values from each of ``starts`` up to the next, reduced."""
    return function.reduceat(values, _indices(starts), dtype=dtype)


def _indices(numbers: ArrayLike) -> Array:
    array = np.asarray(numbers)  # an empty list has the dtype of fractions
    return array.astype(np.intp, casting="same_kind" if array.size else "unsafe", copy=False)
