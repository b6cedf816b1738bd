"""The tensor of a decomposition: whatever a person has, as sorted entries without duplicates, looked at once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.algorithms.algorithm import LEAST_ORDER, MAX_ORDER
from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.runtime.tensors.coordinates import Entries, sort_and_sum
from heddle.runtime.tensors.operands import as_entries, as_operand
from heddle.runtime.tensors.value_types import as_dtype

Array = NDArray[Any]
SHOWN = 3
"""Coordinates that a message names."""


@dataclass(frozen=True, eq=False)
class Input:
    """``entries`` are sorted by all dimensions, in double precision; ``summed`` of those given were duplicates."""

    entries: Entries
    summed: int

    @property
    def shape(self) -> tuple[int, ...]:
        return self.entries.shape

    @property
    def stored(self) -> int:
        return int(self.entries.values.size)

    @cached_property
    def hash(self) -> str:
        """SHA-256 of shape, coordinates and values."""
        digest = hashlib.sha256(repr(self.shape).encode())
        for array in (*self.entries.columns, self.entries.values):
            digest.update(np.ascontiguousarray(array).view(np.uint8).data)
        return f"sha256:{digest.hexdigest()}"


def tensor_input(source: object) -> Input:
    """``source`` is a NumPy array, whose zeros are not stored, a Tensor, ``(coordinates, values, shape)``, a SciPy
    array, or an object with ``coords``, ``data`` and ``shape`` as the package sparse and SciPy have them.

    Raises
    ------
    CompileError
        ``runtime/unsupported-operand``, ``runtime/coordinate-out-of-range``, ``algorithm/order``,
        ``algorithm/not-finite``, ``algorithm/zero-tensor``.
    """
    operand = as_operand(source, "X")
    order = len(operand.shape)
    if not LEAST_ORDER <= order <= MAX_ORDER:
        dimensions = "dimension" if order == 1 else "dimensions"
        raise _refusal(
            "algorithm/order",
            f"X has {order} {dimensions}; a decomposition needs a tensor of {LEAST_ORDER} to {MAX_ORDER}.",
            expected=f"{LEAST_ORDER} to {MAX_ORDER} dimensions",
            actual=f"{order} {dimensions}",
        )
    entries = as_entries(operand, "X")
    values = _real(entries.values)
    columns = tuple(np.ascontiguousarray(column) for column in entries.columns)
    entries = Entries(entries.shape, columns, values)
    _require_finite(entries)
    sorted_ = sort_and_sum(entries, tuple(range(order)))
    stored_entries = Entries(sorted_.shape, sorted_.columns, np.ascontiguousarray(sorted_.values))
    if not stored_entries.values.any():
        what = "stores no entry" if not values.size else "has zeros alone"
        message = f"X {what}: its norm is 0, so no fit is defined and there is nothing to decompose."
        raise _refusal("algorithm/zero-tensor", message, expected="a tensor with a value that is not 0", actual=what)
    return Input(stored_entries, int(values.size - stored_entries.values.size))


def require_counts(tensor: Input) -> None:
    """That no value is negative.

    Raises
    ------
    CompileError
        ``algorithm/negative-counts``.
    """
    wrong = np.flatnonzero(tensor.entries.values < 0)
    if not wrong.size:
        return
    place = int(wrong[0])
    where = ", ".join(str(int(column[place])) for column in tensor.entries.columns)
    values = "1 value below 0" if wrong.size == 1 else f"{wrong.size} values below 0"
    raise _refusal(
        "algorithm/negative-counts",
        f"X has {values}, the first X({where}) = {tensor.entries.values[place]}: cp-apr is for counts. Use cp-als.",
        expected="values that are 0 or more",
        actual=f"X({where}) = {tensor.entries.values[place]}",
    )


def _real(values: Array) -> Array:
    if values.dtype.kind == "c":
        message = "X holds complex values; decompositions are of real tensors."
        raise _refusal("algorithm/complex", message, expected="real values", actual=values.dtype.name)
    return np.ascontiguousarray(as_dtype(values, "float64", "X"))


def _require_finite(entries: Entries) -> None:
    wrong = np.flatnonzero(~np.isfinite(entries.values))
    if not wrong.size:
        return
    places = [
        f"X({', '.join(str(int(column[place])) for column in entries.columns)}) = {entries.values[place]}"
        for place in wrong[:SHOWN]
    ]
    more = f" and {wrong.size - SHOWN} more" if wrong.size > SHOWN else ""
    values = "1 value that is" if wrong.size == 1 else f"{wrong.size} values that are"
    raise _refusal(
        "algorithm/not-finite",
        f"X has {values} not finite: {'; '.join(places)}{more}. Every factor would be NaN after the first sweep.",
        expected="finite values",
        actual=places[0],
    )


def _refusal(code: str, message: str, *, expected: str, actual: str) -> OperandError:
    location = Location(Part.INPUT, tensor="X")
    return OperandError(Diagnostic(code, message, location, expected=expected, actual=actual))
