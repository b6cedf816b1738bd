"""The rules of sums, each for what one monomial has that depends on the variable (Pizzuti et al. 2020, §5.1).

A rule gives the sum of the monomial over [lower, upper), where upper is at least lower, or None where it does not
apply. The order of :data:`RULES` is the order in which they are tried.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import comb
from typing import Protocol

from heddle.symbolic.build import ceil_div, compare, cond, floor_div, maximum, minimum, mod
from heddle.symbolic.facts import Facts
from heddle.symbolic.nodes import (
    Atom,
    Cond,
    FloorDiv,
    Length,
    Min,
    Mod,
    Monomial,
    Name,
    in_powers,
    length,
    of_atom,
)
from heddle.symbolic.prove import at_most
from heddle.symbolic.walk import free_names

HIGHEST_POWER = 8


class Range(Protocol):
    """The range of a sum, and what its body is elsewhere."""

    @property
    def variable(self) -> str:
        """The name of the index that is summed over."""
        ...

    @property
    def lower(self) -> Length:
        """The first value of the index."""
        ...

    @property
    def upper(self) -> Length:
        """One more than the last value of the index."""
        ...

    @property
    def facts(self) -> Facts:
        """What is known about names and arrays here, the index's interval included."""
        ...

    def value_at(self, body: Length, value: Length) -> Length:
        """``body`` with ``value`` in the place of the variable."""
        ...

    def sum(self, lower: Length, upper: Length, body: Length) -> Length:
        """The sum over another range."""
        ...


Rule = Callable[[Range, Monomial], Length | None]


def _constant(over: Range, varying: Monomial) -> Length | None:
    return None if varying else over.upper - over.lower


def _linear(over: Range, varying: Monomial) -> Length | None:
    return _power(over.lower, over.upper, varying, 1)


def _powers(over: Range, varying: Monomial) -> Length | None:
    return _power(over.lower, over.upper, varying, HIGHEST_POWER)


def _power(lower: Length, upper: Length, varying: Monomial, highest: int) -> Length | None:
    if len(varying) != 1:
        return None
    ((atom, power),) = varying
    if not isinstance(atom, Name) or power > highest:
        return None
    return _sum_below(power, upper) - _sum_below(power, lower)


def _sum_below(power: int, upper: Length) -> Length:
    """``0**power + 1**power + … + (upper - 1)**power``, by Faulhaber's formula."""
    total = length(0)
    for index in range(power + 1):
        factor = Fraction(comb(power + 1, index)) * _bernoulli(index) / (power + 1)
        if factor:
            total = total + (upper ** (power + 1 - index)).scale(factor)
    return total


@cache
def _bernoulli(index: int) -> Fraction:
    """With the sign of B1 that suits sums below their upper end."""
    if index == 0:
        return Fraction(1)
    return -sum((comb(index + 1, k) * _bernoulli(k) for k in range(index)), Fraction(0)) / (index + 1)


def _single(varying: Monomial) -> Atom | None:
    return varying[0][0] if len(varying) == 1 and varying[0][1] == 1 else None


def _point(over: Range, varying: Monomial) -> Length | None:
    """``k == p ? u : v``: v everywhere, and at p, where that is in the range, what u has more."""
    variable, lower, upper, facts = over.variable, over.lower, over.upper, over.facts
    atom = _single(varying)
    if not isinstance(atom, Cond) or atom.test.operator != "==":
        return None
    point = _where(atom, variable)
    if point is None:
        return None
    everywhere = over.sum(lower, upper, atom.otherwise)
    more = over.value_at(atom.then - atom.otherwise, point)
    reached = cond(compare(">=", point, lower), cond(compare("<", point, upper), more, 0, facts), 0, facts)
    return everywhere + reached


def _threshold(over: Range, varying: Monomial) -> Length | None:
    """``k >= p ? u : v``: v up to p, u from there on."""
    variable, lower, upper, facts = over.variable, over.lower, over.upper, over.facts
    atom = _single(varying)
    if not isinstance(atom, Cond) or atom.test.operator != ">=":
        return None
    point = _where(atom, variable)
    if point is None:
        return None
    rises = in_powers(atom.test.difference, Name(variable))[1].constant == 1
    middle = minimum(maximum(point if rises else point + 1, lower, facts=facts), upper, facts=facts)
    first, second = (atom.otherwise, atom.then) if rises else (atom.then, atom.otherwise)
    return over.sum(lower, middle, first) + over.sum(middle, upper, second)


