"""The terms of a sum as it is written."""

from __future__ import annotations

from heddle.notation.nodes import Binary, Expression, Unary


def signed_terms(expression: Expression) -> list[tuple[bool, Expression]]:
    """The terms, each with whether it is subtracted; nothing is distributed."""
    match expression:
        case Binary(operator="+" | "-" as operator, left=left, right=right):
            subtracted = operator == "-"
            return [*signed_terms(left), *((sign != subtracted, term) for sign, term in signed_terms(right))]
        case Unary(operator="-", operand=operand):
            return [(not sign, term) for sign, term in signed_terms(operand)]
        case _:
            return [(False, expression)]
