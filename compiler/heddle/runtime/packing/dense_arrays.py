"""Operands that are taken over without a copy, and dense arrays, which are copied as they are."""

from __future__ import annotations

import numpy as np

from heddle.fills.dtypes import same_fill
from heddle.index_width import index_dtype, needs_wide
from heddle.runtime.memory import buffers
from heddle.runtime.packing.request import Request
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.interop.compressed_matrix import CompressedMatrix
from heddle.runtime.tensors.tensor import LevelArrays, Tensor
from heddle.runtime.tensors.value_types import as_dtype


def without_copy(request: Request) -> Tensor | None:
    """A tensor on the operand's own memory, None when its layout or types differ."""
    operand, format, dtype, fill = request.operand, request.format, request.dtype, request.fill
    if isinstance(operand, Entries) or np.dtype(operand.dtype) != np.dtype(dtype):
        return None
    if isinstance(operand, Tensor):
        fits = operand.format == format and (format.is_dense or same_fill(operand.fill, fill, dtype))
        return operand if fits else None
    if isinstance(operand, np.ndarray):
        if not format.is_dense:
            return None
        stored = operand.transpose(format.order)
        if not (stored.flags.c_contiguous and stored.flags.aligned and stored.dtype.isnative):
            return None
        levels = tuple(LevelArrays() for _ in format.levels)
        return Tensor(operand.shape, format, dtype, levels, stored.reshape(-1), checked=True)
    assert isinstance(operand, CompressedMatrix)
    compressed = [level.kind for level in format.levels] == ["dense", "compressed"]
    if not compressed or operand.order != format.order or not operand.canonical:
        return None
    # SciPy may keep wider indices than needed; they are put right without touching the operand.
    index = index_dtype(needs_wide((*operand.shape, operand.crd.size)))
    pos, crd = (array.astype(index, copy=False) for array in (operand.pos, operand.crd))
    return Tensor(
        operand.shape, format, dtype, (LevelArrays(), LevelArrays(pos, crd)), operand.values, fill, checked=True
    )


def packed_array(request: Request) -> Tensor:
    """A copy of a dense array, which starts at a multiple of 64 bytes."""
    array, format, dtype = request.operand, request.format, request.dtype
    values = buffers.empty(array.size, dtype)
    stored = as_dtype(array, dtype, request.name).transpose(format.order)
    values.reshape(stored.shape)[...] = stored
    return Tensor(array.shape, format, dtype, tuple(LevelArrays() for _ in format.levels), values, checked=True)
