"""A tensor as an array: the operators and methods that NumPy's arrays have.

They compute by kernels, which are compiled above this layer; so what computes is found by its name when it is first
needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy as np

from heddle.diagnostics import Diagnostic, OperandError
from heddle.wrong_arguments import wrong_argument

Axis = int | Sequence[int] | None
Tensor = TypeVar("Tensor", covariant=True)
"""The class that has the methods, :class:`heddle.runtime.tensors.tensor.Tensor`: they give back what it is."""


class ArrayOperations(Protocol[Tensor]):
    """What the methods ask for: ``heddle.library.arrays.operations``."""

    def binary(self, operator: str, left: object, right: object) -> Tensor:
        """``left operator right``."""

    def unary(self, function: str, operand: object) -> Tensor:
        """The function of every element."""

    def matmul(self, left: object, right: object) -> Tensor:
        """``left @ right``."""

    def reduce(self, function: str, tensor: Any, axis: Axis, keepdims: bool) -> Tensor:
        """The elements along some axes combined."""

    def arg_extremum(self, function: str, tensor: Any, axis: int | None, keepdims: bool) -> Tensor:
        """Where the extremum along an axis lies."""

    def take(self, tensor: Any, key: object) -> Any:
        """``tensor[key]``."""

    def astype(self, tensor: Any, dtype: Any) -> Tensor:
        """The elements as another type."""

    def conj(self, tensor: Any) -> Tensor:
        """The complex conjugates of the elements."""

    def copy(self, tensor: Any) -> Tensor:
        """The tensor with memory of its own."""

    def prune(self, tensor: Any) -> Tensor:
        """The tensor without entries that are equal to its fill."""

    def reshape(self, tensor: Any, shape: Sequence[int]) -> Tensor:
        """The elements in another shape."""

    def transpose(self, tensor: Any, axes: Sequence[int] | None) -> Tensor:
        """The dimensions in another order."""


@cache
def _library() -> Any:
    return import_module("heddle.library.arrays.operations").OPERATIONS


def _operations(_: ArrayMethods[Tensor]) -> ArrayOperations[Tensor]:
    """What computes with tensors of this class."""
    operations: ArrayOperations[Tensor] = _library()
    return operations


_UFUNCS = {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "divide": "truediv",
    "true_divide": "truediv",
    "power": "pow",
    "less": "lt",
    "less_equal": "le",
    "greater": "gt",
    "greater_equal": "ge",
    "equal": "eq",
    "not_equal": "ne",
    "minimum": "minimum",
    "maximum": "maximum",
    "bitwise_and": "and",
    "bitwise_or": "or",
    "bitwise_xor": "xor",
    "logical_and": "and",
    "logical_or": "or",
    "logical_xor": "xor",
}
"""NumPy's functions of two arrays, by the names of operators."""
_FUNCTIONS = {
    "negative": "neg",
    "positive": "pos",
    "absolute": "abs",
    "invert": "invert",
    "logical_not": "invert",
} | {
    name: name
    for name in (*("sqrt", "exp", "expm1", "log", "log1p", "sin", "cos", "tan", "tanh", "floor", "ceil", "square"),)
}


def _of_function(name: str, diagnostic: Diagnostic) -> Diagnostic:
    """The refusal of a dense array that says which function of NumPy wants it."""
    message = f"numpy.{name} takes no sparse tensors in this call. {diagnostic.message}"
    return replace(diagnostic, message=message)


def _without_out(out: object, keepdims: bool = False) -> bool:
    """``keepdims``, where nobody passes memory for the result: NumPy's functions call methods with ``out=None``."""
    if out is None:
        return keepdims
    raise wrong_argument("out", "None: reductions of tensors return new ones", out)


