"""Lengths with something else in the place of names, in normal form, and sums with the rules that remove them
(Pizzuti et al. 2020, §5.1). All ranges are half open.

A rule takes the sum of one monomial, or of a pair of them, and gives a length without the sum; what no rule removes
stays a :class:`Sum`. The closed forms hold where the range is not negative, which is proved first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from heddle.symbolic.build import at, cond, floor_div, maximum, minimum, mod
from heddle.symbolic.facts import NOTHING, Facts
from heddle.symbolic.nodes import (
    ONE,
    ZERO,
    At,
    Atom,
    Coefficient,
    Cond,
    FloorDiv,
    Length,
    Max,
    Min,
    Mod,
    Monomial,
    Name,
    Opaque,
    Sum,
    Test,
    length,
    of_atom,
    polynomial,
)
from heddle.symbolic.printer import to_text
from heddle.symbolic.prove import nonnegative
from heddle.symbolic.remainders import without_remainders
from heddle.symbolic.steps import Steps
from heddle.symbolic.sum_rules import RULES
from heddle.symbolic.walk import choose_unused_name, free_names, parts


def substitute(whole: Length, values: Mapping[str, Length], facts: Facts = NOTHING) -> Length:
    """``whole`` with ``values`` in the place of names, in normal form under ``facts``."""
    if not values or not (free_names(whole) & values.keys()):
        return whole
    if facts.proofs is None:
        return _rebuild(whole, values, facts)
    key = (facts.number, whole.key, *((name, value.key) for name, value in values.items()))
    known = facts.proofs.rewritten.get(key)
    if known is None:
        known = facts.proofs.rewritten[key] = _rebuild(whole, values, facts)
    return known


def simplify(whole: Length, facts: Facts) -> Length:
    """The same length, with what ``facts`` decide."""
    return _rebuild(whole, {}, facts)


def _rebuild(whole: Length, values: Mapping[str, Length], facts: Facts) -> Length:
    terms: list[tuple[Monomial, Coefficient]] = []
    for monomial, coefficient in whole.terms:
        product = ONE
        for atom, power in monomial:
            product = product * _atom(atom, values, facts) ** power
        terms += [(monomial, coefficient * factor) for monomial, factor in product.terms]
    return polynomial(terms)


def _atom(atom: Atom, values: Mapping[str, Length], facts: Facts) -> Length:
    def new(part: Length) -> Length:
        return _rebuild(part, values, facts)

    match atom:
        case Name(name=name):
            return values[name] if name in values else of_atom(atom)
        case Opaque():
            return of_atom(atom)
        case At(array=array, index=index):
            place = new(index)
            return at(array, place) if place.terms or array not in facts.from_zero else ZERO
        case FloorDiv(numerator=numerator, denominator=denominator):
            return floor_div(new(numerator), new(denominator), facts)
        case Mod(numerator=numerator, denominator=denominator):
            return mod(new(numerator), new(denominator), facts)
        case Min(operands=operands):
            return minimum(*(new(operand) for operand in operands), facts=facts)
        case Max(operands=operands):
            return maximum(*(new(operand) for operand in operands), facts=facts)
        case Cond(test=test, then=then, otherwise=otherwise):
            return cond(Test(test.operator, new(test.difference)), new(then), new(otherwise), facts)
        case Sum(variable=variable, lower=lower, upper=upper, body=body):
            inner = {name: value for name, value in values.items() if name != variable}
            reserved = {name for value in inner.values() for name in free_names(value)}
            if variable in reserved:
                fresh = choose_unused_name(variable, reserved | free_names(body))
                body, variable = _rebuild(body, {variable: length(fresh)}, NOTHING), fresh
            low, high = new(lower), new(upper)
            inside = facts.assume_range(variable, low, high - 1)
            return sum_over(variable, low, high, _rebuild(body, inner, inside), facts)
        case _:
            raise TypeError(f"unexpected atom {atom!r}")


def sum_over(
    variable: str,
    lower: Length | int,
    upper: Length | int,
    body: Length,
    facts: Facts = NOTHING,
    steps: Steps | None = None,
) -> Length:
    """The sum of ``body`` for ``variable`` in [lower, upper), closed as far as the rules go; 0 where that is empty."""
    lower, upper = length(lower), length(upper)
    if facts.proofs is None or steps is not None:
        return _sum(variable, lower, upper, body, facts, steps)
    key = (facts.number, variable, lower.key, upper.key, body.key)
    known = facts.proofs.rewritten.get(key)
    if known is None:
        known = facts.proofs.rewritten[key] = _sum(variable, lower, upper, body, facts, None)
    return known


def _sum(variable: str, lower: Length, upper: Length, body: Length, facts: Facts, steps: Steps | None) -> Length:
    ascends = nonnegative(upper - lower, facts)  # most do, and that a range is empty takes long to disprove
    if lower == upper or not body.terms or (not ascends and nonnegative(lower - upper, facts)):
        _tell(steps, "empty", variable, lower, upper, body, ZERO)
        return ZERO
    inside = facts.assume_range(variable, lower, upper - 1)
    body = simplify(body, inside)
    if not ascends:
        return _keep_sum(variable, lower, upper, body)
    total = ZERO
    body, telescoped = _telescope(variable, lower, upper, body, facts, steps)
    total = total + telescoped
    rest: list[tuple[Monomial, Coefficient]] = []
    for monomial, coefficient in body.terms:
        constant, varying = _factor(monomial, variable)
        closed = None
        for name, rule in RULES:
            closed = rule(_Range(variable, lower, upper, facts), varying)
            if closed is not None:
                whole = polynomial([(monomial, coefficient)])
                closed = (polynomial([(constant, coefficient)]) * closed) if constant or coefficient != 1 else closed
                _tell(steps, name, variable, lower, upper, whole, closed)
                total = total + closed
                break
        if closed is None:
            rest.append((monomial, coefficient))
    total = total + _keep_sum(variable, lower, upper, polynomial(rest))
    joined = without_remainders(total)
    return joined if len(joined.terms) < len(total.terms) else total


def _tell(
    steps: Steps | None, rule: str, variable: str, lower: Length, upper: Length, body: Length, after: Length
) -> None:
    if steps is not None:
        before = f"Σ({variable}, {to_text(lower)}, {to_text(upper)}, {to_text(body)})"
        steps.add(rule, before, to_text(after))


def _factor(monomial: Monomial, variable: str) -> tuple[Monomial, Monomial]:
    """What does not depend on the variable, and what does."""
    depends = [variable in free_names(of_atom(atom)) for atom, _ in monomial]
    constant = tuple(item for item, varies in zip(monomial, depends, strict=True) if not varies)
    return constant, tuple(item for item, varies in zip(monomial, depends, strict=True) if varies)


def _telescope(
    variable: str, lower: Length, upper: Length, body: Length, facts: Facts, steps: Steps | None
) -> tuple[Length, Length]:
    """Σ4: pairs ``c*g(k + 1) - c*g(k)``, whose sum is ``c*(g(upper) - g(lower))``. What is left, and the sum."""
    total = ZERO
    inside = facts.assume_range(variable, lower, upper - 1)
    progress = True
    while progress:
        progress = False
        for monomial, coefficient in body.terms:
            constant, varying = _factor(monomial, variable)
            if not varying or all(isinstance(atom, Name) for atom, _ in varying):
                continue
            current = polynomial([(varying, 1)])
            shifted = substitute(current, {variable: of_atom(Name(variable)) + 1}, inside)
            if len(shifted.terms) != 1:
                continue
            ((later, scale),) = shifted.terms
            partner = polynomial([(constant, 1)]) * polynomial([(later, 1)])
            if scale != 1 or not later or body.coefficient(partner.terms[0][0]) != -coefficient:
                continue
            pair = partner.scale(-coefficient) + polynomial([(monomial, coefficient)])
            ends = [substitute(current, {variable: end}, facts) for end in (lower, upper)]
            closed = polynomial([(constant, -coefficient)]) * (ends[1] - ends[0])
            original = substitute(current, {variable: of_atom(Name(variable)) + 1})
            if steps is not None and original != shifted:
                steps.add("shift", to_text(original), to_text(shifted))
            _tell(steps, "telescoping", variable, lower, upper, pair, closed)
            body, total, progress = body - pair, total + closed, True
            break
    return body, total


def _keep_sum(variable: str, lower: Length, upper: Length, body: Length) -> Length:
    """A sum that stays, its variable named by how many sums are inside of it, so that equal sums are equal texts."""
    if not body.terms:
        return ZERO
    outside: list[tuple[Monomial, Coefficient]] = []
    total = ZERO
    for monomial, coefficient in body.terms:
        constant, varying = _factor(monomial, variable)
        if constant or (varying and coefficient != 1):
            inner = _keep_sum(variable, lower, upper, polynomial([(varying, 1)])) if varying else None
            if inner is None:
                outside.append((monomial, coefficient))
            else:
                total = total + polynomial([(constant, coefficient)]) * inner
        else:
            outside.append((monomial, coefficient))
    remainder = polynomial(outside)
    if not remainder.terms:
        return total
    number, reserved = 0, free_names(remainder) - {variable}
    depth = _depth(remainder)
    while (name := f"k{depth + number}'") in reserved:
        number += 1
    renamed = substitute(remainder, {variable: length(name)})
    return total + of_atom(Sum(name, lower, upper, renamed))


def _depth(whole: Length) -> int:
    """How many sums stand inside one another."""
    inner = ((atom, max((_depth(part) for part in parts(atom)), default=0)) for atom in whole.atoms())
    return max((depth + isinstance(atom, Sum) for atom, depth in inner), default=0)


@dataclass(frozen=True, slots=True)
class _Range:
    """What rules know of the sum that they look at."""

    variable: str
    lower: Length
    upper: Length
    facts: Facts

    def value_at(self, body: Length, value: Length) -> Length:
        return substitute(body, {self.variable: value}, self.facts)

    def sum(self, lower: Length, upper: Length, body: Length) -> Length:
        return sum_over(self.variable, lower, upper, body, self.facts)
