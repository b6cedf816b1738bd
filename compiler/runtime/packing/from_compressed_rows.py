"""CSR to ELL, DIA and DCSR (CSC to the same by columns) on its own positions, without unfolding coordinates."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from compiler.formats.format import Format, Level
from compiler.runtime.memory import buffers
from compiler.runtime.memory.allocation_limit import require_values
from compiler.runtime.packing.diagonal_rows import diagonals_of, spread
from compiler.runtime.tensors.tensor import Array, LevelArrays, Tensor

Made = tuple[tuple[LevelArrays, LevelArrays], Array]
_COMPRESSED = (Level("dense"), Level("compressed"))


def from_compressed_rows(operand: object, format: Format, dtype: str, fill: int | float | bool) -> Tensor | None:
    """A packed CSR or CSC matrix in a ``format`` of the same order of dimensions; None for all else.

    Raises:
        CompileError: ``runtime/too-large``.
    """
    make = _MAKERS.get(format.levels)
    if make is None or not isinstance(operand, Tensor) or operand.format.levels != _COMPRESSED:
        return None
    if (operand.format.order, operand.dtype, operand.fill) != (format.order, dtype, fill):
        return None
    levels, values = make(operand)
    return Tensor(operand.shape, format, dtype, levels, values, fill, checked=True)


def _rows(tensor: Tensor) -> tuple[Array, Array]:
    pos, crd = tensor.levels[1].pos, tensor.levels[1].crd
    assert pos is not None
    assert crd is not None
    return pos, crd


def _padded(tensor: Tensor) -> Made:
    """Each row's slots that hold an entry are a mask over rows and slots."""
    pos, crd = _rows(tensor)
    counts = np.diff(pos)
    rows, width = counts.size, int(counts.max(initial=0))
    slots = require_values(rows * width, tensor.dtype, "the padded rows")
    held = np.arange(width, dtype=crd.dtype) < counts[:, None]
    padded = np.full((rows, width), tensor.shape[tensor.format.order[1]], dtype=crd.dtype)
    padded[held] = crd
    values = buffers.empty(slots, tensor.dtype)
    values.fill(tensor.fill)
    values.reshape(rows, width)[held] = tensor.vals
    extra = {"width": np.array([width], dtype=crd.dtype)}
    return (LevelArrays(), LevelArrays(crd=padded.reshape(-1), extra=extra)), values


def _without_empty_rows(tensor: Tensor) -> Made:
    """The columns and values are those of the tensor, in its memory."""
    pos, crd = _rows(tensor)
    kept = np.flatnonzero(pos[1:] != pos[:-1])
    rows = LevelArrays(np.array([0, kept.size], dtype=pos.dtype), kept.astype(crd.dtype))
    return (rows, LevelArrays(np.append(pos[kept], pos[-1:]), crd)), tensor.vals


def _diagonals(tensor: Tensor) -> Made:
    """A slot in every row for each diagonal that holds something."""
    pos, crd = _rows(tensor)
    offsets, numbers = diagonals_of(pos, crd, tensor.shape[tensor.format.order[1]])
    values = buffers.zeros(require_values((pos.size - 1) * offsets.size, tensor.dtype, "the diagonals"), tensor.dtype)
    if tensor.fill != 0:
        values.fill(tensor.fill)
    spread(pos, crd, tensor.vals, numbers, 1, values)
    extra = {"width": np.array([offsets.size], crd.dtype), "offsets": offsets.astype(crd.dtype)}
    return (LevelArrays(), LevelArrays(extra=extra)), values


_MAKERS: dict[tuple[Level, ...], Callable[[Tensor], Made]] = {
    (Level("dense"), Level("padded")): _padded,
    (Level("dense"), Level("offset")): _diagonals,
    (Level("compressed"), Level("compressed")): _without_empty_rows,
}
