"""The preview of a file that is read piece by piece: of each entry one whole number is in memory, its place among all
cells of the tensor.

The numbers are sorted where they lie. Turned by one dimension and sorted again, they say the same of the next one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.explorer.views.data.preview import BINS, degrees_of_counts, preview_view
from heddle.explorer.views.data.preview_schema import PreviewView
from heddle.explorer.views.data.raster import Raster
from heddle.runtime.tensors.coordinates import Entries

Keys = NDArray[Any]
PIECE = 1 << 17
"""Entries that are looked at together."""


class Survey:
    """Takes coordinates, and says then what :func:`preview_view` says of them. ``entries`` counts those that came,
    also where several have the same coordinates."""

    def __init__(self) -> None:
        self.shape: tuple[int, ...] = ()
        self.entries = 0
        self._keys: Keys = np.empty(0, np.uint64)
        self._columns: list[tuple[Keys, ...]] | None = None

    def begin(self, shape: tuple[int, ...], most: int) -> None:
        self.shape, cells = shape, math.prod(shape)
        # Memory that is never written is never taken.
        self._keys = np.empty(most if 0 < cells < 1 << 63 else 0, np.uint32 if cells < 1 << 32 else np.uint64)
        # Tensors whose cells no 64 bits count are kept by their coordinates.
        self._columns = None if 0 < cells < 1 << 63 else []

    def add(self, columns: tuple[NDArray[np.int64], ...]) -> None:
        begin, self.entries = self.entries, self.entries + columns[0].size
        if self._columns is not None:
            self._columns.append(tuple(column.astype(np.uint32) for column in columns))
            return
        keys = columns[0]
        for column, size in zip(columns[1:], self.shape[1:], strict=True):
            keys = keys * size + column
        self._keys[begin : self.entries] = keys

    def preview(self, source: str) -> PreviewView:
        """To be called once, at the end."""
        if self._columns is not None or not self.entries:
            pieces = self._columns or [tuple(np.empty(0, np.int64) for _ in self.shape)]
            columns = tuple(np.concatenate(column) for column in zip(*pieces, strict=True))
            return preview_view(Entries(self.shape, columns, np.zeros(self.entries, np.int8)), source)
        keys = self._keys = _sort_and_thin(self._keys[: self.entries])
        shape, order, raster, bandwidth = self.shape, len(self.shape), Raster(self.shape, BINS), 0
        for piece in _pieces(keys):
            rows, columns = _last_two(piece, shape)
            raster.add(rows, columns)
            if order == 2:
                bandwidth = max(bandwidth, int(np.abs(rows - columns).max(initial=0)))
        counts = []
        for dimension in range(order):
            rest = math.prod(shape) // shape[dimension]
            counts.append(_count_leading(keys, rest))
            if order > 1:
                _turn(keys, rest, shape[dimension])
        square = order == 2 and shape[0] == shape[1]
        return PreviewView(
            ok=True,
            diagnostics=[],
            source=source,
            shape=list(shape),
            nonzeros=int(keys.size),
            raster=raster.view(),
            degrees=[degrees_of_counts(counts[place], place, shape[place]) for place in range(order)],
            bandwidth=bandwidth if order == 2 else None,
            symmetric=counts[0] == counts[1] and _is_symmetric(keys, shape[0]) if square else None,
        )


def _pieces(keys: Keys) -> Iterator[Keys]:
    return (keys[begin : begin + PIECE] for begin in range(0, keys.size, PIECE))


def _sort_and_thin(keys: Keys) -> Keys:
    """Each number once, in the memory that was theirs."""
    keys.sort()
    filled, last = 0, None
    for piece in _pieces(keys):
        fresh = np.empty(piece.size, np.bool_)
        fresh[0], fresh[1:] = last is None or piece[0] != last, piece[1:] != piece[:-1]
        last = piece[-1]
        left = piece[fresh]
        keys[filled : filled + left.size] = left
        filled += left.size
    return keys[:filled]


def _last_two(keys: Keys, shape: tuple[int, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rows, columns = np.divmod(keys.astype(np.int64), shape[-1])
    return (rows % shape[-2] if len(shape) > 1 else np.zeros_like(columns)), columns


def _count_leading(keys: Keys, rest: int) -> Counter[int]:
    """How many coordinates of the leading dimension have so many entries; those without any are not counted."""
    counts: Counter[int] = Counter()
    last, carried = -1, 0
    for piece in _pieces(keys):
        leading = piece // keys.dtype.type(rest)
        starts = np.flatnonzero(np.diff(leading, prepend=leading[:1]) != 0)
        lengths = np.diff(starts, prepend=0, append=leading.size)
        if int(leading[0]) == last:
            lengths[0] += carried
        elif carried:
            counts[carried] += 1
        last, carried = int(leading[-1]), int(lengths[-1])
        for length, times in zip(*np.unique(lengths[:-1], return_counts=True), strict=True):
            counts[int(length)] += int(times)
    if carried:
        counts[carried] += 1
    return counts


def _turn(keys: Keys, rest: int, size: int) -> None:
    """Makes the next dimension the leading one, and this one the last."""
    for piece in _pieces(keys):
        leading, others = np.divmod(piece, keys.dtype.type(rest))
        piece[:] = others * keys.dtype.type(size) + leading
    keys.sort()


def _is_symmetric(keys: Keys, size: int) -> bool:
    """Whether the mirror image of each entry of a square matrix is one as well."""
    for piece in _pieces(keys):
        rows, columns = np.divmod(piece, keys.dtype.type(size))
        mirrored = columns * keys.dtype.type(size) + rows
        places = np.searchsorted(keys, mirrored)
        if not bool((keys[np.minimum(places, keys.size - 1)] == mirrored).all()):
            return False
    return True
