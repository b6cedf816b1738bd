"""Coordinates and values of a tensor's entries: what every operand becomes before it is packed into levels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import reduceat, repeat
from heddle.fills.fill import Fill
from heddle.index_width import index_dtype, needs_wide
from heddle.runtime.memory.allocation_limit import require_values
from heddle.runtime.native import c_files, library, native_helpers
from heddle.runtime.tensors.coordinate_sort import sort_coordinates

Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """``columns[d]`` holds the coordinate of each entry in dimension d (0-based), ``values`` its value; any order.
    ``fill``: the value of what is not stored, None where whoever asks says it."""

    shape: tuple[int, ...]
    columns: tuple[Array, ...]
    values: Array
    fill: Fill | None = None

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.values.dtype


_LEAST = 4096
"""Fewer children are counted faster than C is loaded."""


def offsets(parent_of_child: Array, parents: int, index: str) -> Array:
    """``pos`` of children whose parents ascend: entry p is the first child of parent p, so parent p owns
    [pos[p], pos[p + 1])."""
    require_values(parents + 1, index, "the pos array")
    count = parent_of_child.size
    fill = None
    if count >= _LEAST:
        fill = native_helpers.moving(c_files.text_of("offsets.c"), "offsets", parent_of_child.itemsize, index)
    if fill is not None:
        parent, pos = np.ascontiguousarray(parent_of_child), np.empty(parents + 1, index)
        fill(library.dimension(count), library.dimension(parents), library.pointer(parent), library.pointer(pos))
        return pos
    changes = np.flatnonzero(parent_of_child[1:] != parent_of_child[:-1]) + 1
    firsts = np.concatenate(([0], changes)) if count else changes
    # Up to the parent of a first child, and after that of the one before it, all segments begin with that child.
    parents_of_firsts = np.concatenate(([-1], parent_of_child[firsts], [parents]))
    return repeat(np.append(firsts, count).astype(index), np.diff(parents_of_firsts))


def sort_and_sum(entries: Entries, order: tuple[int, ...]) -> Entries:
    """Sorts entries lexicographically by the dimensions in ``order`` and adds up those with equal coordinates.

    The coordinates of the answer are as wide as the shape asks for.
    """
    if not order:
        total = np.asarray([entries.values.sum()], dtype=entries.values.dtype)
        return Entries(entries.shape, (), total)
    index = index_dtype(needs_wide(entries.shape))
    if entries.values.size < 2:
        return Entries(
            entries.shape, tuple(column.astype(index, copy=False) for column in entries.columns), entries.values
        )
    sizes = [entries.shape[dimension] for dimension in order]
    by_c = sort_coordinates([entries.columns[dimension] for dimension in order], sizes, entries.values, index)
    if by_c is None:
        return _sort_and_sum_by_numpy(entries, order, sizes, index)
    columns, values = list(by_c.columns), by_c.values
    if by_c.repeated:
        starts = np.flatnonzero(_differs_from_previous(columns))
        values = reduceat(np.add, values, starts, dtype=values.dtype)  # Small integers would be widened.
        columns = [column[starts] for column in columns]
    return Entries(entries.shape, tuple(columns[order.index(dimension)] for dimension in range(len(order))), values)


def _sort_and_sum_by_numpy(entries: Entries, order: tuple[int, ...], sizes: list[int], index: str) -> Entries:
    narrow = tuple(column.astype(index, copy=False) for column in entries.columns)
    columns, values = [narrow[dimension] for dimension in order], entries.values
    permutation: Array | None = None
    if _is_sorted(columns):
        fresh = _differs_from_previous(columns)
    else:
        permutation, fresh = _sorting_permutation(columns, sizes)
        values = values[permutation]
    if not fresh.all():
        starts = np.flatnonzero(fresh)
        values = reduceat(np.add, values, starts, dtype=values.dtype)  # Small integers would be widened.
        permutation = starts if permutation is None else permutation[starts]
    if permutation is not None:
        narrow = tuple(column[permutation] for column in narrow)
    return Entries(entries.shape, narrow, values)


def _is_sorted(columns: list[Array]) -> bool:
    """Whether the entries already are in lexicographic order of ``columns``; most unsorted inputs show in the first."""
    if not bool((columns[0][1:] >= columns[0][:-1]).all()):
        return False
    in_order = columns[-1][1:] >= columns[-1][:-1]
    for column in columns[-2::-1]:
        in_order = (column[1:] > column[:-1]) | ((column[1:] == column[:-1]) & in_order)
    return bool(in_order.all())


def _differs_from_previous(columns: list[Array]) -> NDArray[np.bool_]:
    fresh = np.ones(columns[0].size, dtype=bool)
    fresh[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return fresh


def _sorting_permutation(columns: list[Array], sizes: list[int]) -> tuple[Array, NDArray[np.bool_]]:
    """The stable permutation into lexicographic order, and which sorted entries differ from the one before.

    NumPy sorts plain integers several times faster than it computes a permutation. So an entry's number is put into the
    low bits of its key, the keys are sorted, and the numbers read back. Where not all columns fit into one 64-bit key,
    they are sorted in groups, the last columns first (radix sort).
    """
    count = int(columns[0].size)
    number_bits = (count - 1).bit_length()
    if max(sizes).bit_length() + number_bits > 64:
        sorted_by_all = np.lexsort(columns[::-1])
        return sorted_by_all, _differs_from_previous([column[sorted_by_all] for column in columns])
    permutation: Array | None = None
    remaining = list(zip(columns, sizes, strict=True))
    while True:
        key, cells = np.zeros(count, dtype=np.uint64), 1
        while remaining and (cells * max(remaining[-1][1], 1) - 1).bit_length() + number_bits <= 64:
            column, size = remaining.pop()
            part = (column if permutation is None else column[permutation]).astype(np.uint64)
            key = part if cells == 1 else key + part * np.uint64(cells)
            cells *= max(size, 1)
        key <<= np.uint64(number_bits)
        key |= np.arange(count, dtype=np.uint64)
        key.sort()
        numbers = (key & np.uint64((1 << number_bits) - 1)).astype(np.int64)
        if permutation is None and not remaining:
            key >>= np.uint64(number_bits)
            return numbers, _differs_from_previous([key])
        permutation = numbers if permutation is None else permutation[numbers]
        if not remaining:
            return permutation, _differs_from_previous([column[permutation] for column in columns])
