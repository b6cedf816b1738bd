"""The value of a sum in a loop over many operands: terms that read an operand which is not there are left out."""

from __future__ import annotations

from collections.abc import Mapping

from heddle.loop_ir import build
from heddle.loop_ir.dtypes import dtype_of
from heddle.loop_ir.nodes import Expr, Select
from heddle.lowering.environment.loop_environment import LoopEnvironment
from heddle.lowering.environment.values.compute import combine, compute, negate, typed_constant
from heddle.notation.nodes import Access, Binary, Expression, Unary, accesses

Present = Mapping[Access, Expr]
"""Of operands, whether they are there."""


def compute_present(environment: LoopEnvironment, expression: Expression) -> Expr:
    """``compute``, with 0 for what ``environment.context.present`` says is not there."""
    if not _reads(expression, environment.context.present):
        return compute(environment, expression)
    match expression:
        case Binary(operator="+" | "-" as operator, left=left, right=right):
            return combine(operator, compute_present(environment, left), compute_present(environment, right))
        case Unary(operator="-", operand=operand):
            return negate(compute_present(environment, operand))
        case _:
            value = _where_present(environment, expression)
            there = find_condition(expression, environment.context.present)
            return Select(there, value, typed_constant(0, dtype_of(value)), dtype_of(value))


def find_condition(expression: Expression, present: Present) -> Expr:
    """When there is anything to add: any of the terms of a sum, all of the factors of a product."""
    match expression:
        case Binary(operator="+" | "-", left=left, right=right):
            return build.either(find_condition(left, present), find_condition(right, present))
        case Binary(operator="*", left=left, right=right):
            return build.both(find_condition(left, present), find_condition(right, present))
        case Unary(operator="-", operand=operand):
            return find_condition(operand, present)
        case _:
            return build.both(*dict.fromkeys(present[access] for access in accesses(expression) if access in present))


def is_met_by_any(expression: Expression, present: Present) -> bool:
    """Whether the condition holds as soon as one operand is there: no two have to be there together."""
    match expression:
        case Binary(operator="+" | "-", left=left, right=right):
            return is_met_by_any(left, present) and is_met_by_any(right, present)
        case Binary(operator="*", left=left, right=right) if not _reads(left, present) or not _reads(right, present):
            return is_met_by_any(left, present) and is_met_by_any(right, present)
        case Unary(operator="-", operand=operand):
            return is_met_by_any(operand, present)
        case _:
            return len({access for access in accesses(expression) if access in present}) < 2


def _where_present(environment: LoopEnvironment, expression: Expression) -> Expr:
    """The value of factors where the condition of their product holds."""
    match expression:
        case Binary(operator="+" | "-"):
            return compute_present(environment, expression)
        case Binary(operator="*", left=left, right=right):
            return combine("*", _where_present(environment, left), _where_present(environment, right))
        case Unary(operator="-", operand=operand):
            return negate(_where_present(environment, operand))
        case _:
            return compute(environment, expression)


def _reads(expression: Expression, present: Present) -> bool:
    return any(access in present for access in accesses(expression))
