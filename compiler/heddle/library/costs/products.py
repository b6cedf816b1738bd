"""Products of three factors or more, as sequences of kernels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from heddle.library.costs.contraction_order import Contraction, Factor, cheapest_order
from heddle.library.operand_kinds import OperandKind
from heddle.notation.nodes import Access, Assignment, Binary, Expression, statements
from heddle.notation.printer import to_text


def contraction_steps(
    assignment: Assignment, kinds: Mapping[str, OperandKind], dtypes: Mapping[str, str], others: Iterable[str] = ()
) -> tuple[Contraction, ...]:
    """The kernels of a product of three factors or more in the cheapest order; none where it is computed by one.
    ``others`` are names beside those of operands that intermediates must not have."""
    factors = _factors(assignment.expression)
    tensors = [] if factors is None else [access for access in factors if access.indices]
    if assignment.operator != "=" or assignment.temporaries or factors is None or len(tensors) < 3:
        return ()
    # Intermediates are computed in the type of the product, which holds where all factors have it.
    if len({dtypes[access.tensor] for access in factors}) > 1 or any(kinds[a.tensor].fill != 0 for a in factors):
        return ()
    sizes: dict[str, int] = {}
    for access in factors:
        sizes.update(zip(access.indices, kinds[access.tensor].shape, strict=True))
    known = [Factor(a.tensor, a.indices, kinds[a.tensor].density if kinds[a.tensor].sparse else 1.0) for a in factors]
    result = Factor(assignment.target.tensor, assignment.target.indices)
    prefix = "t"
    while any(name.startswith(prefix) for name in (*kinds, *sizes, *others, result.name)):
        prefix += "t"
    steps = cheapest_order(known, result, sizes, prefix)
    return steps if len(steps) > 1 else ()


def with_cheap_products(
    assignment: Assignment, kinds: Mapping[str, OperandKind], dtypes: Mapping[str, str]
) -> str | None:
    """A program of several statements whose products of three operands or more are statements of two factors each, in
    the cheapest order; None where it stays as it is."""
    program = statements(assignment)
    if len(program) < 2 or assignment.program is not None:
        return None
    names = {statement.target.tensor for statement in program}
    lines: list[str] = []
    for statement in program:
        alone = replace(statement, temporaries=())
        factors = _factors(alone.expression) or []
        known = bool(factors) and all(access.tensor in kinds for access in factors)
        steps = contraction_steps(alone, kinds, dtypes, names) if known else ()
        names |= {step.result.name for step in steps}
        lines += [step.expression for step in steps] or [to_text(alone)]
    return "; ".join(lines) if len(lines) > len(program) else None


def _factors(expression: Expression) -> list[Access] | None:
    match expression:
        case Access():
            return [expression]
        case Binary(operator="*", left=left, right=right):
            a, b = _factors(left), _factors(right)
            return None if a is None or b is None else [*a, *b]
        case _:
            return None
