"""CSR rows to slices of them (``sell(8)``, ``sell(8,512)``, ``sell-runs(32)``), by compiled C: one pass over the rows
finds how wide each slice is, one writes the slices. Threads share the slices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.fills.fill import Fill
from heddle.runtime.memory import buffers
from heddle.runtime.native import c_files, library, native_helpers

Array = NDArray[Any]

_LEAST = 4096
"""Fewer entries are stored faster than C is loaded."""


@dataclass(frozen=True, slots=True, eq=False)
class Sliced:
    """``starts`` of the slices, in slots, and the ``widest`` of them; ``order`` is the row at each position, None where
    they are as they were."""

    starts: Array
    widest: int
    slots: int
    order: Array | None


def slice_rows(pos: Array, crd: Array, columns: int, height: int, window: int | None) -> Sliced | None:
    """How wide slices of ``height`` rows are, sorted by their entries in windows of so many. None for few entries, and
    where there is no C compiler."""
    index, rows = crd.dtype.name, pos.size - 1
    call = native_helpers.moving(c_files.text_of("slice_widths.c"), "widths", 8, index) if crd.size >= _LEAST else None
    if call is None:
        return None
    most = min(columns, int(crd.size)) if window is not None else 0
    parts = native_helpers.threads(max(rows, crd.size))
    order = None if window is None else buffers.empty(rows, index)
    starts, total = buffers.empty(-(-rows // height) + 1, index), np.empty(2, np.int64)
    # Of this much memory only what the longest rows need is ever touched.
    counts = np.empty(parts * (most + 1), index)
    sizes = (parts, rows, height, window or height, most)
    arrays = (pos, order, starts, counts, total)
    call(*map(library.dimension, sizes), *map(_pointer, arrays))
    return Sliced(starts, int(total[1]), int(total[0]), order)


def fill_slots(
    sliced: Sliced,
    pos: Array,
    crd: Array,
    values: Array,
    columns: int,
    height: int,
    fill: Fill,
    runs: bool,
) -> tuple[Array, Array, Array | None] | None:
    """The coordinates and values of the slots, and where their runs start, with ``runs`` alone. ``columns`` and
    ``fill`` where nothing is stored. None where the slots are too many for the dtype of ``crd``."""
    count, index, rows = sliced.slots * height, crd.dtype.name, pos.size - 1
    name, file = ("fill_runs", "slice_runs.c") if runs else ("fill", "slices.c")
    call = native_helpers.moving(c_files.text_of(file), name, values.itemsize, index)
    if call is None or max(count, columns + height) > np.iinfo(index).max:
        return None
    parts = native_helpers.threads(max(rows, count))
    to_crd, to_vals = buffers.empty(count, index), buffers.empty(count, values.dtype.name)
    background = np.array([fill], values.dtype)
    arguments = (pos, crd, values, sliced.order, sliced.starts, background, to_crd, to_vals)
    if not runs:
        call(*map(library.dimension, (parts, rows, height, columns)), *map(_pointer, arguments))
        return to_crd, to_vals, None
    places = 1 << max(2 * sliced.widest - 1, 1).bit_length()
    first, scratch = buffers.empty(sliced.slots, index), np.empty(parts * 3 * places, index)
    sizes = (parts, rows, height, columns, places)
    call(*map(library.dimension, sizes), *map(_pointer, (*arguments, first, scratch)))
    return to_crd, to_vals, first


def _pointer(array: Array | None) -> Any:
    return None if array is None else library.pointer(array)
