"""Sound algebra on expressions of loop IR: constants folded, neutral operands dropped.

Integers follow the laws of arithmetic (a wrapped or overflowing intermediate can only disappear). Floats are never
reassociated, and ``x * 0`` and ``x + 0`` stay: they differ for NaN, infinities and negative zero.
Complex numbers are left alone.
"""

from __future__ import annotations

import operator as op
from collections.abc import Callable
from typing import Any

from heddle.loop_ir.dtypes import COMPARISONS, FLOATS, INTEGERS, dtype_of, integer_range
from heddle.loop_ir.nodes import (
    BOOL,
    Binary,
    Cast,
    Const,
    Expr,
    Select,
    Unary,
)
from heddle.loop_ir.rebuild import map_operands

_FLIPPED = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": op.eq,
    "!=": op.ne,
    "<": op.lt,
    "<=": op.le,
    ">": op.gt,
    ">=": op.ge,
}
_TRUE, _FALSE = Const(True, BOOL), Const(False, BOOL)


def fold(expression: Expr) -> Expr:
    """An expression of the same dtype and value; ``expression`` itself when there is nothing to do."""
    expression = map_operands(expression, fold)
    match expression:
        case Binary():
            return _binary(expression)
        case Unary():
            return _unary(expression)
        case Cast():
            return _cast(expression)
        case Select(condition=Const(value=value), then=then, otherwise=otherwise):
            return then if value else otherwise
        case Select(then=then, otherwise=otherwise, dtype=dtype) if then == otherwise and dtype in INTEGERS:
            return then  # floats stay: 0.0 equals -0.0
        case _:
            return expression


def _binary(expression: Binary) -> Expr:
    operator, left, right = expression.operator, expression.left, expression.right
    if operator in ("&&", "||"):
        return _logical(expression)
    kind = dtype_of(left)
    if kind in INTEGERS:
        if operator in COMPARISONS:
            return _comparison(expression)
        return _integer(expression)
    if kind in FLOATS:
        if operator == "*" and _is_unit(left):
            return right
        if operator in ("*", "/") and _is_unit(right):
            return left
    return expression


def _logical(expression: Binary) -> Expr:
    left, right = expression.left, expression.right
    absorbing = expression.operator == "||"
    if isinstance(left, Const):  # the right side would not even be evaluated
        return left if left.value is absorbing else right
    if isinstance(right, Const):
        return right if right.value is absorbing else left
    return left if left == right else expression


def _comparison(expression: Binary) -> Expr:
    operator, left, right = expression.operator, expression.left, expression.right
    if isinstance(left, Const) and isinstance(right, Const):
        return _TRUE if _COMPARE[operator](left.value, right.value) else _FALSE
    if left == right:
        return _TRUE if operator in ("==", "<=", ">=") else _FALSE
    return expression


def _integer(expression: Binary) -> Expr:
    operator, left, right, dtype = expression.operator, expression.left, expression.right, expression.dtype
    a, b = _constant(left), _constant(right)
    if a is not None and b is not None:
        value = _evaluate(operator, a, b)
        low, high = integer_range(dtype)
        return Const(value, dtype) if value is not None and low <= value <= high else expression
    match operator:
        case "+":
            return _sum(expression, a, b)
        case "-":
            return _difference(expression, b)
        case "*":
            if a == 0 or b == 0:
                return Const(0, dtype)
            return right if a == 1 else left if b == 1 else expression
        case "//" | "/":
            return left if b == 1 else expression
        case "%":
            return Const(0, dtype) if b == 1 else expression
        case "min" | "max":
            return left if left == right else _nested_extremum(expression, b)
        case _:
            return expression


def _sum(expression: Binary, a: int | None, b: int | None) -> Expr:
    left, right, dtype = expression.left, expression.right, expression.dtype
    if a == 0:
        return right
    if b == 0:
        return left
    if isinstance(left, Binary) and left.operator == "-" and left.right == right:
        return left.left  # (x - y) + y
    if isinstance(right, Binary) and right.operator == "-" and right.right == left:
        return right.left  # y + (x - y)
    if b is not None:
        return _shift(expression, left, b, dtype)
    return expression


def _difference(expression: Binary, b: int | None) -> Expr:
    left, right, dtype = expression.left, expression.right, expression.dtype
    if b == 0:
        return left
    if left == right:
        return Const(0, dtype)
    if isinstance(left, Binary) and left.operator == "+":
        if left.right == right:
            return left.left  # (x + y) - y
        if left.left == right:
            return left.right  # (y + x) - y
    if b is not None:
        return _shift(expression, left, -b, dtype)
    return expression


def _shift(expression: Binary, left: Expr, offset: int, dtype: str) -> Expr:
    """``left + offset``, where ``left`` may be ``x + c`` or ``x - c`` itself; ``expression`` when it is neither."""
    match left:
        case Binary(operator="+" | "-" as operator, left=inner, right=Const(value=int() as constant)):
            total = (constant if operator == "+" else -constant) + offset
        case _:
            return expression
    low, high = integer_range(dtype)
    if total == 0:
        return inner
    if not low <= abs(total) <= high:
        return expression
    return Binary("+" if total > 0 else "-", inner, Const(abs(total), dtype), dtype)


def _nested_extremum(expression: Binary, b: int | None) -> Expr:
    """``min(min(x, c), d)`` as ``min(x, min(c, d))``, and the same for ``max``."""
    match expression.left:
        case Binary(operator=inner, left=x, right=Const(value=int() as c)) if (
            inner == expression.operator and b is not None
        ):
            return Binary(
                inner, x, Const(min(b, c) if inner == "min" else max(b, c), expression.dtype), expression.dtype
            )
        case _:
            return expression


def _unary(expression: Unary) -> Expr:
    match expression:
        case Unary(operator="!", operand=Const(value=value)):
            return _FALSE if value else _TRUE
        case Unary(operator="!", operand=Binary(operator=operator, left=left, right=right)) if (
            operator in _FLIPPED and dtype_of(left) in INTEGERS
        ):
            return Binary(_FLIPPED[operator], left, right, BOOL)
        case Unary(operand=Unary(operator=operator, operand=operand)) if operator == expression.operator:
            return operand
        case Unary(operator="-", operand=Const(value=int() as value), dtype=dtype) if (
            dtype in INTEGERS and -value <= integer_range(dtype)[1]
        ):
            return Const(-value, dtype)
        case _:
            return expression


def _cast(expression: Cast) -> Expr:
    operand, dtype = expression.operand, expression.dtype
    if dtype_of(operand) == dtype:
        return operand
    value = _constant(operand)
    if value is not None and dtype in INTEGERS:
        low, high = integer_range(dtype)
        if low <= value <= high:
            return Const(value, dtype)
    return expression


def _constant(expression: Expr) -> int | None:
    if isinstance(expression, Const) and expression.dtype in INTEGERS:
        assert isinstance(expression.value, int)
        return expression.value
    return None


def _is_unit(expression: Expr) -> bool:
    return isinstance(expression, Const) and expression.value == 1


def _evaluate(operator: str, a: int, b: int) -> int | None:
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "min":
            return min(a, b)
        case "max":
            return max(a, b)
        case "//" | "/" if a >= 0 and b > 0:
            return a // b
        case "%" if a >= 0 and b > 0:
            return a % b
        case _:
            return None
