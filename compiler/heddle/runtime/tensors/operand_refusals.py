"""What is no operand, and what to pass instead."""

from __future__ import annotations

from typing import Any

import numpy as np

from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.plan import DTYPES
from heddle.runtime.storage.device_arrays import is_device_array
from heddle.runtime.tensors.value_types import dtype_name

_ACCEPTED = (
    "a NumPy or CuPy array, a SciPy sparse array, a heddle Tensor, an array of another library, a number, or "
    "(coordinates, values, shape)"
)


def checked_dtype(operand: Any, name: str) -> Any:
    if dtype_name(operand.dtype) not in DTYPES:
        raise unsupported_error(name, f"values of type {operand.dtype}", _other_dtype(operand.dtype))
    return operand


def checked_resident_dtype(operand: Any, name: str) -> Any:
    """``operand`` on a GPU, whose values have a supported dtype: by its interface, as PyTorch has types of its own."""
    values = operand if is_device_array(operand) else operand.data
    dtype = np.dtype(values.__cuda_array_interface__["typestr"])
    if dtype.name not in DTYPES:
        raise unsupported_error(name, f"values of type {dtype}", _other_dtype(dtype))
    return operand


def _other_dtype(dtype: Any) -> str | None:
    """What to do about values that no kernel computes with."""
    match np.dtype(dtype).kind:
        case "f":
            return f"Convert it yourself: .astype('{'float32' if dtype.itemsize == 2 else 'float64'}')."
        case "c":
            return "Convert it yourself: .astype('complex128')."
        case "O":
            return "Its elements are Python objects; where they are numbers, .astype('float64') makes an array of them."
        case "m" | "M":
            return "Pass the numbers that are meant: .astype('int64')."
        case _:
            return None


def unsupported_error(name: str, actual: str, hint: str | None = None) -> OperandError:
    return OperandError(
        Diagnostic(
            code="runtime/unsupported-operand",
            message=f"{name} cannot be packed: it is given as {actual}.",
            location=Location(Part.INPUT, tensor=name),
            expected=_ACCEPTED,
            actual=actual,
            hint=hint,
        )
    )
