"""The same coordinates with other values: other types, conjugates, copies, and tensors without explicit zeros."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np

from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.fills.dtypes import differing, holds_fill
from heddle.fills.fill import Fill
from heddle.library.arrays.compressed_lines import keep_entries, outer_dimension
from heddle.library.arrays.entries import as_tensor, from_entries, owned, sparse_entries
from heddle.plan import DTYPES
from heddle.runtime.storage.device_arrays import moved_levels
from heddle.runtime.storage.ownership import Ownership
from heddle.runtime.tensors.tensor import Tensor
from heddle.runtime.tensors.value_types import dtype_name
from heddle.wrong_arguments import wrong_argument


def astype(tensor: object, dtype: Any) -> Tensor:
    """The same elements as another type, converted as NumPy's ``astype`` does.

    Parameters
    ----------
    tensor
        of any shape and dtype; whatever :func:`heddle.pack` takes.
    dtype
        of the result.

    Returns
    -------
    Tensor
        A tensor of the same shape and format, with memory of its own.

    Raises
    ------
    OperandError
        ``runtime/fill`` where the type does not have the fill; ``runtime/argument`` for a type that tensors lack.
    """
    operand = as_tensor(tensor).on_host()
    name = _value_type(dtype)
    fill = np.dtype(name).type(operand.fill).item() if holds_fill(name, operand.fill) else operand.fill
    if not holds_fill(name, operand.fill):
        raise OperandError(
            Diagnostic(
                "runtime/fill",
                f"{name} has no value for the fill {operand.fill}.",
                Location(Part.INPUT),
                expected=f"a type that has {operand.fill}",
                actual=name,
            )
        )
    return _with_values(operand, lambda values: values.astype(name), fill)


def _value_type(dtype: Any) -> str:
    try:
        name = dtype_name(np.dtype(dtype))
    except (TypeError, ValueError, SyntaxError, RuntimeError):  # NumPy evaluates texts, and asks objects for theirs
        name = ""
    if name not in DTYPES:
        raise wrong_argument("the dtype", f"one of {', '.join(DTYPES)}", dtype)
    return name


def conj(tensor: Tensor) -> Tensor:
    """The complex conjugates of the elements."""
    operand = tensor.on_host()
    fill: Any = operand.fill
    return _with_values(operand, np.conj, fill.conjugate() if isinstance(fill, complex) else fill)


def _with_values(operand: Tensor, compute: Callable[[Any], Any], fill: Fill) -> Tensor:
    """The same coordinates with what is computed of each value, in memory of its own."""
    if type(operand) is not Tensor:
        entries, _ = sparse_entries(operand)
        return from_entries(operand.shape, entries.columns, compute(entries.values), fill, operand.format)
    values, owner = compute(operand.vals), Ownership.RESULT
    values = values.copy() if values is operand.vals else values
    levels = moved_levels(operand, lambda array: array.copy() if operand.borrowed else array)
    dtype = dtype_name(values.dtype)
    return Tensor(operand.shape, operand.format, dtype, levels, values, fill, checked=True, ownership=owner)


def copy(tensor: Tensor) -> Tensor:
    """The same tensor with memory of its own."""
    if type(tensor) is not Tensor:
        return deepcopy(tensor)
    return owned(tensor) if tensor.ownership is not Ownership.BORROWED else astype(tensor, tensor.dtype)


def prune(tensor: object) -> Tensor:
    """The tensor without entries that are equal to its fill: the explicit zeros of a sparse result.

    Parameters
    ----------
    tensor
        of any shape and dtype; whatever :func:`heddle.pack` takes.

    Returns
    -------
    Tensor
        A tensor of the same shape, dtype and format with memory of its own. A dense tensor stays as it is.

    Raises
    ------
    OperandError
        as :func:`heddle.pack`.
    """
    operand = as_tensor(tensor)
    if operand.format.is_dense:
        return copy(operand)
    if outer_dimension(operand) is not None:
        return keep_entries(operand, differing(operand.vals, operand.fill))
    entries, fill = sparse_entries(operand)
    held = differing(entries.values, fill)
    columns = tuple(column[held] for column in entries.columns)
    return from_entries(operand.shape, columns, entries.values[held], fill, operand.format)
