"""Operators on all points at once, and sums of the elements of arrays."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from heddle.counts import reduceat
from heddle.patterns.batched.values import Array, Frame, Function, Rows, Value, elements, lift, offsets_of
from heddle.patterns.list_functions import MeaninglessError


def _number(values: Array) -> Array:
    return values.astype(np.int64) if values.dtype.kind == "b" else values


def _quotient(left: Array, right: Array) -> Array:
    if left.dtype.kind == "f" or right.dtype.kind == "f":
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.true_divide(left, right)
    return np.floor_divide(left, _divisor(right))


def _divisor(values: Array) -> Array:
    if values.dtype.kind != "f" and not values.all():
        raise MeaninglessError("a quotient by 0")
    return values


_ARITHMETIC: dict[str, Callable[[Array, Array], Array]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": _quotient,
    "%": lambda left, right: np.mod(left, _divisor(right)),
}
_OTHERS: dict[str, Callable[[Array, Array], Array]] = {
    "min": np.minimum,
    "max": np.maximum,
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "&&": np.logical_and,
    "||": np.logical_or,
}
_REDUCTIONS: dict[str, np.ufunc] = {
    "+": np.add,
    "*": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
    "&&": np.logical_and,
    "||": np.logical_or,
}


def combine(operator: str, left: Value, right: Value) -> Array:
    """``left operator right``, point by point."""
    if not isinstance(left, np.ndarray) or not isinstance(right, np.ndarray):
        raise MeaninglessError(f"{operator} of what is no number")
    if operator in _ARITHMETIC:
        return _ARITHMETIC[operator](_number(left), _number(right))
    return _OTHERS[operator](left, right)


def pairwise(operator: str) -> Function:
    """An operator as a function, of a pair or of one argument after the other."""

    def apply(frame: Frame, first: Value) -> Value:
        if isinstance(first, tuple):
            return combine(operator, *first)
        return Function(lambda inner, second: combine(operator, lift(first, frame, inner), second))

    return Function(apply, operator)


def reduce(operator: str, start: Value, rows: Rows) -> Array | None:
    """All elements of each array combined with ``start``, all arrays at once; None where that is not possible."""
    ufunc = _REDUCTIONS.get(operator)
    values, _, _ = elements(rows)
    if ufunc is None or not isinstance(values, np.ndarray) or not isinstance(start, np.ndarray):
        return None
    values = _number(values) if operator in _ARITHMETIC else values
    filled = np.flatnonzero(rows.length > 0)
    wide = np.result_type(values.dtype, start.dtype) if operator not in ("&&", "||") else np.dtype(bool)
    result = np.array(np.broadcast_to(start, rows.length.shape), dtype=np.int64 if wide.kind in "iu" else wide)
    if filled.size:
        sums = reduceat(ufunc, values.astype(result.dtype, copy=False), offsets_of(rows.length)[:-1][filled])
        result[filled] = combine(operator, result[filled], sums)
    return result
