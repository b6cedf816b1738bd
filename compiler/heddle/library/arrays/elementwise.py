"""Operators of tensors, element by element with NumPy's broadcasting, as kernels of index notation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.library.arrays.shapes import reshape
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
}
"""What an operator computes of its left and its right operand."""
UNARY = {"neg": "-L", "pos": "L", "abs": "abs(L)", "sqrt": "sqrt(L)", "exp": "exp(L)", "expm1": "expm1(L)"} | {
    name: f"{name}(L)" for name in ("log", "log1p", "sin", "cos", "tan", "tanh", "floor", "ceil", "square")
}
_COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
_MOST_FACTORS = 8
"""Whole exponents up to which a power is a product."""


def binary(operator: str, left: object, right: object) -> Tensor:
    """``left operator right``.

    Raises
    ------
    OperandError
        ``runtime/broadcast`` for shapes that do not fit each other; as :func:`heddle.evaluate`.
    """
    if operator == "pow" and isinstance(right, int | float) and not isinstance(right, bool) and math.isfinite(right):
        return _power(left, right)
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
