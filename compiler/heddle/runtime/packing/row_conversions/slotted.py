"""Compressed rows to formats that number the slots of blocks of rows (``sell(8)``, ``dia(8)``), without sorting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import repeat
from heddle.formats.format import Format, Level
from heddle.formats.levels.sliced.runs import run_starts
from heddle.index_width import index_dtype, needs_wide
from heddle.runtime.memory import buffers
from heddle.runtime.memory.allocation_limit import memory_limit, too_large
from heddle.runtime.packing.request import Request
from heddle.runtime.packing.row_conversions.diagonal_rows import diagonals_of, spread
from heddle.runtime.packing.row_conversions.sliced_rows import fill_slots, slice_rows
from heddle.runtime.packing.row_conversions.slot_runs import complete_runs, slots_in_order, slots_of_rows
from heddle.runtime.tensors.tensor import LevelArrays, Tensor

Array = NDArray[Any]


def rows_of(format: Format) -> Format:
    """The compressed rows from which a tensor in ``format`` is made."""
    return Format((Level("dense"), Level("compressed")), format.order[:2])


def in_slices(request: Request) -> Tensor:
    """Sliced ELL of rows: each slice has as many slots as its fullest row has entries.

    Raises
    ------
    CompileError
        ``runtime/too-large`` where the padding does not fit into memory.
    """
    rows, format, name = request.operand, request.format, request.name
    levels, values = _sliced_by_c(rows, format, name) or _sliced_by_entries(rows, format, name)
    return Tensor(rows.shape, format, rows.dtype, levels, values, rows.fill, checked=True)


def by_diagonals(request: Request) -> Tensor:
    """Every diagonal of the rows that holds something, whole, for each block of rows.

    Raises
    ------
    CompileError
        ``runtime/too-large`` where the padding does not fit into memory.
    """
    rows, format = request.operand, request.format
    levels, values = _by_diagonals(rows, format, request.name)
    return Tensor(rows.shape, format, rows.dtype, levels, values, rows.fill, checked=True)


def _sliced_by_c(rows: Tensor, format: Format, name: str) -> tuple[tuple[LevelArrays, ...], Array] | None:
    """None for few entries, 64-bit indices, and where there is no C compiler."""
    pos, crd, height, _, columns = _parts(rows, format)
    if rows.wide:
        return None
    slicing = slice_rows(pos, crd, columns, height, format.levels[0].parameter)
    if slicing is None:
        return None
    _affordable(slicing.slots * height, rows, name)
    runs = format.levels[3].kind == "runs"
    filling = fill_slots(slicing, pos, crd, rows.vals, columns, height, rows.fill, runs)
    if filling is None:
        return None
    coordinates, values, first = filling
    top = LevelArrays() if slicing.order is None else LevelArrays(extra={"rows": slicing.order})
    last = LevelArrays(crd=coordinates, extra={} if first is None else {"first": first})
    return (top, LevelArrays(pos=slicing.starts), LevelArrays(), last), values


def _sliced_by_entries(rows: Tensor, format: Format, name: str) -> tuple[tuple[LevelArrays, ...], Array]:
    pos, crd, height, slices, columns = _parts(rows, format)
    row_lengths = np.diff(pos)
    window = format.levels[0].parameter
    order = np.arange(row_lengths.size) if window is None else _by_length(row_lengths, window)
    lengths = np.zeros(slices * height, dtype=np.int64)
    lengths[: row_lengths.size] = row_lengths[order]
    slots = lengths.reshape(slices, height).max(axis=1, initial=0)
    starts = np.zeros(slices + 1, dtype=np.int64)
    np.cumsum(slots, out=starts[1:])
    count = _affordable(int(starts[-1]) * height, rows, name)
    index = index_dtype(needs_wide((*rows.shape, count)))
    place = np.empty(row_lengths.size, dtype=np.int64)
    place[order] = np.arange(row_lengths.size)
    slice_of, inside = np.divmod(place, height)
    aligned = None
    if format.levels[3].kind == "runs":
        slot, aligned = slots_of_rows(pos, crd, order, slots, height)
    else:
        slot = slots_in_order(pos)
    places = repeat(starts[slice_of] * height + inside, row_lengths)
    slot *= height
    places += slot
    coordinates = np.full(count, columns, dtype=index)
    coordinates[places] = crd
    by_slot = coordinates.reshape(-1, height)
    runs = {} if aligned is None else {"first": _runs(by_slot, aligned, slots, row_lengths.size, columns)}
    top = LevelArrays() if window is None else LevelArrays(extra={"rows": order.astype(index)})
    level, last = LevelArrays(pos=starts.astype(index)), LevelArrays(crd=coordinates, extra=runs)
    return (top, level, LevelArrays(), last), _values(rows, count, places)


def _runs(crd: Array, aligned: Array, slots: Array, rows: int, columns: int) -> Array:
    """Where the runs of a ``runs`` level start; completes them in ``crd``, which has a row for each slot."""
    aligned[rows // crd.shape[1] :] = False  # the last slice, where it is cut
    first = run_starts(crd, columns)
    complete_runs(crd, first, repeat(aligned, slots), columns)
    return first


def _by_length(lengths: Array, window: int) -> Array:
    """The rows of each window of so many, those with more entries first, rows of one length as they were."""
    longest = int(lengths.max(initial=0))
    return np.argsort(np.arange(lengths.size) // window * (longest + 1) + (longest - lengths), kind="stable")


def _by_diagonals(rows: Tensor, format: Format, name: str) -> tuple[tuple[LevelArrays, ...], Array]:
    pos, crd, height, slices, columns = _parts(rows, format)
    offsets, numbers = diagonals_of(pos, crd, columns)
    count = _affordable(slices * int(offsets.size) * height, rows, name)
    index = index_dtype(needs_wide((*rows.shape, count)))
    values = _background(rows, count)
    spread(pos, crd, rows.vals, numbers, height, values)
    width: Mapping[str, Array] = {"width": np.array([offsets.size], index)}
    shifted = LevelArrays(extra={**width, "offsets": offsets.astype(index)})
    return (LevelArrays(), LevelArrays(extra=width), LevelArrays(), shifted), values


def _parts(rows: Tensor, format: Format) -> tuple[Array, Array, int, int, int]:
    """``pos`` and ``crd`` of the rows, the height of a block, the number of blocks, and the number of columns."""
    pos, crd = rows.levels[1].pos, rows.levels[1].crd
    assert pos is not None
    assert crd is not None
    sizes = format.level_sizes(rows.shape)
    return pos, crd, sizes[2], sizes[0], sizes[3]


def _values(rows: Tensor, count: int, places: Array) -> Array:
    values = _background(rows, count)
    values[places] = rows.vals
    return values


def _background(rows: Tensor, count: int) -> Array:
    """So many values of what is not stored."""
    values = buffers.zeros(count, rows.dtype)
    if rows.fill != 0:
        values[...] = rows.fill
    return values


def _affordable(count: int, rows: Tensor, name: str) -> int:
    size = count * (np.dtype(rows.dtype).itemsize + 4)
    if size > memory_limit():
        raise too_large(size, memory_limit(), f"{count:,} places of {name} in this format")
    return count