def _where(atom: Cond, variable: str) -> Length | None:
    """The value of the variable at which the difference that the test looks at is 0."""
    difference = atom.test.difference
    powers = in_powers(difference, Name(variable))
    slope = powers.get(1, length(0)).constant
    rest = powers.get(0, length(0))
    if max(powers) != 1 or slope not in (1, -1) or variable in free_names(rest):
        return None
    return rest.scale(-slope)


def _tail(over: Range, varying: Monomial) -> Length | None:
    """``min(n, N - k*n)`` for k in [a, b), where b is at most N / n rounded up: ``min(b*n, N) - min(a*n, N)``."""
    variable, lower, upper, facts = over.variable, over.lower, over.upper, over.facts
    atom = _single(varying)
    if not isinstance(atom, Min) or len(atom.operands) != 2:
        return None
    for piece, left in (atom.operands, atom.operands[::-1]):
        powers = in_powers(left, Name(variable))
        whole = powers.get(0, length(0))
        if max(powers) != 1 or powers[1] != -piece or variable in free_names(piece) | free_names(whole):
            continue
        if at_most(length(0), lower, facts) and at_most(upper, ceil_div(whole, piece, facts), facts):
            ends = [minimum(end * piece, whole, facts=facts) for end in (lower, upper)]
            return ends[1] - ends[0]
    return None


def _shares(over: Range, varying: Monomial) -> Length | None:
    """``(L - s) / S`` rounded up, for s in [a, b) within [0, S): the first ``L % S`` shares have one more."""
    variable, lower, upper, facts = over.variable, over.lower, over.upper, over.facts
    atom = _single(varying)
    if not isinstance(atom, FloorDiv):
        return None
    shares = atom.denominator
    powers = in_powers(atom.numerator, Name(variable))
    if max(powers) != 1 or variable in free_names(shares) | free_names(powers.get(0, length(0))):
        return None
    if powers[1].constant != -1 and powers[1] != shares - 1:  # modulo S they are the same
        return None
    moved = length(0) if powers[1].constant == -1 else _sum_below(1, upper) - _sum_below(1, lower)
    whole = powers.get(0, length(0)) - shares + 1
    if not (at_most(length(0), lower, facts) and at_most(upper, shares, facts)):
        return None
    rest = mod(whole, shares, facts)
    more = [minimum(end, rest, facts=facts) for end in (lower, upper)]
    return (upper - lower) * floor_div(whole, shares, facts) + more[1] - more[0] + moved


def _residues(over: Range, varying: Monomial) -> Length | None:
    """``k % m``: whole rounds of ``m*(m - 1)/2`` and what the last one has; ``k / m`` is what the residues leave."""
    variable, lower, upper, facts = over.variable, over.lower, over.upper, over.facts
    atom = _single(varying)
    if not isinstance(atom, Mod | FloorDiv) or atom.numerator != of_atom(Name(variable)):
        return None
    if variable in free_names(atom.denominator) or not at_most(length(0), lower, facts):
        return None
    below = [_residues_below(end, atom, facts) for end in (lower, upper)]
    return below[1] - below[0]


def _residues_below(upper: Length, atom: Mod | FloorDiv, facts: Facts) -> Length:
    rounds = floor_div(upper, atom.denominator, facts)
    rest = mod(upper, atom.denominator, facts)
    if isinstance(atom, Mod):
        return rounds * _sum_below(1, atom.denominator) + _sum_below(1, rest)
    return atom.denominator * _sum_below(1, rounds) + rounds * rest


RULES: tuple[tuple[str, Rule], ...] = (
    ("constant", _constant),
    ("linear", _linear),
    ("powers", _powers),
    ("point", _point),
    ("threshold", _threshold),
    ("tail", _tail),
    ("shares", _shares),
    ("residues", _residues),
)
