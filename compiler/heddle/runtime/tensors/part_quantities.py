"""The quantities of a composition's tests, for all entries at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from heddle.counts import bincount
from heddle.formats.parts import Composition, Test
from heddle.runtime.tensors.coordinates import Array, Entries

_LARGEST_KEY = 2**63
_MOST_COUNTS, _FEW_COUNTS = 4, 1 << 16
"""Counts for each entry, and how many more, up to which counting takes less than sorting, and memory that is there."""

Counted = Callable[["Sorted", tuple[int, ...]], Array]


@dataclass(frozen=True, slots=True, eq=False)
class Sorted:
    """Entries, each once, sorted by all dimensions in their order; coordinates have 64 bits. ``known`` remembers what
    has been counted."""

    entries: Entries
    columns: tuple[Array, ...]
    known: dict[tuple[str, tuple[int, ...]], Array]

    @classmethod
    def of(cls, entries: Entries) -> Sorted:
        return cls(entries, tuple(column.astype(np.int64, copy=False) for column in entries.columns), {})

    @property
    def size(self) -> int:
        return int(self.entries.values.size)


def part_numbers(entries: Sorted, composition: Composition) -> Array:
    """The part of each entry, -1 where it passes the tests of none."""
    numbers = np.full(entries.size, -1, dtype=np.int8)
    for place, part in enumerate(composition.parts):
        free = numbers < 0
        for test in part.tests:
            if free.any():
                free &= passes(entries, test)
        numbers[free] = place
    return numbers


def passes(entries: Sorted, test: Test) -> Array:
    """Which entries pass the test."""
    amounts = quantity(entries, test.quantity, test.arguments)
    inside: Array = (amounts >= test.least) & (amounts <= test.most)
    return ~inside if test.excluded else inside


def quantity(entries: Sorted, name: str, arguments: tuple[int, ...]) -> Array:
    """The quantity ``name`` of each entry."""
    key = (name, arguments)
    if key not in entries.known:
        entries.known[key] = _COUNTED[name](entries, arguments)
    return entries.known[key]


def piece_numbers(entries: Sorted, ranges: int, longest: int) -> tuple[Array, Array]:
    """For each entry of a matrix the range of columns that it lies in, and which piece of its row there it is in."""
    in_range, in_piece = ("range of columns", (ranges,)), ("piece in the range", (ranges, longest))
    if in_piece not in entries.known:  # Every bucket of a hyb asks for the same.
        rows, columns = entries.columns
        part = columns // max(1, -(-entries.entries.shape[1] // ranges))
        entries.known[in_range] = part
        entries.known[in_piece] = _rank(_starts(rows, part)) // longest
    return entries.known[in_range], entries.known[in_piece]


def _starts(*keys: Array) -> Array:
    """Where a run of equal keys begins."""
    fresh = np.ones(keys[0].size, dtype=bool)
    fresh[1:] = False
    for key in keys:
        fresh[1:] |= key[1:] != key[:-1]
    return fresh


def _rank(starts: Array) -> Array:
    """The number of each entry in its run, from 0."""
    places = np.arange(starts.size)
    rank: Array = places - places[starts][np.cumsum(starts) - 1] if starts.size else places
    return rank


def _sizes(starts: Array) -> Array:
    """How many entries the run of each entry has."""
    run = np.cumsum(starts) - 1
    sizes: Array = bincount(run, minlength=0)[run] if starts.size else run
    return sizes


def _fibres(entries: Sorted) -> Array:
    if len(entries.columns) == 1:
        starts = np.zeros(entries.size, dtype=bool)
        starts[:1] = True
        return starts
    return _starts(*entries.columns[:-1])


def _piece(entries: Sorted, arguments: tuple[int, ...]) -> Array:
    part, number = piece_numbers(entries, *arguments)
    return _sizes(_starts(entries.columns[0], part, number))


def _alike(keys: Array) -> Array:
    """How many entries have the key of each; keys count from 0 on."""
    if keys.size == 0:
        return keys
    if int(keys.max()) < _MOST_COUNTS * keys.size + _FEW_COUNTS:
        counted: Array = bincount(keys)[keys]
        return counted
    _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    group_sizes: Array = counts[inverse]
    return group_sizes


def _tile(entries: Sorted, arguments: tuple[int, ...]) -> Array:
    height, width = arguments
    rows, columns = entries.columns[0] // height, entries.columns[1] // width
    down, across = (-(-size // block) for size, block in zip(entries.entries.shape, arguments, strict=True))
    if down * across >= _LARGEST_KEY:
        rows, columns = (np.unique(numbers, return_inverse=True)[1] for numbers in (rows, columns))
        across = int(columns.max(initial=0)) + 1
    return _alike(rows * across + columns)


def _diagonal(entries: Sorted, _: tuple[int, ...]) -> Array:
    rows, columns = entries.columns
    return columns - rows


def _depth(entries: Sorted, _: tuple[int, ...]) -> Array:
    """In whole percent, rounded down."""
    diagonal = quantity(entries, "diagonal", ())
    height, width = entries.entries.shape
    lengths = np.minimum(np.minimum(height, width), np.minimum(width - diagonal, height + diagonal))
    depth: Array = 100 * _alike(diagonal + height) // np.maximum(lengths, 1)
    return depth


def _count(entries: Sorted, arguments: tuple[int, ...]) -> Array:
    return _alike(entries.columns[arguments[0]])


_COUNTED: dict[str, Counted] = {
    "length": lambda entries, _: _sizes(_fibres(entries)),
    "slot": lambda entries, _: _rank(_fibres(entries)),
    "piece": _piece,
    "tile": _tile,
    "diagonal": _diagonal,
    "depth": _depth,
    "row": lambda entries, _: entries.columns[0],
    "column": lambda entries, _: entries.columns[-1],
    "along": lambda entries, arguments: entries.columns[arguments[0]],
    "count": _count,
}
