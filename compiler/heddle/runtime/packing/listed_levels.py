"""Sorted entries to levels that list coordinates alone (``coo``, ``csf``, ``dcsr``), without a position per entry and
level: what the general way computes of each level is known of these."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.fills.fill import Fill
from heddle.formats.format import Format, Level
from heddle.index_width import index_dtype, needs_wide
from heddle.runtime.memory import buffers
from heddle.runtime.native import c_files, library, native_helpers
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.tensor import LevelArrays, Tensor

Array = NDArray[Any]

_LEAST = 4096
"""Fewer entries are packed faster than C is loaded, and read back (``level_by_level.py``)."""


def in_listed_levels(entries: Entries, format: Format, dtype: str, fill: Fill) -> Tensor | None:
    """``entries``, which have a column for each level, are in order and differ from each other; None where they are
    few, for other formats, and where there is no C compiler that would be needed."""
    if entries.values.size < _LEAST or format.cuts:
        return None
    index = index_dtype(needs_wide((*entries.shape, entries.values.size)))
    columns = [np.ascontiguousarray(column, index) for column in entries.columns]
    levels = _coordinate_list(columns, format) or _fibres(columns, format)
    if levels is None:
        return None
    shape = tuple(entries.shape[format.order.index(dimension)] for dimension in range(len(format.order)))
    return Tensor(shape, format, dtype, levels, buffers.aligned_copy(entries.values), fill, checked=True)


def _coordinate_list(columns: list[Array], format: Format) -> tuple[LevelArrays, ...] | None:
    """Coordinates of the first level that repeat, and of the others one for each."""
    top, *others = format.levels
    repeated = [Level("singleton", unique=False)] * (len(others) - 1) + [Level("singleton")]
    if not others or top != Level("compressed", unique=False) or others != repeated:
        return None
    pos = np.array([0, columns[0].size], columns[0].dtype)
    return (LevelArrays(pos, columns[0]), *(LevelArrays(crd=column) for column in columns[1:]))


def _fibres(columns: list[Array], format: Format) -> tuple[LevelArrays, ...] | None:
    """A tree of coordinates: equal ones of neighbours share a position."""
    count, order, index = columns[0].size, len(columns), columns[0].dtype.name
    if order < 2 or set(format.levels) != {Level("compressed")}:
        return None
    text = c_files.defining({"LEVELS": order}, c_files.text_of("prefix_levels.c"))
    count_positions, fill = (native_helpers.moving(text, name, 8, index) for name in ("count", "fill"))
    if count_positions is None or fill is None:
        return None
    sizes = np.empty(order, np.int64)
    entries, addresses = library.dimension(count), _addresses(columns)
    count_positions(entries, library.pointer(addresses), library.pointer(sizes))
    crds = [buffers.empty(int(size), index) for size in sizes[:-1]] + columns[-1:]
    parents = [1, *sizes.tolist()[:-1]]
    positions = [buffers.empty(parent + 1, index) for parent in parents]
    positions[0][:] = 0, sizes[0]
    fill(entries, *map(library.pointer, (addresses, _addresses(crds), _addresses(positions))))
    return tuple(LevelArrays(pos, crd) for pos, crd in zip(positions, crds, strict=True))


def _addresses(arrays: list[Array]) -> NDArray[np.int64]:
    return np.array([array.__array_interface__["data"][0] for array in arrays], np.int64)
