"""What the methods of :class:`heddle.runtime.tensors.tensor.Tensor` ask for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heddle.library.arrays import elementwise, reductions, selection, shapes, stored_values
from heddle.runtime.tensors.tensor import Tensor


class Operations:
    """Of :class:`heddle.runtime.tensors.array_methods.ArrayOperations`."""

    def binary(self, operator: str, left: object, right: object) -> Tensor:
        """``left operator right``."""
        return elementwise.binary(operator, left, right)

    def unary(self, function: str, operand: object) -> Tensor:
        """The function of every element."""
        return elementwise.unary(function, operand)

    def matmul(self, left: object, right: object) -> Tensor:
        """``left @ right``."""
        return elementwise.matmul(left, right)

    def reduce(self, function: str, tensor: Any, axis: int | Sequence[int] | None, keepdims: bool) -> Tensor:
        """The elements along some axes combined."""
        return reductions.reduce(function, tensor, axis, keepdims)

    def arg_extremum(self, function: str, tensor: Any, axis: int | None, keepdims: bool) -> Tensor:
        """Where the extremum along an axis lies."""
        return reductions.arg_extremum(function, tensor, axis, keepdims)

    def take(self, tensor: Any, key: object) -> Any:
        """``tensor[key]``."""
        return selection.take(tensor, key)

    def astype(self, tensor: Any, dtype: Any) -> Tensor:
        """The elements as another type."""
        return stored_values.astype(tensor, dtype)

    def conj(self, tensor: Any) -> Tensor:
        """The complex conjugates of the elements."""
        return stored_values.conj(tensor)

    def copy(self, tensor: Any) -> Tensor:
        """The tensor with memory of its own."""
        return stored_values.copy(tensor)

    def prune(self, tensor: Any) -> Tensor:
        """The tensor without entries that are equal to its fill."""
        return stored_values.prune(tensor)

    def reshape(self, tensor: Any, shape: Sequence[int]) -> Tensor:
        """The elements in another shape."""
        return shapes.reshape(tensor, shape)

    def transpose(self, tensor: Any, axes: Sequence[int] | None) -> Tensor:
        """The dimensions in another order."""
        return shapes.transpose(tensor, axes)


OPERATIONS = Operations()
