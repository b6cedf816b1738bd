"""Operators of tensors, element by element with NumPy's broadcasting, as kernels of index notation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.library.arrays.shapes import reshape
from heddle.library.arrays.stored_values import astype
from heddle.library.einsum.evaluate import einsum, evaluate
from heddle.library.operand_kinds import kind_of
from heddle.runtime.tensors.tensor import Tensor

BINARY = {
    "add": "L + R",
    "sub": "L - R",
    "mul": "L * R",
    "truediv": "L / R",
    "pow": "pow(L, R)",
    "lt": "L < R",
    "le": "L <= R",
    "gt": "L > R",
    "ge": "L >= R",
    "eq": "L == R",
    "ne": "L != R",
    "minimum": "min(L, R)",
    "maximum": "max(L, R)",
    "and": "L * R",
    "or": "L + R",
    "xor": "L != R",
}
"""What an operator computes of its left and its right operand."""
UNARY = {"neg": "-L", "pos": "L", "abs": "abs(L)", "sqrt": "sqrt(L)", "exp": "exp(L)", "expm1": "expm1(L)"} | {
    name: f"{name}(L)" for name in ("log", "log1p", "sin", "cos", "tan", "tanh", "floor", "ceil", "square")
}
UNARY["invert"] = "L == 0"
_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
"""The comparison that says the same with its sides exchanged."""
_COMPARISONS = tuple(_MIRRORED)
_LOGICAL = {"and": "&", "or": "|", "xor": "^", "invert": "~"}
"""What combines truth values, as it is written."""
_MOST_FACTORS = 8
"""Whole exponents up to which a power is a product."""


def binary(operator: str, left: object, right: object) -> Tensor:
    """``left operator right``.

    Raises
    ------
    OperandError
        ``runtime/broadcast`` for shapes that do not fit each other; as :func:`heddle.evaluate`.
    """
    left, right = _scalar(left), _scalar(right)
    if operator in _MIRRORED and isinstance(left, np.generic | int | float):
        operator, left, right = _MIRRORED[operator], right, left
    right = _plain_number(left, right)
    if operator in _LOGICAL:
        for name, side in (("L", left), ("R", right)):
            _require_truth_values(operator, side, name)
    if operator == "pow" and isinstance(right, np.integer | np.floating):
        left, right = astype(left, np.result_type(_dtype(left), right)), right.item()  # in a type that both have
    if operator == "pow" and type(right) in (int, float) and math.isfinite(right):  # type: ignore[arg-type]
        return _power(left, right)  # type: ignore[arg-type]
    if operator == "add" and _is_zero(left):
        left, right = right, left  # where the sum of a list begins
    sides = {"L": left, "R": right}
    literal = _literal(operator, right)
    if literal is not None:
        indices = _indices(kind_of(left, "L").shape)
        text = BINARY[operator].replace("L", _access("L", indices)).replace("R", literal)
        return evaluate(f"{_access('C', indices)} = {text}", L=left)
    shapes = {name: kind_of(side, name).shape for name, side in sides.items()}
    shape = _broadcast(shapes["L"], shapes["R"])
    text, operands = BINARY[operator], {}
    for name, side in sides.items():
        operands[name], indices = _align(side, shapes[name], shape)
        text = text.replace(name, _access(name, indices))
    return evaluate(f"{_access('C', _indices(shape))} = {text}", **operands)


def _scalar(operand: object) -> object:
    """An array of NumPy without dimensions, as its functions pass numbers on, as a number of NumPy."""
    return operand[()] if isinstance(operand, np.ndarray) and operand.ndim == 0 else operand


def _plain_number(left: object, right: object) -> object:
    """A number of NumPy as one of Python where that makes no other type of the result, since numbers of Python are
    written into the expression."""
    if not isinstance(right, np.integer | np.floating):
        return right
    dtype, number = _dtype(left), right.item()
    return number if np.result_type(dtype, right) == np.result_type(dtype, number) else right


def _dtype(operand: object) -> np.dtype[Any]:
    name = kind_of(operand, "L").dtype
    return np.asarray(operand).dtype if name is None else np.dtype(name)


def _require_truth_values(operator: str, operand: object, name: str) -> None:
    if isinstance(operand, bool) or kind_of(operand, name).dtype == "bool":
        return
    held = kind_of(operand, name).dtype or type(operand).__name__
    sign = _LOGICAL[operator]
    raise OperandError(
        Diagnostic(
            "runtime/dtype-mismatch",
            f"{sign} combines truth values, and one side has values of type {held}.",
            Location(Part.INPUT),
            expected="bool",
            actual=held,
            hint=f"Compare first: (A > 0) {sign} (A < 1)." if sign != "~" else "Compare first: ~(A > 0).",
        )
    )


def _literal(operator: str, number: object) -> str | None:
    """A number that is written into the expression, since it decides whether the result is sparse: ``A > 0.5`` is false
    where A stores nothing. None for any other operand."""
    written = operator in (*_COMPARISONS, "minimum", "maximum") and type(number) in (int, float)
    written = written or (operator in ("add", "sub") and _is_zero(number))
    return f"({number!r})" if written and math.isfinite(number) else None  # type: ignore[arg-type]


def _is_zero(operand: object) -> bool:
    return type(operand) in (int, float) and operand == 0


def unary(function: str, operand: object) -> Tensor:
    """The function of every element."""
    if function in _LOGICAL:
        _require_truth_values(function, operand, "L")
    indices = _indices(kind_of(operand, "L").shape)
    return evaluate(f"{_access('C', indices)} = {UNARY[function].replace('L', _access('L', indices))}", L=operand)


def matmul(left: object, right: object) -> Tensor:
    """``left @ right``, by NumPy's rules for vectors, matrices and stacks of them.

    Raises
    ------
    OperandError
        ``runtime/broadcast`` for numbers; as :func:`heddle.einsum`.
    """
    orders = [len(kind_of(side, name).shape) for name, side in (("L", left), ("R", right))]
    if 0 in orders:
        raise _refuse("@ multiplies matrices and vectors, and one side is a number.", "an array", "a number")
    first, second = ("...ij" if orders[0] > 1 else "j"), ("...jk" if orders[1] > 1 else "j")
    result = ("..." if max(orders) > 2 else "") + ("i" if orders[0] > 1 else "") + ("k" if orders[1] > 1 else "")
    if max(orders) <= 2:
        first, second = first.replace("...", ""), second.replace("...", "")
    return einsum(f"{first},{second}->{result}", left, right)


def _power(base: object, exponent: float) -> Tensor:
    """A power with a number: a product where it is small and whole, so that integers stay such."""
    indices = _indices(kind_of(base, "L").shape)
    access = _access("L", indices)
    if isinstance(exponent, int) and 1 <= exponent <= _MOST_FACTORS:
        text = " * ".join([access] * exponent)
    elif exponent == 0.5:
        text = f"sqrt({access})"
    else:
        text = f"pow({access}, {exponent!r})"
    return evaluate(f"{_access('C', indices)} = {text}", L=base)


def _broadcast(left: Sequence[int], right: Sequence[int]) -> tuple[int, ...]:
    try:
        return tuple(np.broadcast_shapes(tuple(left), tuple(right)))
    except ValueError:
        raise _refuse(
            f"Arrays of the shapes {tuple(left)} and {tuple(right)} do not fit each other.",
            "equal sizes, or 1, from the last dimension on",
            f"{tuple(left)} and {tuple(right)}",
        ) from None


def _align(operand: object, operand_shape: Sequence[int], shape: Sequence[int]) -> tuple[Any, tuple[str, ...]]:
    """The operand without dimensions of size 1 that are repeated, and the indices of those that are left."""
    indices = _indices(shape)[len(shape) - len(operand_shape) :]
    repeated = [
        size == 1 and whole != 1
        for size, whole in zip(operand_shape, shape[len(shape) - len(operand_shape) :], strict=True)
    ]
    if not any(repeated):
        return operand, indices
    left = [size for size, drop in zip(operand_shape, repeated, strict=True) if not drop]
    remaining = tuple(index for index, drop in zip(indices, repeated, strict=True) if not drop)
    return reshape(operand, tuple(left)), remaining


def _indices(shape: Sequence[int]) -> tuple[str, ...]:
    return tuple(f"i{dimension}" for dimension in range(len(shape)))


def _access(name: str, indices: Sequence[str]) -> str:
    return f"{name}({','.join(indices)})" if indices else name


def _refuse(message: str, expected: str, actual: str) -> OperandError:
    return OperandError(
        Diagnostic("runtime/broadcast", message, Location(Part.INPUT), expected=expected, actual=actual)
    )
