"""What stands at each place of a packed tensor: an entry, or padding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import bincount
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.storage.level_storage import StoredLevel
from heddle.runtime.storage.unpack import position_coordinates
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.tensor import Tensor

Array = NDArray[Any]

_LARGEST_KEY = 1 << 62
_MOST_SHORT = 1 << 31


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """``entry``: the number of the entry at each place, -1 where it is padding; ``at``: the places that hold entries,
    and ``held`` these entries' numbers; ``outer``: the position of the outermost level of coordinates above each place,
    of which there are ``outermost``; ``row``: its first coordinate."""

    entry: Array
    at: Array
    held: Array
    outer: Array
    outermost: int
    row: Array


def places_of(part: Tensor, entries: Entries, keys: Array | None) -> Places:
    """``entries`` are sorted, each once, and have ``keys``. Of several places with the coordinates and the value of an
    entry the first has it; the others are padding."""
    columns = position_coordinates(part)
    outer, outermost = _outermost(part)
    entry_numbers = np.full(part.stored, -1, dtype=np.int32 if entries.values.size <= _MOST_SHORT else np.int64)
    at = _select_inside(columns, entries.shape, part.stored)
    held = at[:0]
    if entries.values.size and at.size:
        place_keys, known = _keys([_take(column, at) for column in columns], entries, keys)
        number = np.minimum(np.searchsorted(known, place_keys), known.size - 1)
        stored, value = _take(part.vals, at), entries.values[number]
        same = (known[number] == place_keys) & ((stored == value) | ((stored != stored) & (value != value)))
        if same.all():
            held = number
        else:
            at, held = at[same], number[same]
        if bincount(held, minlength=1).max() > 1:
            held, first = np.unique(held, return_index=True)
            order = np.argsort(first)
            at, held = at[first[order]], held[order]
        entry_numbers[at] = held
    else:
        at = at[:0]
    row = columns[0] if columns else np.zeros(part.stored, dtype=np.int64)
    return Places(entry_numbers, at, held, outer, outermost, row)


def _select_inside(columns: Sequence[Array], shape: Sequence[int], stored: int) -> Array:
    """The places whose coordinates lie in the tensor."""
    inside: Array | None = None
    for column, size in zip(columns, shape, strict=True):
        if column.size and (column.min() < 0 or column.max() >= size):
            mask = (column >= 0) & (column < size)
            inside = mask if inside is None else inside & mask
    return np.arange(stored) if inside is None else np.flatnonzero(inside)


def _take(column: Array, at: Array) -> Array:
    return column if at.size == column.size else column[at]


def key_of(entries: Entries) -> Array | None:
    """One number for the coordinates of each entry, in the order of the coordinates; None where 64 bits are too few."""
    return _key(entries.columns, entries.shape) if entries.columns and prod(entries.shape) < _LARGEST_KEY else None


def _keys(columns: Sequence[Array], entries: Entries, keys: Array | None) -> tuple[Array, Array]:
    """One number for the coordinates of each place and of each entry, in the order of the coordinates."""
    split = columns[0].size
    if keys is not None:
        return _key(columns, entries.shape), keys
    key = np.zeros(split + entries.values.size, dtype=np.int64)
    most = 1
    for column, known, size in zip(columns, entries.columns, entries.shape, strict=True):
        if most * size >= _LARGEST_KEY:
            _, key = np.unique(key, return_inverse=True)
            most = key.size
        key = key * size + np.concatenate([column, known])
        most *= size
    return key[:split], key[split:]


def _key(columns: Sequence[Array], shape: Sequence[int]) -> Array:
    key = columns[0].astype(np.int64)
    for column, size in zip(columns[1:], shape[1:], strict=True):
        key *= size
        key += column
    return key


def _outermost(part: Tensor) -> tuple[Array, int]:
    """The position of the outermost level above each place, and how many there are; ranges of it are no level of their
    own."""
    outer: Array | None = None
    columns: list[Array] = []
    parents, sizes, count = 1, part.format.level_sizes(part.shape), 1
    for number, (level, arrays) in enumerate(zip(part.format.levels, part.levels, strict=True)):
        block = sizes[number - 1] if number else 1
        expanded = LEVEL_KINDS[level.kind].expand(StoredLevel(arrays, sizes[number], parents, tuple(columns), block))
        if expanded.parent is not None:
            columns = [column[expanded.parent] for column in columns]
            outer = None if outer is None else outer[expanded.parent]
        columns.append(expanded.coordinates)
        parents = int(expanded.coordinates.size)
        if outer is None and not level.counts_parts:
            outer, count = np.arange(parents), parents
    return (np.zeros(part.stored, dtype=np.int64), 1) if outer is None else (outer, count)
