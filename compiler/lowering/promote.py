"""The dtype of an operation on two values: NumPy's promotion, constants being weak (NEP 50)."""

from __future__ import annotations

from collections.abc import Mapping

from compiler.loop_ir.dtypes import COMPLEX, FLOATS, INTEGERS, UNSIGNED, dtype_of
from compiler.loop_ir.nodes import Const, Expr, Var
from compiler.notation.nodes import Access, Expression, Literal
from compiler.notation.nodes import Binary as BinaryExpression
from compiler.notation.nodes import Unary as UnaryExpression


def promote(left: Expr, right: Expr) -> str:
    a, b = dtype_of(left), dtype_of(right)
    if isinstance(left, Const) and not isinstance(right, Const):
        return _weak(left, b)
    if isinstance(right, Const) and not isinstance(left, Const):
        return _weak(right, a)
    return promote_dtypes(a, b)


def _weak(constant: Const, dtype: str) -> str:
    """A constant does not widen a dtype of its own kind."""
    match constant.value:
        case bool():
            return dtype
        case int():
            return "int64" if dtype == "bool" else dtype
        case float():
            return dtype if dtype in FLOATS or dtype in COMPLEX else "float64"
        case complex():
            if dtype in COMPLEX:
                return dtype
            return "complex64" if dtype == "float32" else "complex128"
        case _:
            raise TypeError(f"unexpected constant {constant!r}")


def infer_dtype(expression: Expression, dtypes: Mapping[str, str]) -> str | None:
    """The dtype that an expression is computed in; None when it has no operands."""
    value = _typed(expression, dtypes)
    return None if isinstance(value, Const) else dtype_of(value)


def _typed(expression: Expression, dtypes: Mapping[str, str]) -> Expr:
    """A stand-in with the dtype of the expression; a constant stands for literals alone."""
    match expression:
        case Access(tensor=tensor):
            return Var(tensor, dtypes[tensor])
        case Literal(value=value):
            return literal(value)
        case UnaryExpression(operand=operand):
            return _typed(operand, dtypes)
        case BinaryExpression(operator=operator, left=left, right=right):
            a, b = _typed(left, dtypes), _typed(right, dtypes)
            dtype = operation_dtype(operator, a, b)
            return Const(1, dtype) if isinstance(a, Const) and isinstance(b, Const) else Var("", dtype)
        case _:
            raise TypeError(f"unexpected node {expression!r}")


def literal(value: int | float | complex | bool) -> Const:
    """A literal as NumPy types it."""
    match value:
        case bool():
            return Const(value, "bool")
        case int():
            return Const(value, "int64")
        case float():
            return Const(value, "float64")
        case complex():
            return Const(value, "complex128")
        case _:
            raise TypeError(f"unexpected literal {value!r}")


def operation_dtype(operator: str, left: Expr, right: Expr) -> str:
    """``/`` is true division: integers give float64."""
    dtype = promote(left, right)
    return "float64" if operator == "/" and (dtype in INTEGERS or dtype == "bool") else dtype


def promote_dtypes(a: str, b: str) -> str:
    """The smallest dtype that holds the values of both (``uint64`` with a signed integer is ``float64``)."""
    if a == b:
        return a
    if a == "bool" or b == "bool":
        return b if a == "bool" else a
    if a in INTEGERS and b in INTEGERS:
        return _integers(a, b)
    bits = max(_float_bits(a), _float_bits(b))
    if a in COMPLEX or b in COMPLEX:
        return f"complex{2 * bits}"
    return f"float{bits}"


def _integers(a: str, b: str) -> str:
    if (a in UNSIGNED) == (b in UNSIGNED):
        return a if _bits(a) >= _bits(b) else b
    unsigned, signed = (a, b) if a in UNSIGNED else (b, a)
    if _bits(signed) > _bits(unsigned):
        return signed
    return "float64" if unsigned == "uint64" else f"int{2 * _bits(unsigned)}"


def _bits(dtype: str) -> int:
    return int("".join(letter for letter in dtype if letter.isdigit()))


def _float_bits(dtype: str) -> int:
    """The float width that holds a dtype: small integers fit float32 as NumPy has it."""
    if dtype in COMPLEX:
        return _bits(dtype) // 2
    if dtype in FLOATS:
        return _bits(dtype)
    return 32 if _bits(dtype) <= 16 else 64
