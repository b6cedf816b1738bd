"""CSR rows to the parts of ``hyb(c,k)``, by compiled C: one pass over the rows counts the pieces of each bucket, one
writes them. Threads share ranges of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from heddle.counts import repeat
from heddle.formats.composed.macros import Hyb, hyb_of
from heddle.formats.format import Format, Level
from heddle.formats.levels.parts import even_starts
from heddle.formats.parts import FormatPart
from heddle.index_width import index_dtype, needs_wide
from heddle.runtime.memory import buffers
from heddle.runtime.memory.allocation_limit import memory_limit, too_large
from heddle.runtime.native import c_files, library, native_helpers
from heddle.runtime.packing.request import Request
from heddle.runtime.tensors.composite import Composite
from heddle.runtime.tensors.tensor import Array, LevelArrays, Tensor

_ROWS = Format((Level("dense"), Level("compressed")), (0, 1))
_LEAST = 4096
"""Fewer entries are divided faster than C is loaded."""
_TASKS = 4
"""Ranges of rows for each thread, of which one takes the next when it is done."""
_MOST_COUNTS = 4
"""Counts for each entry: with more, counting is more work than the entries are."""


@dataclass(frozen=True, slots=True, eq=False)
class _Cut:
    """The rows from first[t] to first[t + 1] are task t; so many tasks are a range of rows, of which those of the
    format begin at ``starts`` (None: it has none)."""

    first: Array
    tasks_of_a_range: int
    starts: Array | None

    @property
    def ranges(self) -> int:
        return (self.first.size - 1) // self.tasks_of_a_range


def rows_of(format: Format) -> Format:
    """The format that :func:`in_pieces` reads."""
    return _ROWS


def is_hyb(format: Format) -> bool:
    """Whether ``format`` is what one of the ``hyb`` stands for, however it is written."""
    return format.composition is not None and hyb_of(format.composition) is not None


def in_pieces(request: Request) -> Composite | None:
    """The compressed rows of ``request`` in buckets, where longer ones may stay whole. None for few entries, for more
    ranges than there is work, and where there is no C compiler.

    Raises
    ------
    CompileError
        ``runtime/too-large``.
    """
    rows, composition = request.operand, request.format.composition
    assert composition is not None
    hyb = hyb_of(composition)
    assert hyb is not None
    pos, crd = rows.levels[1].pos, rows.levels[1].crd
    text, itemsize = c_files.text_of("row_pieces.c"), rows.vals.itemsize
    if rows.dtype != request.dtype or crd.size < _LEAST:
        return None
    cut = _cut(pos, hyb, native_helpers.threads(crd.size))
    sizes = (cut.first.size - 1, hyb.ranges, max(1, -(-rows.shape[1] // hyb.ranges)), hyb.buckets, int(hyb.whole))
    counts = np.zeros((cut.ranges, cut.tasks_of_a_range, hyb.ranges, hyb.buckets + 1), np.int64)
    count, fill = (
        native_helpers.moving(text, name, itemsize, crd.dtype.name) for name in ("count_pieces", "fill_pieces")
    )
    if count is None or fill is None or counts.size > _MOST_COUNTS * crd.size:
        return None
    threads = native_helpers.threads(crd.size)
    count(*map(library.dimension, (threads, *sizes)), *map(library.pointer, (cut.first, pos, crd, counts)))
    totals, groups = _places(counts, cut.starts is not None)
    places = sum(total << bucket for bucket, total in enumerate(totals))
    if places * (itemsize + crd.itemsize) > memory_limit():
        raise too_large(places * (itemsize + crd.itemsize), memory_limit(), f"{places:,} places of {request.name}")
    bucket_arrays = [
        buffers.allocate_together((total, crd.dtype), (total << bucket, crd.dtype), (total << bucket, rows.vals.dtype))
        for bucket, total in enumerate(totals)
    ]
    padding = composition.parts[0].format.level_sizes(rows.shape)[-1]
    base = np.zeros(sizes[0], np.int64) if cut.starts is None else repeat(cut.starts[:-1], cut.tasks_of_a_range)
    relative = int(cut.starts is not None and hyb.ranges > 1)
    tables = [
        np.array([bucket_memory[which].ctypes.data for bucket_memory in bucket_arrays], np.uintp) for which in range(3)
    ]
    background = np.array([request.fill], rows.vals.dtype)
    arrays = (cut.first, base, pos, crd, rows.vals, background, counts, *tables)
    fill(*map(library.dimension, (threads, *sizes, relative, padding)), *map(library.pointer, arrays))
    parts = [
        _part(request, part, group, cut, arrays_of_part)
        for part, group, arrays_of_part in zip(composition.parts, groups, bucket_arrays, strict=False)
    ]
    if hyb.whole:
        parts.append(_longer(request, composition.parts[-1], 2**hyb.buckets, cut))
    return Composite(rows.shape, request.format, request.dtype, tuple(parts), request.fill, checked=True)


def _cut(pos: Array, hyb: Hyb, threads: int) -> _Cut:
    """Ranges of rows with about equally many entries, those of the format or else those that threads share."""
    tasks = threads * _TASKS if threads > 1 else 1
    if hyb.rows is None:
        return _Cut(even_starts(pos, tasks), tasks, None)
    starts = even_starts(pos, hyb.rows)
    return _Cut(starts.astype(np.int64), 1, starts)


def _places(counts: Array, listed: bool) -> tuple[list[int], list[Array]]:
    """Turns the ``counts`` of pieces, by range of rows, task, range of columns and bucket, into where those begin; says
    how many pieces each bucket has, and the ``pos`` of its rows: with ``listed``, a segment for each pair of ranges,
    else one in all. Pieces stand by range of rows, range of columns, task."""
    ordered = counts.transpose(3, 0, 2, 1)
    flat = ordered.reshape(ordered.shape[0], -1)
    ends = np.cumsum(flat, axis=1)
    begins = (ends - flat).reshape(ordered.shape)
    counts[...] = begins.transpose(1, 3, 2, 0)
    totals = ends[:, -1]
    firsts = begins[..., 0].reshape(totals.size, -1) if listed else np.zeros((totals.size, 1), np.int64)
    return [int(total) for total in totals], [
        np.append(first, total) for first, total in zip(firsts, totals, strict=True)
    ]


def _part(request: Request, part: FormatPart, group: Array, cut: _Cut, arrays: list[Array]) -> Tensor:
    """The tensor of one bucket, whose rows, coordinates and values are ``arrays``."""
    rows, crd, values = arrays
    shape, format = request.operand.shape, part.format
    index = index_dtype(needs_wide((*shape, crd.size)))
    above = []
    for level in format.levels[:-2]:
        starts = cut.starts if level.even else None
        above.append(LevelArrays() if starts is None else LevelArrays(extra={"starts": starts.astype(index)}))
    width = np.array([format.levels[-1].parameter], index)
    levels = (
        *above,
        LevelArrays(group.astype(index), rows.astype(index, copy=False)),
        LevelArrays(crd=crd.astype(index, copy=False), extra={"width": width}),
    )
    return Tensor(shape, format, request.dtype, levels, values, request.fill, checked=True)


def _longer(request: Request, part: FormatPart, widest: int, cut: _Cut) -> Tensor:
    """The rows that no bucket holds."""
    rows: Any = request.operand
    pos = rows.levels[1].pos
    lengths = np.diff(pos)
    numbers, held = np.flatnonzero(lengths > widest), repeat(lengths > widest, lengths)
    crd, values = rows.levels[1].crd[held], rows.vals[held]
    index = index_dtype(needs_wide((*rows.shape, crd.size)))
    ends = np.append(0, np.cumsum(lengths[numbers]))
    above: tuple[LevelArrays, ...] = ()
    groups = np.array([0, numbers.size])
    if cut.starts is not None:
        above = (LevelArrays(extra={"starts": cut.starts.astype(index)}),)
        groups = np.searchsorted(numbers, cut.starts)
        numbers = numbers - repeat(cut.starts[:-1], np.diff(groups))
    outer = LevelArrays(groups.astype(index), numbers.astype(index))
    inner = LevelArrays(ends.astype(index), crd.astype(index, copy=False))
    levels, values = (*above, outer, inner), buffers.aligned_copy(values)
    return Tensor(rows.shape, part.format, request.dtype, levels, values, request.fill, checked=True)