class ArrayMethods(Generic[Tensor]):
    """Operators between tensors, arrays of other libraries and numbers, with NumPy's broadcasting; reductions over
    axes; slices. Results have memory of their own, and are sparse where :func:`heddle.evaluate` makes them so."""

    __slots__ = ()

    if TYPE_CHECKING:
        shape: tuple[int, ...]

    def _call(self, operator: str, left: object, right: object) -> Any:
        other = right if left is self else left
        if isinstance(other, str | bytes | dict | set) or other is None:
            return NotImplemented
        return _operations(self).binary(operator, left, right)

    def __add__(self, other: object) -> Tensor:
        return self._call("add", self, other)  # type: ignore[no-any-return]

    def __radd__(self, other: object) -> Tensor:
        return self._call("add", other, self)  # type: ignore[no-any-return]

    def __sub__(self, other: object) -> Tensor:
        return self._call("sub", self, other)  # type: ignore[no-any-return]

    def __rsub__(self, other: object) -> Tensor:
        return self._call("sub", other, self)  # type: ignore[no-any-return]

    def __mul__(self, other: object) -> Tensor:
        return self._call("mul", self, other)  # type: ignore[no-any-return]

    def __rmul__(self, other: object) -> Tensor:
        return self._call("mul", other, self)  # type: ignore[no-any-return]

    def __truediv__(self, other: object) -> Tensor:
        return self._call("truediv", self, other)  # type: ignore[no-any-return]

    def __rtruediv__(self, other: object) -> Tensor:
        return self._call("truediv", other, self)  # type: ignore[no-any-return]

    def __pow__(self, other: object) -> Tensor:
        return self._call("pow", self, other)  # type: ignore[no-any-return]

    def __rpow__(self, other: object) -> Tensor:
        return self._call("pow", other, self)  # type: ignore[no-any-return]

    def __lt__(self, other: object) -> Tensor:
        return self._call("lt", self, other)  # type: ignore[no-any-return]

    def __le__(self, other: object) -> Tensor:
        return self._call("le", self, other)  # type: ignore[no-any-return]

    def __gt__(self, other: object) -> Tensor:
        return self._call("gt", self, other)  # type: ignore[no-any-return]

    def __ge__(self, other: object) -> Tensor:
        return self._call("ge", self, other)  # type: ignore[no-any-return]

    def __eq__(self, other: object) -> Tensor:  # type: ignore[override]
        return self._call("eq", self, other)  # type: ignore[no-any-return]

    def __ne__(self, other: object) -> Tensor:  # type: ignore[override]
        return self._call("ne", self, other)  # type: ignore[no-any-return]

    __hash__ = object.__hash__
    """By identity: a tensor is a key of what is remembered of it."""

    def __matmul__(self, other: object) -> Tensor:
        return _operations(self).matmul(self, other)

    def __rmatmul__(self, other: object) -> Tensor:
        return _operations(self).matmul(other, self)

    def matvec(self, vector: object) -> Any:
        """``T @ vector`` as a NumPy array, by which SciPy's solvers take a matrix: ``scipy.sparse.linalg.cg(T, b)``.

        Parameters
        ----------
        vector
            of as many elements as the matrix has columns, also as a matrix with one column.

        Raises
        ------
        OperandError
            as :func:`heddle.einsum`.
        """
        product: Any = _operations(self).matmul(self, np.asarray(vector).reshape(-1))
        return product.to_numpy()

    def rmatvec(self, vector: object) -> Any:
        """The conjugate transpose times ``vector`` as a NumPy array, as SciPy's solvers ask for it.

        Parameters
        ----------
        vector
            of as many elements as the matrix has rows, also as a matrix with one column.

        Raises
        ------
        OperandError
            as :func:`heddle.einsum`.
        """
        product: Any = _operations(self).matmul(np.conj(np.asarray(vector).reshape(-1)), self)
        return np.conj(product.to_numpy())

    def __and__(self, other: object) -> Tensor:
        return self._call("and", self, other)  # type: ignore[no-any-return]

    def __rand__(self, other: object) -> Tensor:
        return self._call("and", other, self)  # type: ignore[no-any-return]

    def __or__(self, other: object) -> Tensor:
        return self._call("or", self, other)  # type: ignore[no-any-return]

    def __ror__(self, other: object) -> Tensor:
        return self._call("or", other, self)  # type: ignore[no-any-return]

    def __xor__(self, other: object) -> Tensor:
        return self._call("xor", self, other)  # type: ignore[no-any-return]

    def __rxor__(self, other: object) -> Tensor:
        return self._call("xor", other, self)  # type: ignore[no-any-return]

    def __invert__(self) -> Tensor:
        return _operations(self).unary("invert", self)

    def __neg__(self) -> Tensor:
        return _operations(self).unary("neg", self)

    def __pos__(self) -> Tensor:
        return _operations(self).copy(self)

    def __abs__(self) -> Tensor:
        return _operations(self).unary("abs", self)

    def __getitem__(self, key: object) -> Any:
        """A copy of a part: integers, slices, ``...``, ``None``, index arrays, masks."""
        return _operations(self).take(self, key)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of a tensor without dimensions")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[number] for number in range(len(self)))

    def __bool__(self) -> bool:
        return bool(self._number("the truth value"))

    def __float__(self) -> float:
        return float(self._number("float()"))

    def __int__(self) -> int:
        return int(self._number("int()"))

    def __complex__(self) -> complex:
        return complex(self._number("complex()"))

    def __format__(self, specification: str) -> str:
        """A number as Python writes it, so that ``f"{T.sum():.3f}"`` works; other tensors have their text alone."""
        tensor: Any = self
        if not specification or tensor.size != 1:
            return super().__format__(specification)
        return format(self._number("the text"), specification)

    def _number(self, what: str) -> Any:
        tensor: Any = self
        if tensor.size == 1:
            return tensor.to_numpy().item()
        raise OperandError(
            Diagnostic(
                "runtime/not-a-number",
                f"{what} of a tensor of the shape {self.shape} has no meaning: it has {tensor.size:,} elements.",
                expected="one element",
                actual=f"{tensor.size:,} elements",
                hint="Use .any(), .all(), or an element of it.",
            )
        )

    def __array_ufunc__(self, function: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """NumPy's functions of tensors: those that index notation has, and all of dense tensors."""
        name = function.__name__
        if method == "__call__" and not options:
            if name in _UFUNCS and len(inputs) == 2:
                return _operations(self).binary(_UFUNCS[name], *inputs)
            if name == "matmul":
                return _operations(self).matmul(*inputs)
            if name in _FUNCTIONS:
                return _operations(self).unary(_FUNCTIONS[name], inputs[0])
            if name == "conjugate":
                return _operations(self).conj(inputs[0])
        try:
            arrays = [np.asarray(operand) if isinstance(operand, ArrayMethods) else operand for operand in inputs]
        except OperandError as error:
            called = name if method == "__call__" else f"{name}.{method}"
            raise OperandError(*(_of_function(called, diagnostic) for diagnostic in error.diagnostics)) from None
        return getattr(function, method)(*arrays, **options)

    def astype(self, dtype: Any) -> Tensor:
        """The same elements as another type, converted as NumPy does, in the same format and shape.

        Raises
        ------
        OperandError
            ``runtime/fill`` where the type does not have the fill.
        """
        return _operations(self).astype(self, dtype)

    def conj(self) -> Tensor:
        """The complex conjugates of the elements, in the same format; of real ones a copy."""
        return _operations(self).conj(self)

    def copy(self) -> Tensor:
        """The same tensor with memory of its own, whose values may be written."""
        return _operations(self).copy(self)

    def prune(self) -> Tensor:
        """The tensor without entries that are equal to its fill, such as the explicit zeros of a result: of the same
        shape, dtype and format."""
        return _operations(self).prune(self)

    def reshape(self, *shape: Any) -> Tensor:
        """The elements in C order in another shape, in which one size may be -1, and the same dtype.

        Raises
        ------
        OperandError
            ``runtime/shape``.
        """
        sizes = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        return _operations(self).reshape(self, sizes)

    def transpose(self, *axes: Any) -> Tensor:
        """The dimensions in another order, reversed where none is named; a copy of the same dtype, whose shape is in
        that order.

        Raises
        ------
        OperandError
            ``runtime/axis``.
        """
        order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes or None
        return _operations(self).transpose(self, order)

    @property
    def T(self) -> Tensor:  # noqa: N802
        """The dimensions reversed; a copy, in which rows have become columns."""
        return _operations(self).transpose(self, None)

    def sum(self, axis: Axis = None, dtype: Any = None, out: None = None, *, keepdims: bool = False) -> Tensor:
        """The sum over some axes, or all, in the shape of the others and the same dtype; of integers in 64 bits, as
        NumPy's.

        Raises
        ------
        OperandError
            ``runtime/axis``.
        """
        operand = self if dtype is None else self.astype(dtype)
        return _operations(self).reduce("sum", operand, axis, _without_out(out, keepdims))

    def prod(self, axis: Axis = None, dtype: Any = None, out: None = None, *, keepdims: bool = False) -> Tensor:
        """The product over some axes, of the shape and dtype of :meth:`sum`.

        Raises
        ------
        OperandError
            ``runtime/axis``.
        """
        operand = self if dtype is None else self.astype(dtype)
        return _operations(self).reduce("prod", operand, axis, _without_out(out, keepdims))

    def mean(self, axis: Axis = None, dtype: Any = None, out: None = None, *, keepdims: bool = False) -> Tensor:
        """The mean over some axes, of the shape and dtype of :meth:`sum`; of integers as float64.

        Raises
        ------
        OperandError
            ``runtime/axis``.
        """
        operand = self if dtype is None else self.astype(dtype)
        return _operations(self).reduce("mean", operand, axis, _without_out(out, keepdims))

    def min(self, axis: Axis = None, out: None = None, *, keepdims: bool = False) -> Tensor:
        """The smallest element over some axes, of the shape of :meth:`sum` and the same dtype; what is not stored
        counts.

        Raises
        ------
        OperandError
            ``runtime/axis``, ``runtime/empty``.
        """
        return _operations(self).reduce("min", self, axis, _without_out(out, keepdims))

    def max(self, axis: Axis = None, out: None = None, *, keepdims: bool = False) -> Tensor:
        """The largest element over some axes, of the shape of :meth:`sum` and the same dtype; what is not stored
        counts.

        Raises
        ------
        OperandError
            ``runtime/axis``, ``runtime/empty``.
        """
        return _operations(self).reduce("max", self, axis, _without_out(out, keepdims))

    def any(self, axis: Axis = None, out: None = None, *, keepdims: bool = False) -> Tensor:
        """Whether an element is not zero, over some axes: of the dtype bool and the shape of :meth:`sum`.

        Raises
        ------
        OperandError
            ``runtime/axis``.
        """
        return _operations(self).reduce("any", self, axis, _without_out(out, keepdims))

    def all(self, axis: Axis = None, out: None = None, *, keepdims: bool = False) -> Tensor:
        """Whether no element is zero, over some axes: of the dtype bool and the shape of :meth:`sum`.

        Raises
        ------
        OperandError
            ``runtime/axis``.
        """
        return _operations(self).reduce("all", self, axis, _without_out(out, keepdims))

    def argmin(self, axis: int | None = None, out: None = None, *, keepdims: bool = False) -> Tensor:
        """The first coordinate of the smallest element along an axis, without one its number in C order: of the dtype
        int64 and the shape of :meth:`sum`.

        Raises
        ------
        OperandError
            ``runtime/axis``, ``runtime/empty``.
        """
        return _operations(self).arg_extremum("min", self, axis, _without_out(out, keepdims))

    def argmax(self, axis: int | None = None, out: None = None, *, keepdims: bool = False) -> Tensor:
        """The first coordinate of the largest element along an axis, without one its number in C order: of the dtype
        int64 and the shape of :meth:`sum`.

        Raises
        ------
        OperandError
            ``runtime/axis``, ``runtime/empty``.
        """
        return _operations(self).arg_extremum("max", self, axis, _without_out(out, keepdims))
