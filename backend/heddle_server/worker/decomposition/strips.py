"""The columns of factors as small pictures: few numbers for each, and the rows that weigh most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heddle.algorithms.kruskal import Kruskal
from heddle.counts import reduceat

if TYPE_CHECKING:
    from heddle_server.schema.decomposition import StripRecord

Array = NDArray[Any]
COMPONENTS, BINS, TOP = 16, 48, 3
"""At most so many components, those of the largest weights, groups of neighbouring rows, and rows by name."""
DIGITS = 4


def strips_of(model: Kruskal) -> list[StripRecord]:
    """Of each component and mode; of a group of rows the entry of the largest magnitude, the first of several."""
    return [
        {"component": component, "mode": mode, **_strip(factor[:, component])}  # type: ignore[typeddict-item]
        for component in range(min(model.rank, COMPONENTS))
        for mode, factor in enumerate(model.factors)
    ]


def _strip(column: Array) -> dict[str, Any]:
    count = min(BINS, column.size)
    begins = np.arange(count) * column.size // max(count, 1)
    highest = reduceat(np.maximum, column, begins) if count else column
    lowest = reduceat(np.minimum, column, begins) if count else column
    bins = np.where(np.abs(lowest) > np.abs(highest), lowest, highest)
    order = np.argsort(-np.abs(column), kind="stable")[:TOP]
    return {
        "bins": [_short(value) for value in bins],
        "top": [{"row": int(row), "value": _short(column[row])} for row in order if column[row] != 0],
    }


def _short(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
