"""Scaled sums of rows beside dense terms: ``r(i) = 0.85 * P(i,j) * x(j) + c``, ``y(i) = a * A(i,j) * x(j) + b * z(i)``.

The sum is that of SpMV and is made in registers as there; what stands beside it is added once, where the row ends.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from heddle.notation.nodes import Access, Binary, Expression, Literal, Reduce, Unary, accesses
from heddle.tuning.facts.program import Program
from heddle.tuning.rules.proposal import Proposal
from heddle.tuning.rules.row_sums import in_registers


def scaled_row_sums(program: Program) -> Proposal | None:
    """Needs one term that is summed, a product with one sparse operand, and dense terms of the result's variables."""
    product = _summed_product(program)
    driver = product.driver if product is not None else None
    if product is None or driver is None or not program.is_dense(program.target):
        return None
    if product.list_other_variables(driver) or product.list_stored_variables(driver)[0] not in program.target.indices:
        return None
    return in_registers(product, driver)


def _summed_product(program: Program) -> Program | None:
    """The same program with nothing but the operands of the summed term, multiplied."""
    assignment, rows = program.assignment, set(program.target.indices)
    if assignment.operator != "=" or assignment.temporaries or assignment.program is not None:
        return None
    terms = _terms(assignment.expression)
    summed = [term for term in terms if any(set(access.indices) - rows for access in accesses(term))]
    beside = [access for term in terms if term not in summed for access in accesses(term)]
    if len(summed) != 1 or not all(program.is_dense(access) for access in beside):
        return None
    factors = _factors(summed[0])
    if not factors:
        return None
    product = reduce(lambda left, right: Binary("*", left, right), factors[1:], factors[0])
    return replace(program, assignment=replace(assignment, expression=product))


def _terms(expression: Expression) -> list[Expression]:
    match expression:
        case Binary(operator="+" | "-", left=left, right=right):
            return [*_terms(left), *_terms(right)]
        case Unary(operator="-", operand=operand):
            return _terms(operand)
        case _:
            return [expression]


def _factors(expression: Expression) -> list[Expression] | None:
    """The operands of a product, without its numbers; None for everything else."""
    match expression:
        case Access():
            return [expression]
        case Literal():
            return []
        case Unary(operator="-", operand=operand) | Reduce(operator="+", operand=operand):
            return _factors(operand)
        case Binary(operator="*", left=left, right=right):
            factors, others = _factors(left), _factors(right)
            return None if factors is None or others is None else [*factors, *others]
        case _:
            return None
