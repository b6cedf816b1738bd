"""A preview of data: where its nonzeros lie (a spy plot), and how many each row and column has: what
the choice of a format and of a balanced schedule turns on (the covariates of docs/sources.toml X3 and X6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import bincount
from heddle.diagnostics import CompileError
from heddle.explorer.views.data.preview_schema import DegreeBinView, DegreesView, PreviewView
from heddle.explorer.views.data.raster import raster_of
from heddle.explorer.views.diagnostics import diagnostic_view
from heddle.runtime.tensors.coordinates import Entries, sort_and_sum

BINS = 128
"""Of the spy plot, in each direction."""


def preview_view(entries: Entries, source: str) -> PreviewView:
    """``source`` says where the data come from. Entries with equal coordinates count once."""
    order = len(entries.shape)
    columns = sort_and_sum(entries, tuple(range(order))).columns
    matrix = order == 2
    return PreviewView(
        ok=True,
        diagnostics=[],
        source=source,
        shape=list(entries.shape),
        nonzeros=int(columns[0].size) if columns else 1,
        raster=raster_of(columns, entries.shape, BINS) if columns else None,
        degrees=[degrees_of(columns[dimension], dimension, entries.shape[dimension]) for dimension in range(order)],
        bandwidth=_bandwidth(columns) if matrix else None,
        symmetric=_symmetric(columns, entries.shape) if matrix and entries.shape[0] == entries.shape[1] else None,
    )


def refused_preview(source: str, error: CompileError) -> PreviewView:
    """The answer where there is nothing to look at."""
    return PreviewView(
        ok=False,
        diagnostics=[diagnostic_view(diagnostic) for diagnostic in error.diagnostics],
        source=source,
        shape=[],
        nonzeros=0,
        raster=None,
        degrees=[],
        bandwidth=None,
        symmetric=None,
    )


def degrees_of(coordinates: NDArray[Any], dimension: int, size: int) -> DegreesView:
    """Of the ``size`` coordinates of a dimension; memory grows with the entries alone, however large the dimension."""
    degrees, times = np.unique(_counts(coordinates, size), return_counts=True)
    return degrees_of_counts(dict(zip(degrees.tolist(), times.tolist(), strict=True)), dimension, size)


def degrees_of_counts(counts: Mapping[int, int], dimension: int, size: int) -> DegreesView:
    """``counts`` says how many coordinates have so many entries, of those that have any."""
    entries, empty = sum(degree * times for degree, times in counts.items()), size - sum(counts.values())
    return DegreesView(
        dimension=dimension,
        size=size,
        empty=empty,
        least=min(counts, default=0) if not empty else 0,
        mean=entries / size if size else 0.0,
        most=max(counts, default=0),
        gini=gini(counts, size),
        bins=_bins(counts, empty),
    )


def _counts(coordinates: NDArray[Any], size: int) -> NDArray[np.int64]:
    """How often each coordinate occurs that occurs at all, in the order of the coordinates."""
    if size > 4 * coordinates.size:
        return np.unique_counts(coordinates).counts
    counts = bincount(coordinates, minlength=size)
    return counts[counts > 0]


def gini(counts: Mapping[int, int], size: int) -> float:
    """The Gini coefficient of ``size`` numbers, of which ``counts`` has those that are not zero, by how often each
    occurs."""
    total = sum(number * times for number, times in counts.items())
    if total == 0:
        return 0.0
    rank, weighted = size - sum(counts.values()), 0
    for number, times in sorted(counts.items()):
        # The ranks of equal numbers are rank + 1 to rank + times.
        weighted += number * (times * (2 * rank + times + 1) - times * (size + 1))
        rank += times
    return weighted / (size * total)


def _bins(counts: Mapping[int, int], empty: int) -> list[DegreeBinView]:
    """0, 1, 2 to 3, 4 to 7, …, up to the largest."""
    bins = [DegreeBinView(least=0, most=0, slices=empty)] if empty else []
    slices = [0] * max((degree.bit_length() for degree in counts), default=0)
    for degree, times in counts.items():
        slices[degree.bit_length() - 1] += times
    return bins + [
        DegreeBinView(least=1 << place, most=(2 << place) - 1, slices=number) for place, number in enumerate(slices)
    ]


def _bandwidth(columns: tuple[NDArray[Any], ...]) -> int:
    row, column = (column.astype(np.int64) for column in columns)
    return int(np.abs(row - column).max(initial=0))


def _symmetric(columns: tuple[NDArray[Any], ...], shape: tuple[int, ...]) -> bool:
    """``columns`` are sorted, so that the transposed ones must be the same once they are. Most patterns that are not
    their own mirror image show it in how many entries their rows and columns have, which takes no sorting."""
    row, column = columns
    if not np.array_equal(_counts(row, shape[0]), _counts(column, shape[1])):
        return False
    mirrored = sort_and_sum(Entries(shape, columns[::-1], np.empty(columns[0].size, np.int8)), (0, 1)).columns
    return all(bool((column == other).all()) for column, other in zip(columns, mirrored, strict=True))
