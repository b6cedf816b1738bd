"""The additive terms of an expression: each is summed over the variables that it has beyond the result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heddle.diagnostics import CompileError, Diagnostic, Location, Part
from heddle.notation.limits import MAX_TERMS
from heddle.notation.nodes import Binary, Expression, Span, Unary, accesses, bound_variables


def variables_of(expression: Expression) -> set[str]:
    """The variables of its accesses, save those that a reduction inside it binds."""
    variables = {index for access in accesses(expression) for index in access.indices}
    return variables - set(bound_variables(expression))


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


def group_terms(expression: Expression, mixed: str, variables: Sequence[str]) -> list[Expression]:
    """Additive groups of an expression, each of which can be summed over variables of its own.

    ``b(j) + (b(j) + 1)`` is ``b(j) + b(j)`` and ``1``: terms with the variable ``mixed``, and those without it. Where
    the two share another variable of the sum that some of their terms lack, as in ``c(i) + (B(j,i) + b(j))``, every set
    of summed variables is a group.
    """
    terms = list(_terms(expression, mixed, False))
    halves = [[term for term in terms if (mixed in variables_of(term[1])) is with_it] for with_it in (True, False)]
    with_it, without_it = (add_terms(half) for half in halves)
    shared = variables_of(with_it) & variables_of(without_it) & {*variables}
    if all(in_every_term(with_it, v) and in_every_term(without_it, v) for v in shared):
        return [with_it, without_it]
    for variable in variables:
        terms = [part for negated, term in terms for part in _terms(term, variable, negated)]
    groups: dict[frozenset[str], list[tuple[bool, Expression]]] = {}
    for term in terms:
        groups.setdefault(frozenset(variables_of(term[1]) & {*variables}), []).append(term)
    return [add_terms(group) for group in groups.values()]


def add_terms(terms: list[tuple[bool, Expression]]) -> Expression:
    """The sum of signed terms."""
    (negated, first), *rest = terms
    total: Expression = Unary("-", first) if negated else first
    for sign, term in rest:
        total = Binary("-" if sign else "+", total, term)
    return total


def check_terms(expression: Expression, span: Span | None) -> None:
    """Refuses products of sums that distribute into more terms than ``MAX_TERMS``. ``span`` is the text to point at.

    Raises
    ------
    CompileError
        ``expression/too-many-terms``.
    """
    count = _count_terms(expression)
    if count > MAX_TERMS:
        raise CompileError(
            Diagnostic(
                "expression/too-many-terms",
                f"the products of sums distribute into {count} terms, the limit is {MAX_TERMS}",
                Location(Part.EXPRESSION, span.start, span.end) if span is not None else Location(Part.EXPRESSION),
                expected=f"at most {MAX_TERMS} terms that are summed over different variables",
                actual=f"{count}",
                hint="compute the sums first, as statements of their own: s = a(i) + b(j); y = s * c(k)",
            )
        )


def _count_terms(expression: Expression) -> int:
    match expression:
        case Binary(operator="+" | "-", left=left, right=right):
            return _count_terms(left) + _count_terms(right)
        case Binary(operator="*", left=left, right=right):
            return _count_terms(left) * _count_terms(right)
        case Binary(operator="/", left=operand) | Unary(operand=operand):
            return _count_terms(operand)
        case _:
            return 1


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
