"""The preview of a file that is read piece by piece: of each cell with an entry some bytes are in memory, or where the
cells of the tensor are few a bit in each of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import bincount
from heddle.explorer.views.data.packed_cells import Packed
from heddle.explorer.views.data.preview import BINS, degrees_of_counts, preview_view
from heddle.explorer.views.data.preview_schema import PreviewView
from heddle.explorer.views.data.raster import Raster
from heddle.runtime.tensors.coordinates import Entries

Keys = NDArray[Any]
DENSE = 16
"""Cells for each entry, up to which bits take no more room than packed cells and hardly more time."""
PIECE = 1 << 17
"""Entries that are looked at together."""


class Survey:
    """Takes coordinates, and says then what :func:`preview_view` says of them. ``entries`` counts those that came,
    also where several have the same coordinates."""

    def __init__(self) -> None:
        self.shape: tuple[int, ...] = ()
        self.entries = 0
        self._cells: Marked | Packed = Packed(())

    def begin(self, shape: tuple[int, ...], most: int) -> None:
        cells, self.shape = math.prod(shape), shape
        self._cells = Marked(shape) if cells <= DENSE * most else Packed(shape)

    def add(self, columns: tuple[NDArray[np.int64], ...]) -> None:
        self.entries += columns[0].size
        self._cells.add(columns)

    def preview(self, source: str) -> PreviewView:
        """To be called once, at the end."""
        if not self.entries:
            return preview_view(Entries(self.shape, self._none(), np.zeros(0, np.int8)), source)
        cells, shape, order = self._cells, self.shape, len(self.shape)
        raster, bandwidth, nonzeros = Raster(shape, BINS), 0, 0
        for rows, columns_of in cells.last_two():
            raster.add(rows, columns_of)
            nonzeros += rows.size
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


class Marked:
    """A bit for each cell."""

    def __init__(self, shape: tuple[int, ...]) -> None:
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

    def last_two(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Coordinates of all cells with a mark; of a vector, 0 and its coordinate."""
        shape = self._shape
        for piece in self.pieces():
            rows, columns = np.divmod(piece, shape[-1])
            yield (rows % shape[-2] if len(shape) > 1 else np.zeros_like(columns)), columns

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


def _number(columns: tuple[NDArray[np.int64], ...], shape: tuple[int, ...]) -> NDArray[np.int64]:
    numbers = columns[0]
    for column, size in zip(columns[1:], shape[1:], strict=True):
        numbers = numbers * size + column
    return numbers
