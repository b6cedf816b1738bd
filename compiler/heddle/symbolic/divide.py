"""Division of lengths: exact where it works out, else a quotient and the rest that is left."""

from __future__ import annotations

from fractions import Fraction

from heddle.symbolic.nodes import ZERO, Coefficient, Length, Monomial, polynomial


def quotient_and_rest(numerator: Length, denominator: Length) -> tuple[Length, Length]:
    """``numerator = quotient * denominator + rest``, the quotient with whole coefficients. By a number, coefficients of
    the rest lie in [0, denominator), so that equal quotients have one form."""
    value = denominator.constant
    quotient: list[tuple[Monomial, Coefficient]] = []
    if value == 1 and all(type(coefficient) is int for _, coefficient in numerator.terms):
        return numerator, ZERO
    if value is not None:
        rest = []
        for monomial, coefficient in numerator.terms:
            whole = coefficient // value
            quotient.append((monomial, whole))
            rest.append((monomial, coefficient - whole * value))
        return polynomial(quotient), polynomial(rest)
    partial_quotient, left = ZERO, numerator
    leading, factor = denominator.terms[0]
    for monomial, _ in numerator.terms:
        shared = _divide(monomial, leading)
        amount = left.coefficient(monomial)
        if shared is not None and amount and not Fraction(amount) % Fraction(factor):
            part = polynomial([(shared, Fraction(amount) / Fraction(factor))])
            partial_quotient, left = partial_quotient + part, left - part * denominator
    return partial_quotient, left


def exact_quotient(numerator: Length, denominator: Length) -> Length | None:
    """``numerator / denominator`` where that is a length whatever the names stand for."""
    quotient, rest = quotient_and_rest(numerator, denominator)
    if not rest.terms:
        return quotient
    left, partial_quotient, steps = rest, quotient, 0
    while left.terms and steps < 64:
        (monomial, coefficient), (leading, factor) = left.terms[0], denominator.terms[0]
        shared = _divide(monomial, leading)
        if shared is None or Fraction(coefficient) % Fraction(factor):
            return None
        part = polynomial([(shared, Fraction(coefficient) / Fraction(factor))])
        partial_quotient, left, steps = partial_quotient + part, left - part * denominator, steps + 1
    return None if left.terms else partial_quotient


def divides(denominator: Length, numerator: Length) -> bool:
    """Whether ``denominator`` divides ``numerator``, whatever the names stand for."""
    return bool(denominator.terms) and exact_quotient(numerator, denominator) is not None


def _divide(monomial: Monomial, factor: Monomial) -> Monomial | None:
    """``monomial / factor``, or None where it is not a monomial."""
    powers = dict(monomial)
    for atom, power in factor:
        if powers.get(atom, 0) < power:
            return None
        powers[atom] -= power
    return tuple((atom, power) for atom, power in powers.items() if power)
