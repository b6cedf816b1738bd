"""``kernel(…, out=y)``: memory of the caller that takes a dense result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.runtime.storage.ownership import Ownership
from heddle.runtime.tensors.shapes import Shape
from heddle.runtime.tensors.tensor import Tensor
from heddle.runtime.tensors.value_types import dtype_name
from heddle.signature import TensorSignature
from heddle.wrong_arguments import type_of

Array = NDArray[Any]


def require_out(out: object, signature: TensorSignature, shape: Shape) -> Array:
    """The elements of ``out`` by dimension, which may hold a result of ``signature`` and ``shape``.

    Raises
    ------
    OperandError
        ``runtime/out`` for what has no such elements, or may not be written; for a sparse result, whose number of
        entries nobody knows before it is computed.
    """
    name = signature.name
    if not signature.format.is_dense:
        raise _refuse(name, "a dense result", f"{name}, which is sparse: how many entries it has is known afterwards")
    if isinstance(out, Tensor):
        if out.resident or not out.format.is_dense:
            raise _refuse(name, "a dense tensor on the host", "a tensor that is sparse or lies on a GPU")
        if out.ownership is Ownership.SNAPSHOT:
            raise _refuse(name, "memory that may be written", "a snapshot; hd.pack(…, copy=False) is on your memory")
        array = out.to_numpy()
    elif isinstance(out, np.ndarray):
        array = out
    else:
        raise _refuse(name, "a NumPy array or a dense tensor", type_of(out))
    if array.shape != shape:
        raise _refuse(name, f"the shape {shape}", f"the shape {array.shape}")
    if array.dtype.newbyteorder("=") != np.dtype(signature.dtype):
        raise _refuse(name, f"elements of type {signature.dtype}", f"elements of type {dtype_name(array.dtype)}")
    if not array.flags.writeable:
        raise _refuse(name, "memory that may be written", "a read-only array")
    return array


def can_hold_result(array: Array, operands: Iterable[Tensor]) -> bool:
    """Whether a kernel may write its result there while it reads ``operands``: in order, and none of their memory."""
    flags = array.flags
    if not flags.c_contiguous or not flags.aligned or not array.dtype.isnative or not array.size:
        return False
    arrays = (other for tensor in operands if not tensor.resident for other in tensor.arrays().values())
    return not any(np.may_share_memory(array, other) for other in arrays)


def _refuse(name: str, expected: str, actual: str) -> OperandError:
    return OperandError(
        Diagnostic(
            "runtime/out",
            f"out cannot take the result {name}: expected {expected}, found {actual}.",
            Location(Part.INPUT, tensor=name),
            expected=expected,
            actual=actual,
            hint="Leave out out=, and use what the call returns.",
        )
    )
