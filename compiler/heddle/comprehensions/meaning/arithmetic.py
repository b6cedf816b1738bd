"""Operators and functions of the language on NumPy arrays, as the reference computes them."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

FUNCTIONS: dict[str, Any] = {
    "exp": np.exp,
    "log": np.log,
    "log1p": np.log1p,
    "expm1": np.expm1,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "fabs": np.abs,
    "abs": np.abs,
    "pow": np.power,
    "fmax": np.maximum,
    "fmin": np.minimum,
    "max": np.maximum,
    "min": np.minimum,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
}
COMBINED: dict[str, Any] = {"+=": np.add, "*=": np.multiply, "min=": np.minimum, "max=": np.maximum}


def wide(array: Array) -> Array:
    """Floats with 64 bits, so that the reference is more exact than what it is compared with."""
    return array.astype(np.float64) if array.dtype.kind == "f" else array


def binary(operator: str, left: Array, right: Array) -> Array:
    integral = left.dtype.kind in "iub" and right.dtype.kind in "iub"
    match operator:
        case "/" if integral:
            return np.asarray(np.where(right == 0, 0, left // np.where(right == 0, 1, right)))
        case "%" if integral:
            return np.asarray(np.where(right == 0, 0, left % np.where(right == 0, 1, right)))
        case "%":
            return np.asarray(left - np.floor(left / right) * right)
        case "&&":
            return np.asarray((left != 0) & (right != 0))
        case "||":
            return np.asarray((left != 0) | (right != 0))
        case _:
            functions = {
                "+": np.add,
                "-": np.subtract,
                "*": np.multiply,
                "/": np.true_divide,
                "<": np.less,
                "<=": np.less_equal,
                ">": np.greater,
                ">=": np.greater_equal,
                "==": np.equal,
                "!=": np.not_equal,
            }
            if integral and left.dtype.kind == right.dtype.kind == "b":
                left = left.astype(np.int64)
            return np.asarray(functions[operator](left, right))


def reduce_axes(operator: str, values: Array, axes: tuple[int, ...]) -> Array:
    match operator:
        case "+=":
            return np.asarray(values.sum(axis=axes))
        case "*=":
            return np.asarray(values.prod(axis=axes))
        case _:
            least = operator == "min="
            if values.dtype.kind == "f":
                start: Any = np.inf if least else -np.inf
            else:
                limits = np.iinfo(np.int32 if values.dtype.kind == "b" else values.dtype)
                start = limits.max if least else limits.min
            method = np.minimum if least else np.maximum
            return np.asarray(
                reduce(
                    lambda array, axis: method.reduce(array, axis=axis, initial=start),
                    sorted(axes, reverse=True),
                    values,
                )
            )
