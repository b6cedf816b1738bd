"""Cells of a tensor of any shape, sorted and each once, in a fraction of the room of their coordinates.

Cells are collected until there are :data:`FEW`, sorted and packed into a run; several runs are merged into one.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import bincount
from heddle.explorer.views.data.cell_chunks import Chunk, Columns, Keys, Layout

FEW = 1 << 19
"""Words of cells that are collected as they come."""
CHUNK = 1 << 15
"""Words of cells that are packed together."""
MOST_RUNS = 16
"""Runs side by side, until they are merged: a file may name a cell again and again."""
SLICE = 1 << 17
"""Coordinates whose entries are counted at a time."""
SORTED = 1 << 21
"""Entries whose coordinates are sorted at a time, to be counted."""
BINS = 1 << 14
MIRRORED = 1 << 22
"""Entries whose mirror images are looked for at a time."""
NONE: Keys = np.empty(0, np.uint64)


class Packed:
    """Takes cells as they come, each as often as it likes."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._shape, self._layout = shape, Layout(shape)
        self._runs: list[deque[Chunk]] = []
        self._waiting, self._filled = NONE, 0

    def add(self, columns: Columns) -> None:
        keys = self._layout.keys_of(columns)
        if not self._waiting.size:
            self._waiting = np.empty(max(FEW // self._layout.words, 1), keys.dtype)
        while keys.size:
            part = keys[: self._waiting.size - self._filled]
            self._waiting[self._filled : self._filled + part.size] = part
            self._filled += part.size
            keys = keys[part.size :]
            if self._filled == self._waiting.size:
                self._collect()

    def _collect(self) -> None:
        """Makes a run of what waits."""
        keys, self._filled = self._waiting[: self._filled], 0
        if not keys.size:
            return
        keys.sort()
        self._runs.append(
            self._pack(_thin(keys[max(begin - 1, 0) : begin + CHUNK], begin > 0) for begin in _begins(keys))
        )
        if len(self._runs) >= MOST_RUNS:
            self._merge()

    def _merge(self) -> None:
        if len(self._runs) > 1:
            self._runs[:] = [self._pack(self._merged(self._runs))]

    def _pack(self, pieces: Iterator[Keys]) -> deque[Chunk]:
        chunks, most, left = deque[Chunk](), max(CHUNK // self._layout.words, 1), list[Keys]()
        for piece in pieces:
            left.append(piece)
            if sum(keys.size for keys in left) < most:
                continue
            keys = np.concatenate(left)
            for begin in range(0, keys.size - keys.size % most, most):
                chunks.append(Chunk(self._layout.words_of(keys[begin : begin + most])))
            left = [keys[keys.size - keys.size % most :].copy()]
        rest = np.concatenate(left)
        if rest.size:
            chunks.append(Chunk(self._layout.words_of(rest)))
        return chunks

    def _merged(self, runs: list[deque[Chunk]]) -> Iterator[Keys]:
        """The cells of all runs, which are used up: as far as each has told its next cells, at a time."""
        heads = [self._next(run) for run in runs]
        while heads:
            least = min(head[-1] for head in heads)
            parts = []
            for place, head in enumerate(heads):
                end = int(np.searchsorted(head, least, side="right"))
                parts.append(head[:end])
                heads[place] = head[end:] if end < head.size else self._next(runs[place])
            left = [place for place, head in enumerate(heads) if head.size]
            heads, runs = [heads[place] for place in left], [runs[place] for place in left]
            keys = np.concatenate(parts)
            keys.sort(kind="stable")
            yield _thin(keys)

    def _next(self, run: deque[Chunk]) -> Keys:
        return self._layout.keys(run.popleft().words()) if run else NONE

    def _chunks(self) -> Iterator[Chunk]:
        self._collect()
        self._waiting = NONE
        self._merge()
        return (chunk for run in self._runs for chunk in run)

    def last_two(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """The last two coordinates of all cells; of a vector, 0 and its coordinate."""
        last = len(self._shape) - 1
        for chunk in self._chunks():
            if last:
                rows, columns = self._layout.columns_of(chunk, last - 1, last)
            else:
                (columns,) = self._layout.columns_of(chunk, last)
                rows = np.zeros_like(columns)
            yield rows, columns

    def counts(self) -> list[Counter[int]]:
        """Of each dimension, how many coordinates have so many entries, without those that have none."""
        return [self._count(place) for place in range(len(self._shape))]

    def _count(self, place: int) -> Counter[int]:
        if place == 0:
            return _count_sorted(self._layout.columns_of(chunk, 0)[0] for chunk in self._chunks())
        counts: Counter[int] = Counter()
        for begin, end, entries in self._slices(place, SLICE, SORTED):
            counts += self._count_slice(place, begin, end, entries)
        return counts

    def _count_slice(self, place: int, begin: int, end: int, entries: int) -> Counter[int]:
        columns = self._columns_within(place, begin, end)
        if end - begin > SLICE:
            coordinates, filled = np.empty(entries, np.min_scalar_type(end - begin)), 0
            for column in columns:
                coordinates[filled : filled + column.size] = column
                filled += column.size
            coordinates.sort()
            return _count_sorted(_cut(coordinates))
        lengths = np.zeros(end - begin, np.int64)
        for column in columns:
            lengths += bincount(column, minlength=lengths.size)
        counts: Counter[int] = Counter()
        for piece in _cut(lengths):
            _tally(counts, piece[piece > 0])
        return counts

    def _columns_within(self, place: int, begin: int, end: int) -> Iterator[NDArray[np.int64]]:
        """One coordinate of the cells in which it is from ``begin`` to ``end``, counted from there."""
        for chunk in self._chunks():
            (column,) = self._layout.columns_of(chunk, place)
            if begin > 0 or end < self._shape[place]:
                column = column[(column >= begin) & (column < end)]
            yield column - begin

    def _slices(self, place: int, width: int, most: int) -> Iterator[tuple[int, int, int]]:
        """From and to which coordinate of a dimension to look, and how many entries there are: not more than ``width``
        coordinates, or ``most`` entries; where so many have the same, all of these."""
        size = self._shape[place]
        if size <= width:
            yield 0, size, 0
            return
        step = -(-size // min(BINS, size))
        bins = np.zeros(-(-size // step), np.int64)
        for column in self._columns_within(place, 0, size):
            bins += bincount(column // step, minlength=bins.size)
        begin, entries = 0, 0
        for rank, more in enumerate(bins.tolist()):
            here = rank * step
            if here > begin and entries + more > most and here + step - begin > width:
                yield begin, here, entries
                begin, entries = here, 0
            begin = begin if entries or more else here + step
            entries += more
        if entries:
            yield begin, size, entries

    def is_symmetric(self) -> bool:
        """Of a square matrix: whether what is below the diagonal is the mirror image of what is above."""
        return all(self._is_mirrored(begin, end) for begin, end, _ in self._slices(0, 1, MIRRORED))

    def _is_mirrored(self, begin: int, end: int) -> bool:
        """The same of the rows, and of the mirrored columns, from ``begin`` to ``end``."""
        mirrored = Packed(self._shape)
        for rows, columns in self.last_two():
            below = (rows > columns) & (begin <= columns) & (columns < end)
            mirrored.add((columns[below], rows[below]))
        above = (
            self._layout.keys_of((rows[within], columns[within]))
            for rows, columns in self.last_two()
            if (within := (rows < columns) & (begin <= rows) & (rows < end)).any()
        )
        return _are_same(above, (mirrored._layout.keys(chunk.words()) for chunk in mirrored._chunks()))


def _are_same(left: Iterator[Keys], right: Iterator[Keys]) -> bool:
    """Whether two sequences of cells are alike, however they are cut."""
    ours, theirs = NONE, NONE
    while True:
        ours = ours if ours.size else next((keys for keys in left if keys.size), NONE)
        theirs = theirs if theirs.size else next((keys for keys in right if keys.size), NONE)
        size = min(ours.size, theirs.size)
        if not size:
            return ours.size == theirs.size
        if (ours[:size] != theirs[:size]).any():
            return False
        ours, theirs = ours[size:], theirs[size:]


def _thin(keys: Keys, behind_first: bool = False) -> Keys:
    """Sorted ones, each once; of those behind the first, where that was said already."""
    fresh = np.ones(keys.size, np.bool_)
    fresh[0] = not behind_first
    fresh[1:] = keys[1:] != keys[:-1]
    return keys[fresh]


def _begins(numbers: Keys) -> range:
    return range(0, numbers.size, CHUNK)


def _cut(numbers: Keys) -> Iterator[Keys]:
    return (numbers[begin : begin + CHUNK] for begin in _begins(numbers))


def _count_sorted(pieces: Iterable[NDArray[Any]]) -> Counter[int]:
    """How many numbers come so often, of sorted ones."""
    counts: Counter[int] = Counter()
    last, carried = -1, 0
    for piece in pieces:
        starts = np.flatnonzero(piece[1:] != piece[:-1]) + 1
        lengths = np.diff(starts, prepend=0, append=piece.size)
        if int(piece[0]) == last:
            lengths[0] += carried
        elif carried:
            counts[carried] += 1
        last, carried = int(piece[-1]), int(lengths[-1])
        _tally(counts, lengths[:-1])
    if carried:
        counts[carried] += 1
    return counts


def _tally(counts: Counter[int], lengths: NDArray[Any]) -> None:
    for length, times in zip(*np.unique(lengths, return_counts=True), strict=True):
        counts[int(length)] += int(times)
