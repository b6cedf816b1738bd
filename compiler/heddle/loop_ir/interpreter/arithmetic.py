"""The operators of loop IR on values: what generated C computes, with every undefined case made a fault.

Values are Python ints, floats, complex numbers and bools; float32 and complex64 are NumPy scalars, so that they round.
Integers wrap around as NumPy's do, but for those of the dtypes ``checked``, which indices are computed in: there an
overflow is a fault.
"""

from __future__ import annotations

import math
import operator as op
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from heddle.loop_ir.dtypes import COMPLEX, FLOATS, INTEGERS, integer_range
from heddle.loop_ir.functions import FUNCTIONS
from heddle.loop_ir.nodes import BOOL

Value = Any
Fail = Callable[[str], NoReturn]

COMPARE: dict[str, Callable[[Value, Value], bool]] = {
    "==": op.eq,
    "!=": op.ne,
    "<": op.lt,
    "<=": op.le,
    ">": op.gt,
    ">=": op.ge,
}

_PLAIN: dict[str, Callable[[Value, Value], Value]] = {"+": op.add, "-": op.sub, "*": op.mul}
_BOOLEAN: dict[str, Callable[[bool, bool], bool]] = {
    "+": op.or_,
    "||": op.or_,
    "max": op.or_,
    "*": op.and_,
    "&&": op.and_,
    "min": op.and_,
}


def convert(value: Value, dtype: str) -> Value:
    """``value``, which is representable in ``dtype``, as the interpreter holds it."""
    match dtype:
        case "float32":
            return np.float32(value)
        case "complex64":
            return np.complex64(value)
        case "float64":
            return float(value)
        case "complex128":
            return complex(value)
        case "bool":
            return bool(value)
        case _:
            return int(value)


def binary_operation(
    operator: str, dtype: str, fail: Fail, checked: frozenset[str] = frozenset()
) -> Callable[[Value, Value], Value]:
    """The function of an arithmetic operator on two values of ``dtype``."""
    if dtype == BOOL:
        return _BOOLEAN[operator]
    if operator in ("min", "max"):
        return _select(COMPARE["<" if operator == "min" else ">"])
    if dtype in INTEGERS:
        return _integer(operator, dtype, fail, checked)
    if operator == "/":
        return _divide(dtype)
    return _PLAIN[operator]


def negation(dtype: str, fail: Fail, checked: frozenset[str] = frozenset()) -> Callable[[Value], Value]:
    if dtype not in INTEGERS:
        return op.neg
    bring_back = _fit(dtype, fail, "-", checked)
    return lambda value: bring_back(-value)


def lane_sum(lanes: list[Value], dtype: str, fail: Fail, checked: frozenset[str]) -> Value:
    """Halves are added until one lane is left, whatever a register holds."""
    add = binary_operation("+", dtype, fail, checked)
    while len(lanes) > 1:
        half = len(lanes) // 2
        lanes = [add(lanes[lane], lanes[lane + half]) for lane in range(half)]
    return lanes[0]


def cast(source: str, dtype: str, fail: Fail) -> Callable[[Value], Value]:
    if dtype not in INTEGERS:
        return lambda value: convert(value, dtype)
    low, high = integer_range(dtype)
    if source not in FLOATS:
        return lambda value: _wrap(int(value), dtype)

    def truncate(value: Value) -> int:
        if not math.isfinite(value) or not low <= int(value) <= high:
            fail(f"{value} does not fit into {dtype}")
        return int(value)

    return truncate


def call(name: str, dtype: str, fail: Fail, checked: frozenset[str]) -> Callable[..., Value]:
    """The function ``name`` on arguments of ``dtype``."""
    function = FUNCTIONS[name]
    result = function.result(dtype)
    if dtype in INTEGERS:
        bring_back = _fit(dtype, fail, name, checked)
        return lambda value: bring_back(abs(value))
    scalar = np.dtype(dtype).type
    return lambda *arguments: convert(function.evaluate(*(scalar(argument) for argument in arguments)), result)


def _select(comes_first: Callable[[Value, Value], bool]) -> Callable[[Value, Value], Value]:
    # A NaN on either side gives NaN, as the generated C does.
    return lambda left, right: left if comes_first(left, right) or left != left else right


def _integer(operator: str, dtype: str, fail: Fail, checked: frozenset[str]) -> Callable[[int, int], int]:
    bring_back = _fit(dtype, fail, operator, checked)
    match operator:
        case "+" | "-" | "*":
            plain = _PLAIN[operator]
            return lambda left, right: bring_back(plain(left, right))
        case "//" | "%":
            divide = op.floordiv if operator == "//" else op.mod

            def positive(left: int, right: int) -> int:
                if left < 0 or right <= 0:
                    fail(f"{left} {operator} {right} needs a dividend of at least 0 and a positive divisor")
                return int(divide(left, right))

            return positive
        case "/":

            def truncating(left: int, right: int) -> int:
                if right == 0:
                    fail(f"division of {left} by zero")
                quotient = abs(left) // abs(right)
                return bring_back(quotient if (left < 0) == (right < 0) else -quotient)

            return truncating
        case _:
            raise TypeError(f"unknown operator {operator!r}")


def _fit(dtype: str, fail: Fail, what: str, checked: frozenset[str]) -> Callable[[int], int]:
    """Brings a result back into ``dtype``: faults where it is ``checked``, else wraps around."""
    low, high = integer_range(dtype)
    if dtype not in checked:
        return lambda value: value if low <= value <= high else _wrap(value, dtype)

    def check(value: int) -> int:
        if not low <= value <= high:
            fail(f"'{what}' overflows {dtype}: {value}")
        return value

    return check


def _wrap(value: int, dtype: str) -> int:
    low, high = integer_range(dtype)
    return (value - low) % (high - low + 1) + low


def _divide(dtype: str) -> Callable[[Value, Value], Value]:
    scalar = np.dtype(dtype).type

    def divide(left: Value, right: Value) -> Value:
        # Python raises where IEEE 754 gives infinity or NaN.
        return left / right if right else convert(scalar(left) / scalar(right), dtype)

    assert dtype in FLOATS | COMPLEX
    return divide
