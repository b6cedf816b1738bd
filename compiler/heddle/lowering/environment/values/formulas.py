"""Formulas of sizes and coordinates as loop IR."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from heddle.loop_ir import build
from heddle.loop_ir.dtypes import UNSIGNED, dtype_of
from heddle.loop_ir.nodes import BOOL, INDEX, Binary, Cast, Const, Expr, Select, Unary, Var
from heddle.notation.nodes import Binary as BinaryExpression
from heddle.notation.nodes import Call as CallExpression
from heddle.notation.nodes import Expression, IndexValue, Literal, SizeValue, operands_of
from heddle.notation.nodes import Select as SelectExpression
from heddle.notation.nodes import Unary as UnaryExpression
from heddle.notation.program import Program
from heddle.signature import Signature

VALUE = -1
"""The dimension that stands for the value of an integer, see :data:`heddle.notation.program.SizeSource`."""


def sizes_of(program: Program, signature: Signature, dimensions: Mapping[tuple[str, int], Expr]) -> dict[str, Expr]:
    """The sizes that a program names, from the ``dimensions`` of its operands: whole ones, whatever their levels hold
    of them (blocks, slices, slots)."""
    sizes: dict[str, Expr] = {}
    for name, source in program.sizes.items():
        if isinstance(source, int):
            sizes[name] = build.index(source)
            continue
        tensor, dimension = source
        if dimension == VALUE:
            sizes[name] = Cast(Var(tensor, signature.tensors[tensor].dtype), INDEX)
            continue
        sizes[name] = dimensions[tensor, dimension]
    return sizes


def formula(expression: Expression, sizes: Mapping[str, Expr], program: Program | None) -> Expr:
    """A formula of sizes alone."""

    def value(expression: Expression) -> Expr:
        if isinstance(expression, SizeValue):
            return sizes[expression.name]
        raise TypeError(f"unexpected node {expression!r}")

    return integer(expression, value, frozenset() if program is None else program.signed)


def integer(expression: Expression, value: Callable[[Expression], Expr], signed: Collection[str]) -> Expr:
    """An integer formula with 64 bits. ``value`` gives index variables, sizes, accesses, and all that is no formula;
    ``signed`` are names of sizes that may be negative."""

    def go(expression: Expression) -> Expr:
        return integer(expression, value, signed)

    match expression:
        case Literal(value=number):
            return build.index(int(number.real))
        case UnaryExpression(operator="-", operand=operand):
            return build.sub(build.index(0), go(operand))
        case BinaryExpression(operator="+", left=left, right=right):
            return build.add(go(left), go(right))
        case BinaryExpression(operator="-", left=left, right=right):
            return build.sub(go(left), go(right))
        case BinaryExpression(operator="*", left=left, right=right):
            return build.mul(go(left), go(right))
        case BinaryExpression(operator="//" | "%" as operator, left=left, right=right):
            a, b = go(left), go(right)
            if is_natural(left, signed) and isinstance(right, Literal) and int(right.value.real) > 0:
                return build.floor_divide(a, b) if operator == "//" else build.modulo(a, b)
            return floor_division(operator, a, b, INDEX)
        case CallExpression(function="min", arguments=(left, right)):
            return build.minimum(go(left), go(right))
        case CallExpression(function="max", arguments=(left, right)):
            return build.maximum(go(left), go(right))
        case CallExpression(function="int64", arguments=(inner,)):
            return go(inner)
        case SelectExpression(condition=condition, then=then, otherwise=otherwise):
            return Select(_truth(condition, value, signed), go(then), go(otherwise), INDEX)
        case _:
            return value(expression)


def _truth(condition: Expression, value: Callable[[Expression], Expr], signed: Collection[str]) -> Expr:
    match condition:
        case BinaryExpression(operator="&&" | "||" as operator, left=left, right=right):
            return Binary(operator, _truth(left, value, signed), _truth(right, value, signed), BOOL)
        case BinaryExpression(operator=operator, left=left, right=right) if _is_formula(left) and _is_formula(right):
            return build.compare(operator, integer(left, value, signed), integer(right, value, signed))
        case UnaryExpression(operator="!", operand=operand):
            return Unary("!", _truth(operand, value, signed), BOOL)
        case _:
            index_value = value(condition)
            if isinstance(index_value, Cast) and dtype_of(index_value.operand) == BOOL:
                return index_value.operand
            return build.compare("!=", index_value, build.index(0))


def _is_formula(expression: Expression) -> bool:
    """Whether it is made of index variables, sizes and whole numbers alone; other operands keep their own types."""
    match expression:
        case Literal(value=value, dtype=None):
            return isinstance(value, int)
        case IndexValue() | SizeValue():
            return True
        case BinaryExpression() | UnaryExpression() | SelectExpression() | CallExpression(function="min" | "max"):
            return all(_is_formula(part) for part in operands_of(expression))
        case _:
            return False


def is_natural(expression: Expression, signed: Collection[str]) -> bool:
    """Whether an integer is at least 0 by its form; ``signed`` are names of sizes that may be less."""
    match expression:
        case Literal(value=value):
            return not isinstance(value, complex) and value >= 0
        case IndexValue():
            return True
        case SizeValue(name=name):
            return name not in signed
        case BinaryExpression(operator="+" | "*" | "//", left=left, right=right):
            return is_natural(left, signed) and is_natural(right, signed)
        case BinaryExpression(operator="%", right=right):
            return is_natural(right, signed)
        case _:
            return False


def floor_division(operator: str, left: Expr, right: Expr, dtype: str) -> Expr:
    """``left // right`` or ``left % right``, rounded down whatever the signs; 0 where ``right`` is 0. Nothing on the
    way leaves ``dtype``, but the least integer divided by -1, which wraps around. ``//`` of loop IR takes what is not
    negative, ``/`` rounds towards zero."""
    zero = Const(0, dtype)
    divisor = right.value if isinstance(right, Const) and isinstance(right.value, int) else None
    if dtype in UNSIGNED:
        whole: Expr = Binary(operator, left, right, dtype)
    else:
        whole = _signed_quotient(left, right, divisor, dtype)
        if operator == "%":
            whole = Binary("-", left, Binary("*", whole, right, dtype), dtype)
    return whole if divisor else Select(Binary("==", right, zero, BOOL), zero, whole, dtype)


def _signed_quotient(left: Expr, right: Expr, divisor: int | None, dtype: str) -> Expr:
    """``left / right`` rounded down; ``right`` is not 0."""
    zero, unit, minus = (Const(value, dtype) for value in (0, 1, -1))
    if divisor is not None and divisor > 0:
        mirrored = Binary("//", Binary("-", minus, left, dtype), right, dtype)
        return Select(_less(left, zero), Binary("-", minus, mirrored, dtype), Binary("//", left, right, dtype), dtype)
    towards_zero = Binary("/", left, right, dtype)
    exact = Binary("==", Binary("*", towards_zero, right, dtype), left, BOOL)
    alike = Binary("==", _less(left, zero), _less(right, zero), BOOL)
    below = Binary("-", towards_zero, unit, dtype)
    quotient = Select(Binary("||", exact, alike, BOOL), towards_zero, below, dtype)
    # Processors end a program that divides their least integer by -1.
    return Select(Binary("==", right, minus, BOOL), Binary("-", zero, left, dtype), quotient, dtype)


def _less(left: Expr, right: Expr) -> Expr:
    return Binary("<", left, right, BOOL)
