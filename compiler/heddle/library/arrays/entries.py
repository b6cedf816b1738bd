"""Tensors taken apart into coordinates and values, and put together again: what moves elements and computes nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.fills.fill import Fill
from heddle.formats.format import Format
from heddle.library.operand_kinds import kind_of, sparse_format
from heddle.runtime.packing.pack import pack
from heddle.runtime.storage.ownership import Ownership
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.operands import as_entries, as_operand
from heddle.runtime.tensors.tensor import Tensor
from heddle.runtime.tensors.value_types import dtype_name

Array = NDArray[Any]


def dense_elements(operand: object, name: str = "the tensor") -> Array | None:
    """The elements of a dense operand; None of a sparse one."""
    known: Any = as_operand(operand, name)
    if isinstance(known, np.ndarray):
        return known
    return known.to_numpy() if isinstance(known, Tensor) and known.format.is_dense else None


def sparse_entries(operand: object, name: str = "the tensor") -> tuple[Entries, Fill]:
    """Coordinates and values of an operand, and the value of what it does not store; each coordinate once."""
    tensor = as_tensor(operand, name)
    return as_entries(tensor.on_host(), name, tensor.fill), tensor.fill


def as_tensor(operand: object, name: str = "the tensor") -> Tensor:
    """``operand`` itself where it is a tensor, else packed: dense where it is dense, by rows where it is sparse."""
    if isinstance(operand, Tensor):
        return operand
    known: Any = as_operand(operand, name)
    if isinstance(known, np.ndarray):
        return pack(known, name=name)
    kind = kind_of(known, name)
    return pack(known, kind.format, name=name, fill=kind.fill)


def from_elements(array: Array) -> Tensor:
    """A dense tensor with memory of its own, which may be written."""
    return owned(pack(np.ascontiguousarray(array).reshape(array.shape), name="the result"))


def from_entries(
    shape: tuple[int, ...], columns: tuple[Array, ...], values: Array, fill: Fill, format: Format | str | None = None
) -> Tensor:
    """A sparse tensor of these entries with memory of its own."""
    layout = sparse_format(len(shape)) if format is None else format
    return owned(pack(Entries(shape, columns, values), layout, dtype_name(values.dtype), "the result", fill))


def owned(tensor: Tensor) -> Tensor:
    """A tensor with values that the caller may write, which nobody else has."""
    values = tensor.vals.copy()
    owner = Ownership.RESULT
    if type(tensor) is not Tensor:
        return tensor
    return Tensor(
        tensor.shape, tensor.format, tensor.dtype, tensor.levels, values, tensor.fill, checked=True, ownership=owner
    )


def split_coordinates(flat: Array, shape: tuple[int, ...]) -> tuple[Array, ...]:
    """One column of coordinates for each dimension, of numbers in C order."""
    columns: list[Array] = []
    for size in reversed(shape):
        flat, column = np.divmod(flat, max(size, 1))
        columns.append(column)
    return tuple(reversed(columns))
