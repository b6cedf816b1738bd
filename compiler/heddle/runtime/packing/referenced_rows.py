"""Entries to ``coo-perm``: one copy of coordinates and values, and for each order of dimensions a permutation of it.

Entries that are sorted already are not copied: tensors that are packed from the same ones in several orders share their
coordinates and values.
"""

from __future__ import annotations

import numpy as np

from heddle.formats.format import Format
from heddle.formats.storage.level_storage import Array, LevelArrays
from heddle.index_width import index_dtype, needs_wide
from heddle.runtime.memory import buffers
from heddle.runtime.native import c_files, library, native_helpers
from heddle.runtime.packing.request import Request
from heddle.runtime.tensors.coordinates import Entries, offsets, sort_and_sum
from heddle.runtime.tensors.operands import as_entries
from heddle.runtime.tensors.tensor import Tensor
from heddle.runtime.tensors.value_types import as_dtype


def in_referenced_rows(request: Request) -> Tensor:
    """The operand in ``dense, referenced, relayed, …``.

    Raises
    ------
    CompileError
        ``runtime/dtype-mismatch``, ``runtime/fill``, ``runtime/too-large``.
    """
    entries = as_entries(request.operand, request.name, request.fill)
    entries = Entries(entries.shape, entries.columns, as_dtype(entries.values, request.dtype, request.name))
    stored = sort_and_sum(entries, tuple(range(len(entries.shape))))
    values = np.ascontiguousarray(stored.values)
    index = index_dtype(needs_wide((*stored.shape, values.size)))
    row, *others = request.format.order
    pos, perm = _places(stored.columns[row].astype(index, copy=False), stored.shape[row], index)
    levels = [LevelArrays()]
    for place, dimension in enumerate(others):
        crd = np.ascontiguousarray(stored.columns[dimension].astype(index, copy=False))
        levels.append(LevelArrays(pos if place == 0 else None, crd, {"perm": perm}))
    return Tensor(stored.shape, request.format, request.dtype, tuple(levels), values, request.fill, checked=True)


def is_referenced(format: Format) -> bool:
    """Whether that is the format."""
    return len(format.levels) > 1 and format.levels[1].kind == "referenced"


def _places(row: Array, rows: int, index: str) -> tuple[Array, Array]:
    """The places of each row, and the entry at each place: counted, not sorted, so that entries keep their order."""
    row, count = np.ascontiguousarray(row), int(row.size)
    counted = native_helpers.moving(c_files.text_of("places.c"), "places", row.itemsize, index)
    if counted is None:
        perm = np.argsort(row, kind="stable").astype(index)
        return offsets(row[perm], rows, index), perm
    pos, perm = buffers.empty(rows + 1, index), buffers.empty(count, index)
    counted(
        library.dimension(count),
        library.dimension(rows),
        library.pointer(row),
        library.pointer(pos),
        library.pointer(perm),
    )
    return pos, perm
