"""Arithmetic of scalars: types promote as in C, numbers in the text take the type of what they meet."""

from __future__ import annotations

from heddle.loop_ir.dtypes import COMPARISONS, FLOATS
from heddle.loop_ir.nodes import BOOL, Binary, Cast, Const, Expr, Select
from heddle.patterns.lowering.values import ScalarValue
from heddle.patterns.syntax.nodes import Span
from heddle.patterns.syntax.problem import problem
from heddle.symbolic.build import floor_div, maximum, minimum, mod
from heddle.symbolic.facts import Facts
from heddle.symbolic.nodes import Length
from heddle.symbolic.prove import nonnegative

_RANK = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64")


def promote(left: ScalarValue, right: ScalarValue) -> str:
    """The type of both together."""
    if left.literal != right.literal:
        weak, strong = (left, right) if left.literal else (right, left)
        if strong.dtype in FLOATS or (weak.dtype not in FLOATS and strong.dtype != BOOL):
            return strong.dtype
    chosen = max(left.dtype, right.dtype, key=_RANK.index)
    return chosen if _RANK.index(chosen) >= _RANK.index("int32") or left.dtype == right.dtype else "int32"


def convert(value: ScalarValue, dtype: str) -> Expr:
    if value.dtype == dtype and not value.literal:
        return value.expression
    if isinstance(value.expression, Const):
        number = value.expression.value
        assert not isinstance(number, complex)
        if dtype in FLOATS:
            return Const(float(number), dtype)
        if dtype == BOOL or not isinstance(number, float):
            return Const(bool(number) if dtype == BOOL else int(number), dtype)
    return value.expression if value.dtype == dtype else Cast(value.expression, dtype)


def binary(operator: str, left: ScalarValue, right: ScalarValue, facts: Facts, span: Span) -> ScalarValue:
    """``left operator right``."""
    if operator in ("&&", "||"):
        for side in (left, right):
            if side.dtype != BOOL:
                raise problem("type", f"{operator} combines truth values.", span, expected="bool", actual=side.dtype)
        return ScalarValue(Binary(operator, left.expression, right.expression, BOOL), BOOL)
    dtype = promote(left, right)
    whole = _length(operator, left, right, facts)
    if operator in ("/", "%") and dtype not in FLOATS:
        if whole is None:
            raise problem(
                "division",
                "Only lengths and floats are divided: C rounds quotients of negative integers in its own way.",
                span,
                expected="a float, or lengths that are not negative",
                actual=dtype,
            )
        operator = "//" if operator == "/" else "%"
    if operator == "%" and dtype in FLOATS:
        raise problem("type", "% takes integers.", span, expected="integers", actual=dtype)
    sides = convert(left, dtype), convert(right, dtype)
    both = left.literal and right.literal
    if operator in COMPARISONS:
        return ScalarValue(Binary(operator, *sides, BOOL), BOOL)
    nat = left.nat and right.nat
    return ScalarValue(Binary(operator, *sides, dtype), dtype, whole, both and whole is not None, nat=nat)


def _length(operator: str, left: ScalarValue, right: ScalarValue, facts: Facts) -> Length | None:
    first, other = left.length, right.length
    if first is None or other is None:
        return None
    match operator:
        case "+":
            return first + other
        case "-":
            return first - other
        case "*":
            return first * other
        case "/" | "%":
            if not (nonnegative(first, facts) and nonnegative(other - 1, facts)):
                return None
            return floor_div(first, other, facts) if operator == "/" else mod(first, other, facts)
        case "min":
            return minimum(first, other, facts=facts)
        case "max":
            return maximum(first, other, facts=facts)
        case _:
            return None


def choice(condition: ScalarValue, then: ScalarValue, otherwise: ScalarValue, facts: Facts, span: Span) -> ScalarValue:
    """``condition ? then : otherwise``."""
    if condition.dtype != BOOL:
        raise problem("type", "A condition is a truth value.", span, expected="bool", actual=condition.dtype)
    dtype = promote(then, otherwise)
    selection = Select(condition.expression, convert(then, dtype), convert(otherwise, dtype), dtype)
    return ScalarValue(selection, dtype)
