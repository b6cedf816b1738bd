"""Lines of matrices in compressed form, the rows of CSR and the columns of CSC, copied without looking at others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from heddle.counts import repeat
from heddle.fills.fill import Fill
from heddle.formats.format import Format
from heddle.library.arrays.entries import sparse_entries
from heddle.runtime.storage.device_arrays import moved_levels
from heddle.runtime.storage.ownership import Ownership
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.tensor import LevelArrays, Tensor


def outer_dimension(tensor: Tensor) -> int | None:
    """The dimension whose lines are compressed one after the other; None of a tensor that is stored otherwise."""
    kinds = [level.kind for level in tensor.format.levels]
    if type(tensor) is not Tensor or tensor.resident or kinds != ["dense", "compressed"]:
        return None
    plain = all(level.ordered and level.unique for level in tensor.format.levels)
    return tensor.format.order[0] if plain and len(tensor.format.order) == 2 else None


def take_lines(tensor: Tensor, lines: Any) -> Tensor | None:
    """The lines of these numbers, a range or an array, in this order; None where their positions would need wider
    numbers."""
    tensor.validate()
    pos, crd = _arrays(tensor)
    if isinstance(lines, range) and lines.step == 1:
        start, stop = lines.start, max(lines.start, lines.stop)
        first, last = int(pos[start]), int(pos[stop])
        return _matrix(
            tensor, stop - start, pos[start : stop + 1] - pos[start], crd[first:last], tensor.vals[first:last]
        )
    numbers = np.asarray(lines, np.int64)
    places, counts = _places(pos, numbers)
    if places.size > np.iinfo(pos.dtype).max:
        return None
    begins = np.append(0, np.cumsum(counts)).astype(pos.dtype)
    return _matrix(tensor, numbers.size, begins, crd[places], tensor.vals[places])


def entries_of_lines(tensor: Tensor, dimension: int, lines: Any) -> tuple[Entries, Fill]:
    """As :func:`sparse_entries`, of no other lines than these along ``dimension``: all where that is not compressed."""
    if outer_dimension(tensor) != dimension:
        return sparse_entries(tensor)
    tensor.validate()
    numbers = np.unique(np.asarray(lines, np.int64))
    pos, crd = _arrays(tensor)
    places, counts = _places(pos, numbers)
    columns = (repeat(numbers, counts), crd[places])
    ordered = columns if dimension == 0 else columns[::-1]
    return Entries(tensor.shape, ordered, tensor.vals[places], tensor.fill), tensor.fill


def narrow_lines(tensor: Tensor, start: int, stop: int) -> Tensor:
    """Of every line the entries from ``start`` up to ``stop`` along the inner dimension, which counts from there."""
    tensor.validate()
    _, crd = _arrays(tensor)
    narrowed = keep_entries(tensor, (crd >= start) & (crd < stop))
    pos, crd = _arrays(narrowed)
    return _matrix(narrowed, pos.size - 1, pos, crd - crd.dtype.type(start), narrowed.vals, stop - start)


def keep_entries(tensor: Tensor, held: Any) -> Tensor:
    """The entries at the positions where ``held`` is true."""
    tensor.validate()
    pos, crd = _arrays(tensor)
    before = np.append(0, np.cumsum(held)).astype(pos.dtype)
    return _matrix(tensor, pos.size - 1, before[pos], crd[held], tensor.vals[held])


def join_lines(tensors: Sequence[Tensor], axis: int) -> Tensor | None:
    """Matrices of one compressed format one after the other along ``axis``; None where they are not stored alike."""
    first = tensors[0]
    outer = outer_dimension(first)
    alike = all(outer_dimension(tensor) == outer and tensor.format == first.format for tensor in tensors)
    if outer is None or not alike or any(tensor.dtype != first.dtype for tensor in tensors):
        return None
    for tensor in tensors:
        tensor.validate()
    arrays = [_arrays(tensor) for tensor in tensors]
    types = {array.dtype for pair in arrays for array in pair}
    number_type = arrays[0][0].dtype
    starts = np.append(0, np.cumsum([int(pos[-1]) for pos, _ in arrays]))
    inner = sum(tensor.shape[1 - outer] for tensor in tensors)
    if (
        len(types) > 1
        or any(tensor.resident for tensor in tensors)
        or max(starts[-1], inner) > np.iinfo(number_type).max
    ):
        return None
    if axis == outer:
        begins = [pos[:-1] + number_type.type(start) for (pos, _), start in zip(arrays, starts, strict=False)]
        pos = np.concatenate([*begins, starts[-1:].astype(number_type)])
        crd, values = np.concatenate([crd for _, crd in arrays]), np.concatenate([tensor.vals for tensor in tensors])
        return _matrix(first, pos.size - 1, pos, crd, values)
    pos = np.sum([pos for pos, _ in arrays], axis=0, dtype=number_type)
    crd, values = np.empty(int(starts[-1]), number_type), np.empty(int(starts[-1]), first.dtype)
    line_starts, offset = pos[:-1].astype(np.int64), 0
    for tensor, (next_pos, next_crd) in zip(tensors, arrays, strict=True):
        counts = np.diff(next_pos)
        places = np.arange(next_crd.size) + repeat(line_starts - next_pos[:-1], counts)
        crd[places], values[places] = next_crd + number_type.type(offset), tensor.vals
        line_starts += counts
        offset += tensor.shape[1 - outer]
    return _matrix(first, pos.size - 1, pos, crd, values, offset)


def relabel_dimensions(tensor: Tensor, shape: tuple[int, ...], layout: Format) -> Tensor:
    """A copy of the same arrays with their dimensions called otherwise: rows that have become columns."""
    tensor.validate()
    levels = moved_levels(tensor, lambda array: array.copy() if tensor.borrowed else array)
    owner = Ownership.RESULT
    return Tensor(shape, layout, tensor.dtype, levels, tensor.vals.copy(), tensor.fill, checked=True, ownership=owner)


def _arrays(tensor: Tensor) -> tuple[Any, Any]:
    """Positions and coordinates of the compressed level."""
    level: Any = tensor.levels[1]
    return level.pos, level.crd


def _places(pos: Any, numbers: Any) -> tuple[Any, Any]:
    """The positions of the entries of lines, one line after the other, and how many each has."""
    starts = pos[numbers].astype(np.int64)
    counts = pos[numbers + 1] - starts
    return np.arange(int(counts.sum())) + repeat(starts - (np.cumsum(counts) - counts), counts), counts


def _matrix(tensor: Tensor, lines: int, pos: Any, crd: Any, values: Any, inner: int | None = None) -> Tensor:
    """A matrix as ``tensor`` with other lines, of the length ``inner`` where that changes, in memory of its own."""
    outer = tensor.format.order[0]
    shape = list(tensor.shape)
    shape[outer] = lines
    shape[1 - outer] = shape[1 - outer] if inner is None else inner
    arrays = (LevelArrays(), LevelArrays(_copy_view(pos), _copy_view(crd)))
    owner = Ownership.RESULT
    return Tensor(
        tuple(shape),
        tensor.format,
        tensor.dtype,
        arrays,
        _copy_view(values),
        tensor.fill,
        checked=True,
        ownership=owner,
    )


def _copy_view(array: Any) -> Any:
    return array if array.base is None else array.copy()
