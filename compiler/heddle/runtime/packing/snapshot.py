"""Packed tensors that own their memory, and tensors on the caller's: which arrays of an operand are copied."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from heddle.runtime.memory import buffers
from heddle.runtime.packing.referenced_rows import is_referenced
from heddle.runtime.storage.device_arrays import is_device_array, is_device_matrix, moved_levels
from heddle.runtime.storage.ownership import Ownership, protect
from heddle.runtime.tensors.composite import Composite, parts_of
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.interop.compressed_matrix import CompressedMatrix
from heddle.runtime.tensors.interop.foreign_arrays import (
    CompressedLines,
    UnreadableArrayError,
    coordinates_of,
    to_dense,
)
from heddle.runtime.tensors.interop.scipy_operands import is_scipy_sparse
from heddle.runtime.tensors.interop.torch_layouts import torch_arrays
from heddle.runtime.tensors.operands import Operand
from heddle.runtime.tensors.tensor import Array, Tensor


def snapshot(tensor: Tensor, known: Operand) -> Tensor:
    """``tensor``, which was packed of ``known``, read-only and without memory of it: what that still has a part in is
    copied. A tensor that is ``known`` itself stays as it is, and a copy is returned."""
    if tensor.ownership is Ownership.SNAPSHOT:
        return tensor
    if tensor is known:
        tensor = _same_arrays(tensor)
    _take_ownership(tensor, [] if _is_snapshot(known) else list(_memory_of(known)))
    return tensor


def borrowing(tensor: Tensor, known: Operand, operand: object) -> Tensor:
    """``tensor``, which was packed of what ``operand`` is ``known`` as: on the operand's memory where its values are
    there, else as :func:`snapshot`."""
    if tensor is known or tensor.ownership is Ownership.SNAPSHOT:
        return tensor
    if not is_in_place(tensor, operand):
        return snapshot(tensor, known)
    tensor.ownership = Ownership.BORROWED
    return tensor


def is_in_place(tensor: Tensor, operand: object) -> bool:
    """Whether the values of ``tensor`` lie in the memory of ``operand``, of which it was packed. Those of coordinates
    do so by chance, where they are in order and aligned, except where several tensors are to share them."""
    if isinstance(tensor, Composite):
        return False
    by_coordinates = isinstance(operand, tuple | Entries) or getattr(operand, "format", None) == "coo"
    if by_coordinates and not is_device_matrix(operand) and not is_referenced(tensor.format):
        return False
    return _shares(tensor.vals, _values_of(operand))


def with_protected_coordinates(tensor: Tensor) -> Tensor:
    """``tensor`` itself; where it is on the caller's memory, its index arrays become read-only views."""
    if tensor.ownership is Ownership.BORROWED and not isinstance(tensor, Composite):
        tensor.levels = moved_levels(tensor, lambda array: array if is_device_array(array) else protect(array.view()))
    return tensor


def writable_copy(tensor: Tensor) -> Tensor:
    """A copy whose values may be written, with index arrays of its own; a snapshot itself."""
    if tensor.ownership is Ownership.SNAPSHOT:
        return tensor
    if not tensor.format.is_dense:
        return snapshot(tensor, tensor)
    levels, values = tensor.levels, _copy(tensor.vals)
    owner = Ownership.RESULT
    return Tensor(tensor.shape, tensor.format, tensor.dtype, levels, values, tensor.fill, checked=True, ownership=owner)


def _same_arrays(tensor: Tensor) -> Tensor:
    """Another tensor with the very same arrays."""
    shape, format, dtype, fill = tensor.shape, tensor.format, tensor.dtype, tensor.fill
    if isinstance(tensor, Composite):
        parts = tuple(_same_arrays(part) for part in tensor.parts)
        return Composite(shape, format, dtype, parts, fill, checked=True)
    return Tensor(shape, format, dtype, tensor.levels, tensor.vals, fill, checked=True)


def _is_snapshot(operand: Operand) -> bool:
    return isinstance(operand, Tensor) and operand.ownership is Ownership.SNAPSHOT


def _take_ownership(tensor: Tensor, sources: list[Array]) -> None:
    """Copies the arrays of ``tensor`` that lie in ``sources``, and protects all of them."""

    def keep_alive(array: Array) -> Any:
        return protect(_copy(array) if any(_shares(array, source) for source in sources) else array)

    if isinstance(tensor, Composite):
        for part in parts_of(tensor):
            _take_ownership(part, sources)
    tensor.levels = moved_levels(tensor, keep_alive)
    tensor.vals = keep_alive(tensor.vals)
    tensor.ownership = Ownership.SNAPSHOT


def _copy(array: Array) -> Array:
    if is_device_array(array):
        return array.copy()
    copy = buffers.empty(array.size, array.dtype)
    copy[...] = array
    return copy


def _shares(array: Array, source: object) -> bool:
    if isinstance(array, np.ndarray) and isinstance(source, np.ndarray):
        return np.may_share_memory(array, source)
    if is_device_array(array) or is_device_array(source):
        return is_device_array(array) and is_device_array(source)
    return False


def _values_of(operand: object) -> object:
    """The memory in which the caller writes new values of an operand; None where there is none."""
    if isinstance(operand, np.ndarray) or is_device_array(operand):
        return operand
    if isinstance(operand, Tensor):
        return operand.vals
    if isinstance(operand, Entries):
        return operand.values
    if isinstance(operand, tuple):
        return operand[1] if len(operand) == 3 else None
    if is_scipy_sparse(operand) or is_device_matrix(operand):
        values: object = getattr(operand, "data", None)
        return values
    if coordinates_of(operand) is not None:
        return None
    # What makes a new array each time it is asked does not look into memory that others write.
    try:
        lines = torch_arrays(operand)
        return lines.data if isinstance(lines, CompressedLines) else to_dense(operand)
    except UnreadableArrayError:
        return None  # a sparse array of another library, which is converted


def _memory_of(known: Operand) -> Iterable[Array]:
    """The arrays that hold what an operand is known as."""
    if isinstance(known, Composite):
        for part in known.parts:
            yield from _memory_of(part)
    elif isinstance(known, Tensor):
        yield from known.arrays().values()
    elif isinstance(known, Entries):
        yield from (*known.columns, known.values)
    elif isinstance(known, CompressedMatrix):
        yield from (known.pos, known.crd, known.values)
    elif is_device_matrix(known):
        yield known.data  # all arrays there count as shared
    else:
        yield known
