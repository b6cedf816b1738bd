"""Products that are divided by a vector or a number: the division goes to the factor with the fewest elements.

``Z(i,f) = W(i,j) * H(j,f) / s(i)`` divides once for each entry of W and column of H, and no rule for products knows it.
Where W is divided first, the rest is a product. What is not stored stays so: entries alone are divided.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from heddle.library.costs.contraction_order import Contraction, Factor, cheapest_order
from heddle.library.operand_kinds import OperandKind
from heddle.loop_ir.dtypes import COMPLEX, FLOATS
from heddle.notation.nodes import Access, Assignment, Binary, Expression

_FEWER_DIVISIONS = 8.0
"""How many times as many divisions pay for an intermediate: storing an entry of it takes about as many loop steps."""


@dataclass(frozen=True, slots=True)
class Quotient:
    """Factors, and what their product is divided by."""

    factors: tuple[Access, ...]
    divisors: tuple[Access, ...]


def quotient_steps(
    assignment: Assignment, kinds: Mapping[str, OperandKind], dtypes: Mapping[str, str]
) -> tuple[Contraction, ...]:
    """The kernels of a product with divisors, of which the first divides a factor; none where it is computed by one
    kernel, as a quotient of integers is, whose order decides what is cut off."""
    quotient = _quotient(assignment.expression)
    if quotient is None or assignment.operator != "=" or assignment.temporaries or assignment.program is not None:
        return ()
    factors, divisors = quotient.factors, quotient.divisors
    used = {dtypes[access.tensor] for access in (*factors, *divisors)}
    if not divisors or len(factors) < 2 or len(used) > 1 or not used <= FLOATS | COMPLEX:
        return ()
    has_fill = any(kinds[access.tensor].fill != 0 for access in factors)
    if has_fill or any(kinds[access.tensor].sparse for access in divisors):
        return ()
    known = [_factor(access, kinds) for access in factors]
    sizes: dict[str, int] = {}
    for access in (*factors, *divisors):
        sizes.update(zip(access.indices, kinds[access.tensor].shape, strict=True))
    needed = {variable for access in divisors for variable in access.indices}
    candidates = [factor for factor in known if needed <= {*factor.variables} and _are_distinct(factor)]
    if not candidates:
        return ()
    dividend = min(candidates, key=lambda factor: _elements(factor, sizes))
    divisions = math.prod(sizes.values()) * math.prod(factor.density for factor in known)
    if divisions < _FEWER_DIVISIONS * max(_elements(dividend, sizes), 1.0):
        return ()
    result, prefix = Factor(assignment.target.tensor, assignment.target.indices), "t"
    while any(name.startswith(prefix) for name in (*kinds, *sizes, result.name)):
        prefix += "t"
    divided = Factor(prefix, dividend.variables, dividend.density)
    by = tuple(_factor(access, kinds) for access in divisors)
    first = Contraction((dividend,), divided, _elements(dividend, sizes), by)
    place = known.index(dividend)
    rest = (*known[:place], divided, *known[place + 1 :])
    return (first, *cheapest_order(rest, result, sizes, prefix))


def _factor(access: Access, kinds: Mapping[str, OperandKind]) -> Factor:
    kind = kinds[access.tensor]
    return Factor(access.tensor, access.indices, kind.density if kind.sparse else 1.0)


def _are_distinct(factor: Factor) -> bool:
    return len({*factor.variables}) == len(factor.variables)


def _elements(factor: Factor, sizes: Mapping[str, int]) -> float:
    return factor.density * math.prod(sizes[variable] for variable in factor.variables)


def _quotient(expression: Expression) -> Quotient | None:
    match expression:
        case Access():
            return Quotient((expression,), ())
        case Binary(operator="*", left=left, right=right):
            a, b = _quotient(left), _quotient(right)
            return None if a is None or b is None else Quotient(a.factors + b.factors, a.divisors + b.divisors)
        case Binary(operator="/", left=left, right=right):
            a, b = _quotient(left), _quotient(right)
            if a is None or b is None or b.divisors:
                return None
            return Quotient(a.factors, a.divisors + b.factors)
        case _:
            return None
