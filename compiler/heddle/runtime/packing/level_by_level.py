"""Entries to the arrays of any format whose kinds build their levels one after the other: the general way to pack."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from heddle.diagnostics import CompileError
from heddle.fills.fill import Fill
from heddle.formats.format import Format, Level
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.levels.parts import starts_of
from heddle.formats.storage.level_contract import check_contract, check_stored
from heddle.formats.storage.level_storage import Array, LevelArrays, LevelEntries
from heddle.index_width import index_dtype, needs_wide
from heddle.runtime.memory import buffers
from heddle.runtime.memory.allocation_limit import require_memory, require_values
from heddle.runtime.packing.listed_levels import in_listed_levels
from heddle.runtime.packing.other_layouts import other_layouts, stored_otherwise
from heddle.runtime.packing.request import NO_STARTS, Starts
from heddle.runtime.storage.unpack import coordinates_by_level
from heddle.runtime.tensors.coordinates import Entries, offsets, sort_and_sum
from heddle.runtime.tensors.tensor import Tensor

_MOST_POSITIONS = np.iinfo(np.int64).max
_LARGEST_INDEX = 8
"""Bytes of a position."""
_READ_BACK = 4096
"""Positions of any level up to which a tensor is read back: what a level kind gets wrong shows on small tensors, and
reading a million rows would cost ten times as much as to pack their one entry."""


@dataclass(frozen=True, slots=True, eq=False)
class _BuiltLevels:
    """All levels and values; ``columns`` has the coordinates of the entries at each level, in the order that the levels
    gave them, and ``positions`` where their values are (None: entry e at position e). ``most_positions``: of the level
    that has most."""

    levels: tuple[LevelArrays, ...]
    values: Array
    columns: list[Array]
    positions: Array | None
    most_positions: int


def in_levels(
    entries: Entries, format: Format, dtype: str, name: str, fill: Fill, starts: Starts = NO_STARTS
) -> Tensor:
    """``entries``, in any order, those with equal coordinates added up. ``starts`` of dimensions: where the parts that
    have about equally many entries begin; else these are the entries that are counted.

    Raises
    ------
    CompileError
        ``runtime/too-large``, ``runtime/not-singleton``, ``runtime/too-narrow``.
    """
    known = {
        dimension: starts.get(dimension, default_start)
        for dimension, default_start in part_starts(entries, format).items()
    }
    stored = sort_and_sum(_by_level(entries, format, known), tuple(range(len(format.levels))))
    listed = in_listed_levels(stored, format, dtype, fill)
    if listed is not None:
        return listed
    try:
        built = _build(stored, format, name, fill, known)
    except CompileError as error:
        raise stored_otherwise(error, name, lambda advice: other_layouts(format, advice)) from None
    tensor = Tensor(entries.shape, format, dtype, built.levels, built.values, fill, checked=True)
    if built.most_positions <= _READ_BACK:
        _read_back(tensor, built)
    return tensor


def part_starts(entries: Entries, format: Format) -> dict[int, Array]:
    """For each dimension that ``format`` cuts into parts where these begin, and the end of the last."""
    return {
        dimension: starts_of(entries.columns[dimension], entries.shape[dimension], cut.parts, cut.even)
        for dimension, cut in format.cuts.items()
        if cut.parts is not None
    }


def _by_level(entries: Entries, format: Format, starts: Starts) -> Entries:
    """The entries with a column for each level; a dimension that is cut has one for its blocks or parts and one for
    inside them."""
    cuts = format.cuts
    columns = []
    for number, dimension in enumerate(format.order):
        column = entries.columns[dimension]
        if dimension in starts:
            part = np.searchsorted(starts[dimension], column, side="right") - 1
            column = column - starts[dimension][part] if format.inside(number) else part
        elif dimension in cuts:
            size = cuts[dimension].size
            assert size is not None
            column = column % size if format.inside(number) else column // size
        columns.append(column)
    return Entries(format.level_sizes(entries.shape), tuple(columns), entries.values)


def _build(entries: Entries, format: Format, name: str, fill: Fill, starts: Starts) -> _BuiltLevels:
    """Level arrays and values: each level turns the positions above into its own, one for each entry.

    ``positions`` is None while the entries are numbered 0, 1, 2 … themselves.
    """
    columns, values, sizes = list(entries.columns), entries.values, entries.shape
    levels: list[LevelArrays] = []
    positions: Array | None = np.zeros(values.size, dtype=np.int64)
    most = int(values.size) * prod(LEVEL_KINDS[level.kind].positions_for_entry(level) for level in format.levels)
    index = index_dtype(needs_wide((*sizes, most)))
    parents = most_positions = 1
    for number, level in enumerate(format.levels):
        end = _end_of_group(format, number)
        beside, innermost = tuple(columns[number + 1 : end]), end == len(format.levels)
        if _in_pieces(format, number):
            beside = (_pieces(columns[number : number + 2], positions, format.levels[number + 1]),)
        if LEVEL_KINDS[level.kind].counts_below:
            require_memory(2 * _LARGEST_INDEX * parents, f"{parents:,} positions above level {number + 1} of {name}")
        level_entries = LevelEntries(
            name,
            number + 1,
            level,
            sizes[number],
            columns[number],
            parents,
            positions,
            beside,
            innermost,
            index,
            _MEMORY,
            starts[format.order[number]] if level.even else None,
        )
        built = LEVEL_KINDS[level.kind].build(level_entries)
        if built.count > _MOST_POSITIONS:  # which is no fault of the kind
            require_memory(built.count, f"{built.count:,} positions of level {number + 1} of {name}")
        check_contract(LEVEL_KINDS[level.kind], level_entries, built)
        levels.append(built.arrays)
        positions, parents = built.positions, built.count
        most_positions = max(most_positions, parents)
        if built.order is not None:
            values, columns = values[built.order], [column[built.order] for column in columns]
    if positions is None:
        return _BuiltLevels(tuple(levels), buffers.aligned_copy(values), columns, None, most_positions)
    dtype = values.dtype.name
    stored = buffers.zeros(require_values(parents, dtype, name), dtype)
    if fill != 0:
        stored[...] = fill
    stored[positions] = values
    return _BuiltLevels(tuple(levels), stored, columns, positions, most_positions)


def _read_back(tensor: Tensor, built: _BuiltLevels) -> None:
    """Raises InternalError where a level has another coordinate at the position of an entry than the entry has."""
    for number, column in enumerate(coordinates_by_level(tensor)):
        stored = column if built.positions is None else column[built.positions]
        check_stored(LEVEL_KINDS[tensor.format.levels[number].kind], number + 1, stored, built.columns[number])


def _end_of_group(format: Format, number: int) -> int:
    """Where the levels end that share the positions of level ``number`` (0-based): after those below it that list one
    coordinate for each of its positions, while these repeat."""
    end = number + 1
    while end < len(format.levels) and not format.levels[end - 1].unique:
        kind = LEVEL_KINDS[format.levels[end].kind]
        if not (kind.branchless and kind.lists_coordinates):
            break
        end += 1
    return end


def _in_pieces(format: Format, number: int) -> bool:
    """Whether a coordinate of level ``number`` (0-based) is repeated for each piece of the coordinates below it."""
    below = number + 1
    return below < len(format.levels) and format.levels[below].ordered and not format.ascends(below)


def _pieces(columns: list[Array], positions: Array | None, below: Level) -> Array:
    """For each entry, which of the pieces of its coordinate it is in: the coordinates below are cut one after the
    other into pieces of as many as the level ``below`` has slots."""
    rows, inner = columns
    if rows.size == 0:
        return np.zeros(0, dtype=np.int64)
    assert below.parameter is not None
    starts = np.ones(rows.size, dtype=bool)
    starts[1:] = rows[1:] != rows[:-1]
    if positions is not None:
        starts[1:] |= positions[1:] != positions[:-1]
    fresh = starts.copy()
    fresh[1:] |= inner[1:] != inner[:-1]
    counted = np.cumsum(fresh) - 1
    first = counted[starts][np.cumsum(starts) - 1]
    pieces: Array = (counted - first) // below.parameter
    return pieces


class _HostMemory:
    def require(self, count: int, dtype: str, what: str) -> int:
        require_memory(count * np.dtype(dtype).itemsize, f"{count:,} {what}")
        return count

    def segments(self, parent_of_child: Array, parents: int, index: str) -> Array:
        return offsets(parent_of_child, parents, index)


_MEMORY = _HostMemory()
