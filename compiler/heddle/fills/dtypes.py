"""Fills as values of a dtype: which values differ from one, and which dtype can hold it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.fills.fill import Fill, is_nan, same_value


def same_fill(left: Fill, right: Fill, dtype: str) -> bool:
    """Whether two fills are the same value of ``dtype``: 0.1 and what float32 makes of it are."""
    return same_value(left, right) or (
        dtype in ("float32", "complex64") and same_value(_round(left, dtype), _round(right, dtype))
    )


def _round(value: Fill, dtype: str) -> Fill:
    with np.errstate(all="ignore"):
        rounded: Fill = np.dtype(dtype).type(value).item()
    return rounded


def differing(values: NDArray[Any], fill: Fill) -> NDArray[np.bool_]:
    """Which ``values`` are not the fill, and have to be stored."""
    if is_nan(fill):
        return ~np.isnan(values) if values.dtype.kind in "fc" else np.ones(values.shape, dtype=np.bool_)
    wanted: NDArray[np.bool_] = values != fill
    return wanted


def holds_fill(dtype: str, fill: Fill) -> bool:
    """Whether ``fill`` is a value of ``dtype``; floats may be rounded, but no finite number becomes infinite."""
    kind = np.dtype(dtype)
    if isinstance(fill, complex) and fill.imag and kind.kind != "c":
        return False
    if kind.kind == "c":
        return all(_in_range(part, kind) for part in (complex(fill).real, complex(fill).imag))
    assert not isinstance(fill, complex)
    if kind.kind == "f":
        return _in_range(fill, kind)
    if kind.kind == "b":
        return fill in (0, 1)
    limits = np.iinfo(kind)
    return math.isfinite(fill) and int(limits.min) <= fill <= int(limits.max) and fill == int(fill)


def _in_range(value: float, kind: np.dtype[Any]) -> bool:
    if not math.isfinite(value):
        return True
    with np.errstate(all="ignore"):
        return bool(np.isfinite(kind.type(value)))
