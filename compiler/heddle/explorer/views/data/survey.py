"""The preview of a file that is read piece by piece: of each entry one whole number is in memory, its place among all
cells of the tensor, or where these are few a bit in each of them.

The numbers are sorted where they lie. Turned by one dimension and sorted again, they say the same of the next one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import bincount
from heddle.explorer.views.data.preview import BINS, degrees_of_counts, preview_view
from heddle.explorer.views.data.preview_schema import PreviewView
from heddle.explorer.views.data.raster import Raster
from heddle.runtime.tensors.coordinates import Entries

Keys = NDArray[Any]
DENSE = 16
"""Cells for each entry, up to which bits take half of the room of numbers and hardly more time."""
PIECE = 1 << 17
"""Entries that are looked at together."""
FEW = 1 << 20
"""Entries that are kept as they come. Where there are more, each cell is kept once: a file may name one again and again
in two letters, among many cells."""


class Survey:
    """Takes coordinates, and says then what :func:`preview_view` says of them. ``entries`` counts those that came,
    also where several have the same coordinates."""

    def __init__(self) -> None:
        self.shape: tuple[int, ...] = ()
        self.entries = 0
        self._cells: Cells = Listed((), 0)

    def begin(self, shape: tuple[int, ...], most: int) -> None:
        cells, self.shape = math.prod(shape), shape
        if not 0 < cells < 1 << 63:
            self._cells = Listed(shape, most)
        elif cells <= DENSE * most:
            self._cells = Marked(shape, most)
        else:
            self._cells = Numbered(shape, most)

    def add(self, columns: tuple[NDArray[np.int64], ...]) -> None:
        self.entries += columns[0].size
        self._cells.add(columns)

    def preview(self, source: str) -> PreviewView:
        """To be called once, at the end."""
        if isinstance(self._cells, Listed) or not self.entries:
            columns = self._cells.columns() if self.entries and isinstance(self._cells, Listed) else self._none()
            return preview_view(Entries(self.shape, columns, np.zeros(columns[0].size, np.int8)), source)
        cells, shape, order = self._cells, self.shape, len(self.shape)
        raster, bandwidth, nonzeros = Raster(shape, BINS), 0, 0
        for piece in cells.pieces():
            rows, columns_of = _last_two(piece, shape)
            raster.add(rows, columns_of)
            nonzeros += piece.size
            if order == 2:
                bandwidth = max(bandwidth, int(np.abs(rows - columns_of).max(initial=0)))
        counts = cells.counts()
        square = order == 2 and shape[0] == shape[1]
        return PreviewView(
            ok=True,
            diagnostics=[],
            source=source,
            shape=list(shape),
            nonzeros=nonzeros,
            raster=raster.view(),
            degrees=[degrees_of_counts(counts[place], place, shape[place]) for place in range(order)],
            bandwidth=bandwidth if order == 2 else None,
            symmetric=counts[0] == counts[1] and cells.is_symmetric() if square else None,
        )

    def _none(self) -> tuple[Keys, ...]:
        return tuple(np.empty(0, np.int64) for _ in self.shape)


class Listed:
    """Coordinates as they are, of tensors whose cells no 64 bits count."""

    def __init__(self, shape: tuple[int, ...], most: int) -> None:
        self._shape, self._rows, self._size, self._room = shape, list[NDArray[np.uint32]](), 0, FEW

    def add(self, columns: tuple[NDArray[np.int64], ...]) -> None:
        self._rows.append(np.stack(columns, axis=1).astype(np.uint32))
        self._size += columns[0].size
        if self._size > self._room:
            self._thin()
            self._room = max(FEW, 2 * self._size)

    def _thin(self) -> None:
        rows = np.concatenate([np.empty((0, len(self._shape)), np.uint32), *self._rows])
        self._rows.clear()
        rows = rows[np.lexsort(rows.T)]
        fresh = np.ones(len(rows), np.bool_)
        fresh[1:] = (rows[1:] != rows[:-1]).any(axis=1)
        self._rows.append(rows[fresh])
        self._size = len(self._rows[0])

    def columns(self) -> tuple[Keys, ...]:
        self._thin()
        return tuple(self._rows.pop().T)


class Marked:
    """A bit for each cell."""

    def __init__(self, shape: tuple[int, ...], most: int) -> None:
        self._shape, self._size = shape, math.prod(shape)
        self._bytes = np.zeros(-(-self._size // 8), np.uint8)

    def add(self, columns: tuple[NDArray[np.int64], ...]) -> None:
        numbers = _number(columns, self._shape)
        bits = (numbers & 7).astype(np.uint8)
        # One bit at a time: where a byte is written several times, the same is written.
        for bit in range(8):
            self._bytes[numbers[bits == bit] >> 3] |= np.uint8(1 << bit)

    def pieces(self, begin: int = 0, end: int | None = None) -> Iterator[Keys]:
        """The numbers of the cells with a mark, from ``begin`` on and below ``end``."""
        end = self._size if end is None else end
        for first in range(begin - begin % 8, end, PIECE):
            last = min(first + PIECE, end)
            marks = np.unpackbits(self._bytes[first // 8 : -(-last // 8)], bitorder="little")[: last - first]
            marks[: max(begin - first, 0)] = 0
            yield np.flatnonzero(marks) + first

    def counts(self) -> list[Counter[int]]:
        """Of each dimension, how many coordinates have so many entries, without those that have none."""
        return [self._count(place) for place in range(len(self._shape))]

    def _count(self, place: int) -> Counter[int]:
        """So many coordinates at a time that their counts take no more room than a piece."""
        size, behind = self._shape[place], math.prod(self._shape[place + 1 :])
        counts: Counter[int] = Counter()
        for begin in range(0, size, PIECE):
            end = min(begin + PIECE, size)
            lengths = np.zeros(end - begin, np.int64)
            repeats = range(self._size // (size * behind)) if end - begin < size else range(1)
            for repeat in repeats:
                last = (repeat * size + end) * behind if end - begin < size else self._size
                for piece in self.pieces((repeat * size + begin) * behind, last):
                    lengths += bincount(piece // behind % size - begin, minlength=lengths.size)
            for length, times in zip(*np.unique(lengths[lengths > 0], return_counts=True), strict=True):
                counts[int(length)] += int(times)
        return counts

    def is_symmetric(self) -> bool:
        size = self._shape[0]
        for piece in self.pieces():
            rows, columns = np.divmod(piece, size)
            mirrored = columns * size + rows
            if not bool((self._bytes[mirrored >> 3] >> (mirrored & 7).astype(np.uint8) & 1).all()):
                return False
        return True


class Numbered:
    """The number of each cell that has an entry."""

    def __init__(self, shape: tuple[int, ...], most: int) -> None:
        # Memory that is never written is never taken.
        self._keys: Keys = np.empty(most, np.uint32 if math.prod(shape) < 1 << 32 else np.uint64)
        self._shape, self._filled, self._room, self._thinned = shape, 0, FEW, False

    def add(self, columns: tuple[NDArray[np.int64], ...]) -> None:
        size = columns[0].size
        if self._filled + size > self._room:
            self._filled = _sort_and_thin(self._keys[: self._filled]).size
            self._room = max(FEW, 2 * self._filled + size)
        begin, self._filled = self._filled, self._filled + size
        self._keys[begin : self._filled] = _number(columns, self._shape)

    def pieces(self) -> Iterator[Keys]:
        if not self._thinned:
            self._keys, self._thinned = _sort_and_thin(self._keys[: self._filled]), True
        return _pieces(self._keys)

    def counts(self) -> list[Counter[int]]:
        """As of ``Marked``; behind it, the numbers are as before."""
        counts = []
        for size in self._shape:
            rest = math.prod(self._shape) // size
            counts.append(_count_leading(self._keys, rest))
            if len(self._shape) > 1:
                _turn(self._keys, rest, size)
        return counts

    def is_symmetric(self) -> bool:
        return _is_symmetric(self._keys, self._shape[0])


Cells = Listed | Marked | Numbered


def _number(columns: tuple[NDArray[np.int64], ...], shape: tuple[int, ...]) -> NDArray[np.int64]:
    numbers = columns[0]
    for column, size in zip(columns[1:], shape[1:], strict=True):
        numbers = numbers * size + column
    return numbers


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
