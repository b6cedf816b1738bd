"""Constructors that fold constants, so that lowering can be written without thinking of special cases."""

from __future__ import annotations

from heddle.loop_ir.nodes import BOOL, INDEX, Array, Binary, Const, Expr, Load, Unary, Var
from heddle.loop_ir.rebuild import map_operands

TRUE = Const(True, BOOL)
FALSE = Const(False, BOOL)


def index(value: int) -> Const:
    return Const(value, INDEX)


def constant(expression: Expr) -> int | None:
    """The value of an integer constant, else None."""
    match expression:
        case Const(value=bool()):
            return None
        case Const(value=int() as value):
            return value
        case _:
            return None


def add(left: Expr, right: Expr) -> Expr:
    a, b = constant(left), constant(right)
    if a is not None and b is not None:
        return index(a + b)
    if a == 0:
        return right
    if b == 0:
        return left
    match left:  # (x + 1) + 2, (x - 1) + 1
        case Binary(operator="+" | "-" as operator, left=inner, right=Const(value=int() as c)) if b is not None:
            total = (c if operator == "+" else -c) + b
            return add(inner, index(total)) if total >= 0 else sub(inner, index(-total))
        case _:
            return Binary("+", left, right)


def sub(left: Expr, right: Expr) -> Expr:
    a, b = constant(left), constant(right)
    if a is not None and b is not None:
        return index(a - b)
    if b == 0:
        return left
    if left == right:
        return index(0)
    match left:  # (x + 1) - 1
        case Binary(operator="+", left=inner, right=Const(value=int() as c)) if b is not None:
            return add(inner, index(c - b)) if c >= b else sub(inner, index(b - c))
        case _:
            return Binary("-", left, right)


def mul(left: Expr, right: Expr) -> Expr:
    a, b = constant(left), constant(right)
    if a is not None and b is not None:
        return index(a * b)
    if a == 0 or b == 0:
        return index(0)
    if a == 1:
        return right
    if b == 1:
        return left
    return Binary("*", left, right)


def floor_divide(left: Expr, right: Expr) -> Expr:
    """``left // right`` for non-negative operands."""
    a, b = constant(left), constant(right)
    if a is not None and b is not None and b > 0:
        return index(a // b)
    if b == 1 or a == 0:
        return left
    return Binary("//", left, right)


def ceil_divide(left: Expr, right: Expr) -> Expr:
    b = constant(right)
    if b == 1:
        return left
    return floor_divide(add(left, index(b - 1) if b is not None else sub(right, index(1))), right)


def modulo(left: Expr, right: Expr) -> Expr:
    a, b = constant(left), constant(right)
    if a is not None and b is not None and b > 0:
        return index(a % b)
    if b == 1:
        return index(0)
    return Binary("%", left, right)


def minimum(left: Expr, right: Expr) -> Expr:
    a, b = constant(left), constant(right)
    if a is not None and b is not None:
        return index(min(a, b))
    return left if left == right else Binary("min", left, right)


def maximum(left: Expr, right: Expr) -> Expr:
    a, b = constant(left), constant(right)
    if a is not None and b is not None:
        return index(max(a, b))
    return left if left == right else Binary("max", left, right)


_COMPARE = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def compare(operator: str, left: Expr, right: Expr) -> Expr:
    a, b = constant(left), constant(right)
    if a is not None and b is not None:
        return Const(_COMPARE[operator](a, b), BOOL)
    return Binary(operator, left, right, BOOL)


def both(*conditions: Expr) -> Expr:
    """The conjunction; ``TRUE`` when there is nothing to check."""
    result: Expr = TRUE
    for condition in conditions:
        if condition == FALSE:
            return FALSE
        if condition == TRUE:
            continue
        result = condition if result == TRUE else Binary("&&", result, condition, BOOL)
    return result


def either(first: Expr, second: Expr) -> Expr:
    """The disjunction."""
    return TRUE if TRUE in (first, second) else Binary("||", first, second, BOOL)


def negate(condition: Expr) -> Expr:
    flipped = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
    match condition:
        case Const(value=bool() as value):
            return Const(not value, BOOL)
        case Binary(operator=operator, left=left, right=right) if operator in flipped:
            return Binary(flipped[operator], left, right, BOOL)
        case _:
            return Unary("!", condition, BOOL)


def load(array: Array, position: Expr, path: tuple[str, ...] = ()) -> Load:
    return Load(array, position, path)


def substitute(expression: Expr, values: dict[str, Expr]) -> Expr:
    """``expression`` with scalars replaced, refolded."""
    if isinstance(expression, Var):
        return values.get(expression.name, expression)
    match map_operands(expression, lambda operand: substitute(operand, values)):
        case Binary(operator=operator, left=left, right=right, dtype=dtype) if dtype == INDEX and operator in _FOLD:
            return _FOLD[operator](left, right)
        case rebuilt:
            return rebuilt


_FOLD = {
    "+": add,
    "-": sub,
    "*": mul,
    "//": floor_divide,
    "%": modulo,
    "min": minimum,
    "max": maximum,
}
