"""Products of two operands that numbers may scale: ``A(i,k) * B(k,j)``, ``a * A(i,k) * B(k,j) / n``.

What scales an operand is the same for every element, so that it costs a loop over elements one multiplication and no
load. What scales the product itself, as in ``A(i,k) * B(k,j) * a``, is the same for all that is added up into an
element, so that it scales the sum.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from heddle.loop_ir.dtypes import COMPLEX, FLOATS, INTEGERS
from heddle.notation.nodes import (
    Access,
    Binary,
    Expression,
    Literal,
    Reduce,
    Unary,
    accesses,
    operands_of,
    variables_in,
    with_operands,
)
from heddle.notation.program import Program


def scaled_factors(expression: Expression) -> tuple[Access, Access] | None:
    """The two operands with indices, in the order in which they are written, of a product in which everything else is
    scalars and literals that scale one of them; None for any other expression."""
    if not isinstance(expression, Binary) or expression.operator != "*":
        return None
    left, right = _indexed_factors(expression.left), _indexed_factors(expression.right)
    return (left[0], right[0]) if left and right and len(left) == len(right) == 1 else None


def summed_factor(expression: Expression, elements: Collection[str], program: Program | None) -> Expression:
    """What of a product has to be multiplied before it is added up: the expression without its sign, and without the
    factors and divisors around it that know no other variables than ``elements``, those of the result."""
    match expression:
        case Unary(operator="-", operand=operand):
            return summed_factor(operand, elements, program)
        case Binary(operator="*" | "/", left=left, right=right) if {*variables_in(right, program)} <= {*elements}:
            return summed_factor(left, elements, program)
        case Binary(operator="*", left=left, right=right) if {*variables_in(left, program)} <= {*elements}:
            return summed_factor(right, elements, program)
        case _:
            return expression


def scales_sums(expression: Expression, dtypes: Mapping[str, str], result: str) -> bool:
    """Whether what scales each term may scale their sum: among fractions it may, up to rounding; integers must all be
    as wide as the result, or a product would wrap around at another width than the sum."""
    if result in FLOATS or result in COMPLEX:
        return True
    return result in INTEGERS and all(dtypes.get(access.tensor) == result for access in accesses(expression))


def without_sums(expression: Expression) -> Expression:
    """What is added up by the sums that are written around it."""
    while isinstance(expression, Reduce) and expression.operator == "+":
        expression = expression.operand
    return expression


def scaled_operand(product: Expression, operand: Access) -> Expression:
    """The largest part of a product that has no other operand than this one: ``a * A(i,k)``."""
    parts = [part for part in operands_of(product) if operand in accesses(part)]
    others = [access for access in accesses(product) if access.indices and access != operand]
    return scaled_operand(parts[0], operand) if others and parts else product


def replace_part(expression: Expression, part: Expression, replacement: Expression) -> Expression:
    """The same expression with another one where ``part`` stands."""
    if expression == part:
        return replacement
    below = operands_of(expression)
    replaced = tuple(replace_part(operand, part, replacement) for operand in below)
    return expression if replaced == below else with_operands(expression, replaced)


def _indexed_factors(expression: Expression) -> tuple[Access, ...] | None:
    match expression:
        case Access(indices=indices):
            return (expression,) if indices else ()
        case Literal():
            return ()
        case Unary(operator="-", operand=operand):
            return _indexed_factors(operand)
        case Binary(operator="*" | "/" as operator, left=left, right=right):
            before, behind = _indexed_factors(left), _indexed_factors(right)
            if before is None or behind is None or (operator == "/" and behind):
                return None
            return before + behind
        case _:
            return None
