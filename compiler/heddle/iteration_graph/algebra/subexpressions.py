"""Finding a part of an expression, and what an expression does with it."""

from __future__ import annotations

from collections import Counter

from heddle.notation.nodes import Access, Binary, Expression, Literal, Unary, accesses


def replace_part(expression: Expression, part: Expression, by: Expression) -> Expression | None:
    """``expression`` with ``part`` replaced wherever it occurs; None when it does not. Factors of a product and terms
    of a sum are found in any order: ``B(i,k) * C(k,j)`` is a part of ``B(i,k) * D(j) * C(k,j)``."""
    if expression == part:
        return by
    for operator in "*+":
        wanted, present = _operands(part, operator), _operands(expression, operator)
        if 1 < len(wanted) < len(present) and not Counter(wanted) - Counter(present):
            return _remove_operands(operator, present, wanted, by)
    match expression:
        case Unary(operator=operator, operand=operand):
            inner = replace_part(operand, part, by)
            return None if inner is None else Unary(operator, inner)
        case Binary(operator=operator, left=left, right=right):
            a, b = replace_part(left, part, by), replace_part(right, part, by)
            return None if a is None and b is None else Binary(operator, a or left, b or right)
        case _:
            return None


def _operands(expression: Expression, operator: str) -> list[Expression]:
    """The factors of a product, or the terms of a sum."""
    match expression:
        case Binary(operator=inner_operator, left=left, right=right) if inner_operator == operator:
            return _operands(left, operator) + _operands(right, operator)
        case _:
            return [expression]


def _remove_operands(operator: str, present: list[Expression], wanted: list[Expression], by: Expression) -> Expression:
    """``by`` in the place of the first of the ``wanted`` operands, and the operands that are left."""
    missing, operands, placed = Counter(wanted), list[Expression](), False
    for operand in present:
        if missing[operand] > 0:
            missing[operand] -= 1
            if not placed:
                operands.append(by)
                placed = True
        else:
            operands.append(operand)
    total = operands[0]
    for operand in operands[1:]:
        total = Binary(operator, total, operand)
    return total


def is_linear(expression: Expression, tensor: str) -> bool:
    """Whether a sum over the values of ``tensor`` gives the sum over the values of the expression."""
    match expression:
        case Access(tensor=name):
            return name == tensor
        case Literal():
            return False
        case Unary(operator="-", operand=operand):
            return is_linear(operand, tensor)
        case Binary(operator="*", left=left, right=right):
            if _uses(left, tensor):
                return is_linear(left, tensor) and not _uses(right, tensor)
            return is_linear(right, tensor)
        case Binary(operator="/", left=left, right=right):
            return is_linear(left, tensor) and not _uses(right, tensor)
        case Binary(operator="+" | "-", left=left, right=right):
            return is_linear(left, tensor) and is_linear(right, tensor)
        case _:
            return False


def _uses(expression: Expression, tensor: str) -> bool:
    return any(access.tensor == tensor for access in accesses(expression))
