"""CSR to ELL, DIA and DCSR (CSC to the same by columns) on its own positions, without unfolding coordinates."""

from __future__ import annotations

import numpy as np

from heddle.runtime.memory import buffers
from heddle.runtime.memory.allocation_limit import require_values
from heddle.runtime.packing.request import Request
from heddle.runtime.packing.row_conversions.diagonal_rows import diagonals_of, spread
from heddle.runtime.tensors.tensor import Array, LevelArrays, Tensor

Made = tuple[tuple[LevelArrays, LevelArrays], Array]


def pad(request: Request) -> Tensor:
    """The rows, each with as many slots as the fullest has entries.

    Raises
    ------
    CompileError
        ``runtime/too-large``.
    """
    return _tensor(request, _pad(request.operand))


def diagonals(request: Request) -> Tensor:
    """The diagonals that hold something, each whole.

    Raises
    ------
    CompileError
        ``runtime/too-large``.
    """
    return _tensor(request, _diagonals(request.operand))


def without_empty_rows(request: Request) -> Tensor:
    """The rows that hold something; columns and values stay in their memory."""
    return _tensor(request, _without_empty_rows(request.operand))


def _tensor(request: Request, arrays: Made) -> Tensor:
    levels, values = arrays
    shape = request.operand.shape
    return Tensor(shape, request.format, request.dtype, levels, values, request.fill, checked=True)


def _rows(tensor: Tensor) -> tuple[Array, Array]:
    pos, crd = tensor.levels[1].pos, tensor.levels[1].crd
    assert pos is not None
    assert crd is not None
    return pos, crd


def _pad(tensor: Tensor) -> Made:
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
    filled_rows = np.flatnonzero(pos[1:] != pos[:-1])
    rows = LevelArrays(np.array([0, filled_rows.size], dtype=pos.dtype), filled_rows.astype(crd.dtype))
    return (rows, LevelArrays(np.append(pos[filled_rows], pos[-1:]), crd)), tensor.vals


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
