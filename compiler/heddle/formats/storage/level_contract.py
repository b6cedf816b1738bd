"""The contract of a level kind, checked at each level that is built.

Loops trust it: they take positions one after the other, and merge by the coordinates that they meet. A kind that breaks
it would give wrong numbers without an error, in one format and not in the next.
"""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from heddle.diagnostics import InternalError
from heddle.formats.storage.level_storage import Array, BuiltLevel, LevelEntries, OrderedBy, StorageKind


def check_contract(kind: StorageKind, entries: LevelEntries, built: BuiltLevel) -> None:
    """Look at what ``kind`` built of ``entries``.

    Raises
    ------
    InternalError
        for an ``order`` that is no permutation, for positions that are out of range or do not ascend in that order,
        for coordinates that do not ascend below a parent although the kind says so, and for one position that holds
        entries of several coordinates or parents.
    """
    count = entries.coordinates.size
    parent, coordinates = entries.parent_positions, entries.coordinates
    if built.order is not None:
        order = built.order
        if order.shape != (count,) or (count and not (np.sort(order) == np.arange(count)).all()):
            _refuse(kind, "order is a permutation of the entries", f"{_shown(order)} for {count} entries")
        parent, coordinates = parent[order], coordinates[order]
    positions = np.arange(count, dtype=np.int64) if built.positions is None else built.positions
    if positions.shape != (count,):
        _refuse(kind, f"positions has one element for each of the {count} entries", f"shape {positions.shape}")
    if not count:
        return
    steps, beside = np.diff(positions), parent[1:] == parent[:-1]
    if (steps < 0).any():
        text = "positions ascend, in the order of the entries that order makes"
        _refuse(kind, text, f"{_shown(positions[_around(steps < 0)])}")
    if positions[0] < 0 or positions[-1] >= built.count:
        _refuse(kind, f"positions are from 0 to {built.count - 1}", f"{positions[0]} to {positions[-1]}")
    if (parent[1:] < parent[:-1]).any():
        _refuse(kind, "the positions below one parent follow those below the parent before it", _shown(parent))
    same = steps == 0
    if (same & ~(beside & (coordinates[1:] == coordinates[:-1]))).any():
        wrong = _around(same & ~(beside & (coordinates[1:] == coordinates[:-1])))
        text = "a position holds one coordinate below one parent"
        _refuse(kind, text, f"coordinates {_shown(coordinates[wrong])} at position {positions[wrong][0]}")
    falls = beside & (coordinates[1:] < coordinates[:-1])
    if kind.ordered_by is OrderedBy.COORDINATES and entries.level.ordered and falls.any():
        text = "the coordinates below one parent ascend with their positions, as ordered_by says"
        _refuse(kind, text, _shown(coordinates[_around(falls)]))


def check_stored(kind: StorageKind, number: int, stored: Array, coordinates: Array) -> None:
    """Compare the ``coordinates`` of entries at level ``number`` (from 1) with what is ``stored`` at their positions.

    Raises
    ------
    InternalError
        where they differ: ``build`` and ``expand`` do not mean the same.
    """
    wrong = np.flatnonzero(stored != coordinates)
    if wrong.size:
        text = f"level {number} has at the position of each entry the coordinate of that entry"
        actual, expected = int(stored[wrong[0]]), int(coordinates[wrong[0]])
        _refuse(kind, text, f"{actual} at that of an entry with coordinate {expected}")


def _around(wrong: Array) -> slice:
    """The two elements between which the first ``wrong`` step lies."""
    first = int(np.flatnonzero(wrong)[0])
    return slice(first, first + 2)


def _shown(array: Array) -> str:
    return np.array2string(array, threshold=6, edgeitems=3)


def _refuse(kind: StorageKind, rule: str, actual: str) -> NoReturn:
    raise InternalError(f"The level kind {kind.name} breaks its contract: expected that {rule}, found {actual}")
