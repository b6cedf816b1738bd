"""Sums of lengths, and the rules that remove them (Pizzuti et al. 2020, §5.1). All ranges are half open.

A rule takes the sum of one monomial, or of a pair of them, and gives a length without the sum; what no rule removes
stays a :class:`Sum`. The closed forms hold where the range is not negative, which is proved first.
"""

from __future__ import annotations

from compiler.lengths.equal import without_remainders
from compiler.lengths.facts import NOTHING, Facts
from compiler.lengths.nodes import ZERO, Coefficient, Length, Monomial, Name, Sum, length, of_atom, polynomial
from compiler.lengths.printer import to_text
from compiler.lengths.prove import nonnegative
from compiler.lengths.steps import Steps
from compiler.lengths.sum_rules import RULES
from compiler.lengths.walk import free_names, parts, simplified, substitute


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
    if not (upper - lower).terms or nonnegative(lower - upper, facts) or not body.terms:
        _tell(steps, "empty", variable, lower, upper, body, ZERO)
        return ZERO
    inside = facts.within(variable, lower, upper - 1)
    body = simplified(body, inside)
    if not nonnegative(upper - lower, facts):
        return _left(variable, lower, upper, body)
    total = ZERO
    body, telescoped = _telescoped(variable, lower, upper, body, facts, steps)
    total = total + telescoped
    rest: list[tuple[Monomial, Coefficient]] = []
    for monomial, coefficient in body.terms:
        constant, varying = _factored(monomial, variable)
        closed = None
        for name, rule in RULES:
            closed = rule(variable, lower, upper, varying, facts)
            if closed is not None:
                whole = polynomial([(monomial, coefficient)])
                closed = (polynomial([(constant, coefficient)]) * closed) if constant or coefficient != 1 else closed
                _tell(steps, name, variable, lower, upper, whole, closed)
                total = total + closed
                break
        if closed is None:
            rest.append((monomial, coefficient))
    total = total + _left(variable, lower, upper, polynomial(rest))
    joined = without_remainders(total)
    return joined if len(joined.terms) < len(total.terms) else total


def _tell(
    steps: Steps | None, rule: str, variable: str, lower: Length, upper: Length, body: Length, after: Length
) -> None:
    if steps is not None:
        before = f"Σ({variable}, {to_text(lower)}, {to_text(upper)}, {to_text(body)})"
        steps.add(rule, before, to_text(after))


def _factored(monomial: Monomial, variable: str) -> tuple[Monomial, Monomial]:
    """What does not depend on the variable, and what does."""
    depends = [variable in free_names(of_atom(atom)) for atom, _ in monomial]
    constant = tuple(item for item, varies in zip(monomial, depends, strict=True) if not varies)
    return constant, tuple(item for item, varies in zip(monomial, depends, strict=True) if varies)


def _telescoped(
    variable: str, lower: Length, upper: Length, body: Length, facts: Facts, steps: Steps | None
) -> tuple[Length, Length]:
    """Σ4: pairs ``c*g(k + 1) - c*g(k)``, whose sum is ``c*(g(upper) - g(lower))``. What is left, and the sum."""
    total = ZERO
    inside = facts.within(variable, lower, upper - 1)
    taken = True
    while taken:
        taken = False
        for monomial, coefficient in body.terms:
            constant, varying = _factored(monomial, variable)
            if not varying or all(isinstance(atom, Name) for atom, _ in varying):
                continue
            current = polynomial([(varying, 1)])
            shifted = substitute(current, {variable: of_atom(Name(variable)) + 1}, inside)
            if len(shifted.terms) != 1:
                continue
            ((later, one),) = shifted.terms
            partner = polynomial([(constant, 1)]) * polynomial([(later, 1)])
            if one != 1 or not later or body.coefficient(partner.terms[0][0]) != -coefficient:
                continue
            pair = partner.scaled(-coefficient) + polynomial([(monomial, coefficient)])
            ends = [substitute(current, {variable: end}, facts) for end in (lower, upper)]
            closed = polynomial([(constant, -coefficient)]) * (ends[1] - ends[0])
            original = substitute(current, {variable: of_atom(Name(variable)) + 1})
            if steps is not None and original != shifted:
                steps.add("shift", to_text(original), to_text(shifted))
            _tell(steps, "telescoping", variable, lower, upper, pair, closed)
            body, total, taken = body - pair, total + closed, True
            break
    return body, total


def _left(variable: str, lower: Length, upper: Length, body: Length) -> Length:
    """A sum that stays, its variable named by how many sums are inside of it, so that equal sums are equal texts."""
    if not body.terms:
        return ZERO
    outside: list[tuple[Monomial, Coefficient]] = []
    total = ZERO
    for monomial, coefficient in body.terms:
        constant, varying = _factored(monomial, variable)
        if constant or (varying and coefficient != 1):
            inner = _left(variable, lower, upper, polynomial([(varying, 1)])) if varying else None
            if inner is None:
                outside.append((monomial, coefficient))
            else:
                total = total + polynomial([(constant, coefficient)]) * inner
        else:
            outside.append((monomial, coefficient))
    kept = polynomial(outside)
    if not kept.terms:
        return total
    number, taken = 0, free_names(kept) - {variable}
    depth = _depth(kept)
    while (name := f"k{depth + number}'") in taken:
        number += 1
    renamed = substitute(kept, {variable: length(name)})
    return total + of_atom(Sum(name, lower, upper, renamed))


def _depth(whole: Length) -> int:
    """How many sums stand inside one another."""
    inner = ((atom, max((_depth(part) for part in parts(atom)), default=0)) for atom in whole.atoms())
    return max((depth + isinstance(atom, Sum) for atom, depth in inner), default=0)
