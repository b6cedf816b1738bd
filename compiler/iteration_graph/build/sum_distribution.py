"""The additive terms of an expression: each is summed over the variables that it has beyond the result."""

from __future__ import annotations

from collections.abc import Iterator

from compiler.notation.nodes import Binary, Expression, Unary, accesses, bound_variables


def variables_of(expression: Expression) -> set[str]:
    """The variables of its accesses, save those that a reduction inside it binds."""
    found = {index for access in accesses(expression) for index in access.indices}
    return found - set(bound_variables(expression))


def in_every_term(expression: Expression, variable: str) -> bool:
    """Whether every additive term contains the variable, so that its sum may be around all of them."""
    match expression:
        case Binary(operator="+" | "-", left=left, right=right):
            return in_every_term(left, variable) and in_every_term(right, variable)
        case Binary(operator="*", left=left, right=right):
            return in_every_term(left, variable) or in_every_term(right, variable)
        case Binary(operator="/", left=left, right=right):
            return variable in variables_of(right) or in_every_term(left, variable)
        case Unary(operand=operand):
            return in_every_term(operand, variable)
        case _:
            return variable in variables_of(expression)


def distribute(left: Expression, right: Expression) -> Expression:
    """``(a + b) * c`` as ``a * c + b * c``: some of the terms are summed and others are not."""
    match left, right:
        case Binary(operator="+" | "-" as operator, left=a, right=b), _:
            return Binary(operator, Binary("*", a, right), Binary("*", b, right))
        case _, Binary(operator="+" | "-" as operator, left=a, right=b):
            return Binary(operator, Binary("*", left, a), Binary("*", left, b))
        case Unary(operator=operator, operand=operand), _:
            return Unary(operator, Binary("*", operand, right))
        case _, Unary(operator=operator, operand=operand):
            return Unary(operator, Binary("*", left, operand))
        case Binary(operator="*", left=a, right=b), _ if _is_sum(b):
            return Binary("*", a, distribute(b, right))
        case Binary(operator="*", left=a, right=b), _:
            return Binary("*", b, distribute(a, right))
        case _, Binary(operator="*"):
            return distribute(right, left)
        case _:
            raise TypeError(f"nothing to distribute in {left!r} * {right!r}")


def parted(expression: Expression, variable: str) -> Expression:
    """``b(j) + (b(j) + 1)`` as ``(b(j) + b(j)) + 1``: the terms that a sum over j takes, apart from others."""
    terms = list(_terms(expression, variable, False))
    with_it = [term for term in terms if variable in variables_of(term[1])]
    without_it = [term for term in terms if variable not in variables_of(term[1])]
    return Binary("+", total(with_it), total(without_it))


def total(terms: list[tuple[bool, Expression]]) -> Expression:
    """The sum of signed terms."""
    (negated, first), *rest = terms
    total: Expression = Unary("-", first) if negated else first
    for sign, term in rest:
        total = Binary("-" if sign else "+", total, term)
    return total


def _terms(expression: Expression, variable: str, negated: bool) -> Iterator[tuple[bool, Expression]]:
    """The additive terms with their signs, distributed as far as ``variable`` needs it."""
    match expression:
        case Binary(operator="+" | "-" as operator, left=left, right=right):
            yield from _terms(left, variable, negated)
            yield from _terms(right, variable, negated != (operator == "-"))
        case Unary(operand=operand):
            yield from _terms(operand, variable, not negated)
        case Binary() if variable not in variables_of(expression) or in_every_term(expression, variable):
            yield negated, expression
        case Binary(operator="*", left=left, right=right):
            yield from _terms(distribute(left, right), variable, negated)
        case Binary(operator="/", left=left, right=right):
            for sign, term in _terms(left, variable, negated):
                yield sign, Binary("/", term, right)
        case _:
            yield negated, expression


def _is_sum(expression: Expression) -> bool:
    match expression:
        case Binary(operator="+" | "-"):
            return True
        case Binary(operator="*", left=left, right=right):
            return _is_sum(left) or _is_sum(right)
        case Unary(operand=operand):
            return _is_sum(operand)
        case _:
            return False
