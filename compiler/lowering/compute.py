"""Expressions of index notation -> loop IR expressions over loaded values."""

from __future__ import annotations

from compiler.loop_ir.dtypes import COMPLEX, FLOATS, INTEGERS, dtype_of
from compiler.loop_ir.nodes import Binary, Cast, Const, Expr, Load, Unary, Var
from compiler.lowering.promote import literal, operation_dtype
from compiler.lowering.scope import Scope
from compiler.notation.nodes import Access, Expression, Literal
from compiler.notation.nodes import Binary as BinaryExpression
from compiler.notation.nodes import Unary as UnaryExpression


def compute(scope: Scope, expression: Expression) -> Expr:
    """The value of an expression where all its accesses have positions. Dtypes promote as NumPy's do."""
    match expression:
        case Access(tensor=tensor, indices=indices):
            if tensor in scope.kernel.graph.workspaces:
                return scope.scalars[tensor]
            if not indices:
                return Var(tensor, scope.kernel.graph.signature.tensors[tensor].dtype)
            position = scope.position(expression, len(indices))
            return Load(scope.kernel.values[tensor], position, scope.path(expression, len(indices)))
        case Literal(value=value):
            return literal(value)
        case UnaryExpression(operator=operator, operand=operand):
            inner = compute(scope, operand)
            return Unary(operator, inner, dtype_of(inner))
        case BinaryExpression(operator=operator, left=left, right=right):
            return _binary(operator, compute(scope, left), compute(scope, right))
        case _:
            raise TypeError(f"unexpected node {expression!r}")


def convert(value: Expr, dtype: str) -> Expr:
    """``value`` as ``dtype``; constants change without a cast."""
    if dtype_of(value) == dtype:
        return value
    match value:
        case Const(value=number) if not isinstance(number, complex):
            if dtype in FLOATS:
                return Const(float(number), dtype)
            if dtype in COMPLEX:
                return Const(complex(number), dtype)
            if dtype in INTEGERS and number == int(number):
                return Const(int(number), dtype)
            return Cast(value, dtype)
        case _:
            return Cast(value, dtype)


def _binary(operator: str, left: Expr, right: Expr) -> Expr:
    dtype = operation_dtype(operator, left, right)
    return Binary(operator, convert(left, dtype), convert(right, dtype), dtype)
