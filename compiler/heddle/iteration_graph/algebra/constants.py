"""The algebra of constants: what is left of an operation when an operand is absent (docs/sources.toml T45).

An absent operand has a constant value, zero or its tensor's fill. That constant may decide the operation alone (it
annihilates: ``0 * x``, ``inf + x``), leave the other operand as it is (it is neutral: ``0 + x``, ``min(inf, x)``), or
be computed with. Annihilation is algebraic, as in every sparse library: ``0 * x`` is 0 even where x is infinite or NaN.
"""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np

from heddle.fills.fill import canonical_value, is_nan
from heddle.iteration_graph.algebra.type_promotion import (
    call_dtypes,
    expression_dtype,
    make_typed,
    operation_dtype,
    promote,
)
from heddle.loop_ir.dtypes import COMPLEX, reduction_identity
from heddle.notation.functions import COMPARISONS, FUNCTIONS
from heddle.notation.nodes import (
    Access,
    Binary,
    Call,
    Expression,
    Literal,
    Unary,
    accesses,
    operands_of,
)

Value = int | float | complex | bool
EXTREMA = {"min": "max", "max": "min"}


def operation(expression: Expression) -> tuple[str, Expression, Expression] | None:
    """Operator and operands of what has two: ``a * b``, ``min(a, b)``."""
    match expression:
        case Binary(operator=operator, left=left, right=right) if operator not in COMPARISONS:
            return operator, left, right
        case Call(function="min" | "max" as function, arguments=(left, right)):
            return function, left, right
        case _:
            return None


def identity(operator: str, dtype: str | None) -> Value | None:
    """The value that a reduction starts with; None where it depends on a dtype that is not known or not ordered."""
    if operator in EXTREMA and (dtype is None or dtype in COMPLEX):
        return None
    return reduction_identity(operator, dtype or "float64")


def annihilate(operator: str, value: Value, on_left: bool, other: Expression, dtype: str | None) -> Value | None:
    """The value of the operation when the constant ``value`` alone decides it; None when it does not."""
    match operator:
        case "+" | "-" | "*" | "/" if is_nan(value):
            return value
        case "*":
            # A fill that is infinite or NaN is known here, and 0 times it is NaN, as everywhere in NumPy.
            return value if value == 0 and not any(map(_is_special, backgrounds(other))) else None
        case "/":
            # What is not stored decides a quotient, too, but where the divisor is not stored either 0 / 0 is NaN.
            divides = stored_everywhere(other) and not (isinstance(other, Literal) and other.value == 0)
            return value if value == 0 and on_left and divides else None
        case "+" | "-" if isinstance(value, float) and math.isinf(value):
            decided = -value if operator == "-" and not on_left else value
            # inf - inf is NaN: an operand that may be absent with the opposite infinity has a say, too.
            opposite = value if operator == "-" else -value
            says = any(absent == opposite or is_nan(absent) for absent in backgrounds(other))
            return None if says else decided
        case "min" | "max":
            decides = value == identity(EXTREMA[operator], dtype) and not any(map(is_nan, backgrounds(other)))
            return value if decides else None
        case _:
            return None


def is_neutral(operator: str, value: Value, on_left: bool, dtype: str | None) -> bool:
    """Whether the operation with ``value`` is its other operand (``0 - x`` is not: it is ``-x``)."""
    match operator:
        case "+":
            return value == 0
        case "-":
            return value == 0 and not on_left
        case "*":
            return value == 1
        case "/":
            return value == 1 and not on_left
        case "min" | "max":
            return value == identity(operator, dtype)
        case _:
            return False


def stored_everywhere(expression: Expression) -> bool:
    """Whether no operand of the expression can be absent. A reduction inside an element, which is a number with a
    background, has a value for every element."""
    return all(access.background is None or not access.indices for access in accesses(expression))


def backgrounds(expression: Expression) -> list[Value]:
    """What the operands of the expression are where they are absent."""
    return [access.background.value for access in accesses(expression) if access.background is not None]


def _is_special(value: Value) -> bool:
    """Whether a value is infinite or NaN."""
    return not cmath.isfinite(value)


def background(access: Access) -> Literal:
    """The value of an access that is absent."""
    value = access.background.value if access.background is not None else 0
    return Literal(value, None, access.dtype)


def constant(expression: Expression) -> Literal | None:
    """The value of an operation on constants, in the dtype that NumPy computes it in; None for anything else."""
    parts = operands_of(expression)
    if not parts or not all(isinstance(part, Literal) for part in parts):
        return None
    values = [part.value for part in parts if isinstance(part, Literal)]
    stands = [make_typed(part, {}) for part in parts]
    with np.errstate(all="ignore"):
        match expression:
            case Unary(operator="!") | Binary(operator="//" | "%" | "&&" | "||"):
                return None
            case Unary():
                dtype = expression_dtype(expression)
                if dtype == "bool":
                    return None
                result = -_number(values[0], dtype)
            case Binary(operator=operator) if operator in COMPARISONS:
                dtype = promote(stands[0], stands[1])
                result = COMPARISONS[operator](*(_number(value, dtype) for value in values))
            case Binary(operator=operator):
                dtype = operation_dtype(operator, stands[0], stands[1])
                if dtype == "bool" and operator == "-":
                    return None
                left, right = (_number(value, dtype) for value in values)
                result = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}[operator](left, right)
            case Call(function=function) if function in FUNCTIONS:
                dtype = call_dtypes(function, stands)[0]
                result = FUNCTIONS[function].evaluate(*(_number(value, dtype) for value in values))
            case Call(function=dtype):
                return Literal(canonical_value(_number(values[0], dtype).item()), None, dtype)
            case _:
                return None
    weak = all(isinstance(part, Literal) and part.dtype is None for part in parts)
    return Literal(canonical_value(result.item()), None, None if weak else str(result.dtype))


def _number(value: Value, dtype: str | None) -> Any:
    return np.asarray(value).astype(dtype)[()]
