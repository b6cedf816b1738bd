"""Lengths: exact polynomials over atoms, in a normal form: equal ones are equal as values.

A :class:`Length` maps monomials to rational coefficients. Coefficients are rational because sums of powers are
(``i*(i + 1)/2``); every length that a program can name has integer values. Atoms are what polynomials are made of:
names, elements of arrays, quotients, remainders, minima, maxima, choices and sums that no rule
could remove (Pizzuti et al. 2020, §3).

Atoms are compared by ``key``, a text that is made once from what they are made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

Coefficient = int | Fraction


def _set_key(atom: object, key: str) -> None:
    object.__setattr__(atom, "key", key)


@dataclass(frozen=True, slots=True)
class Name:
    """A size, or a variable with an interval."""

    name: str = field(compare=False)
    key: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        _set_key(self, self.name)


@dataclass(frozen=True, slots=True)
class At:
    """The integer ``array[index]``."""

    array: str = field(compare=False)
    index: Length = field(compare=False)
    key: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        _set_key(self, f"{self.array}@({self.index.key})")


@dataclass(frozen=True, slots=True)
class Opaque:
    """An integer of which nothing but its text is known."""

    text: str = field(compare=False)
    key: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        _set_key(self, f"opaque({self.text})")


@dataclass(frozen=True, slots=True)
class FloorDiv:
    """The largest integer that is at most ``numerator / denominator``; the denominator is positive."""

    numerator: Length = field(compare=False)
    denominator: Length = field(compare=False)
    key: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        _set_key(self, f"div({self.numerator.key},{self.denominator.key})")


@dataclass(frozen=True, slots=True)
class Mod:
    """``numerator - denominator * (numerator // denominator)``: from 0 to ``denominator - 1``."""

    numerator: Length = field(compare=False)
    denominator: Length = field(compare=False)
    key: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        _set_key(self, f"mod({self.numerator.key},{self.denominator.key})")


@dataclass(frozen=True, slots=True)
class Min:
    operands: tuple[Length, ...] = field(compare=False)
    key: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        _set_key(self, f"min({','.join(operand.key for operand in self.operands)})")


@dataclass(frozen=True, slots=True)
class Max:
    operands: tuple[Length, ...] = field(compare=False)
    key: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        _set_key(self, f"max({','.join(operand.key for operand in self.operands)})")


@dataclass(frozen=True, slots=True)
class Test:
    """``difference operator 0``; the operators are ``==``, ``!=``, ``>=`` and ``<``."""

    operator: str
    difference: Length

    @property
    def key(self) -> str:
        return f"{self.difference.key}{self.operator}0"


@dataclass(frozen=True, slots=True)
class Cond:
    """``then`` where ``test`` holds, elsewhere ``otherwise``."""

    test: Test = field(compare=False)
    then: Length = field(compare=False)
    otherwise: Length = field(compare=False)
    key: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        _set_key(self, f"if({self.test.key},{self.then.key},{self.otherwise.key})")


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of ``body`` for ``variable`` in [lower, upper): 0 where that is empty."""

    variable: str = field(compare=False)
    lower: Length = field(compare=False)
    upper: Length = field(compare=False)
    body: Length = field(compare=False)
    key: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        _set_key(self, f"sum({self.variable},{self.lower.key},{self.upper.key},{self.body.key})")


Atom = Name | At | Opaque | FloorDiv | Mod | Min | Max | Cond | Sum
Monomial = tuple[tuple[Atom, int], ...]
"""Atoms with their powers, sorted by key; the empty one belongs to the constant."""


def _monomial_key(monomial: Monomial) -> str:
    if len(monomial) == 1:
        return f"{monomial[0][0].key}^{monomial[0][1]}"
    return "*".join([f"{atom.key}^{power}" for atom, power in monomial])


def degree(monomial: Monomial) -> int:
    return sum([power for _, power in monomial])


@dataclass(frozen=True, slots=True)
class Length:
    """A polynomial, the terms of highest degree first. Made by :func:`polynomial` and by arithmetic alone."""

    terms: tuple[tuple[Monomial, Coefficient], ...] = field(compare=False)
    key: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if not self.key:
            _set_key(
                self, "+".join([f"{coefficient}*{_monomial_key(monomial)}" for monomial, coefficient in self.terms])
            )

    def __add__(self, other: Length | int) -> Length:
        summand = length(other)
        if not summand.terms:
            return self
        if not self.terms:
            return summand
        if not summand.terms[0][0]:
            return self._more(summand.terms[0][1])
        return polynomial((*self.terms, *summand.terms))

    def _more(self, number: Coefficient) -> Length:
        """The sum with a number, which has the last place."""
        last, value = self.terms[-1]
        if last:
            return Length((*self.terms, ((), number)), f"{self.key}+{number}*")
        value = _exact(value + number)
        return Length((*self.terms[:-1], ((), value)) if value else self.terms[:-1])

    def __radd__(self, other: int) -> Length:
        return self + other

    def __neg__(self) -> Length:
        return self.scale(-1)

    def __sub__(self, other: Length | int) -> Length:
        subtrahend = length(other)
        if not subtrahend.terms:
            return self
        if not subtrahend.terms[0][0]:
            return self._more(-subtrahend.terms[0][1]) if self.terms else subtrahend.scale(-1)
        return polynomial((*self.terms, *[(monomial, -coefficient) for monomial, coefficient in subtrahend.terms]))

    def __rsub__(self, other: int) -> Length:
        return length(other) - self

    def __mul__(self, other: Length | int) -> Length:
        factor = length(other)
        for multiplicand, number in ((self, factor.constant), (factor, self.constant)):
            if number is not None:
                return multiplicand.scale(number)
        return polynomial([(multiply(left, right), a * b) for left, a in self.terms for right, b in factor.terms])

    def __rmul__(self, other: int) -> Length:
        return self * other

    def __pow__(self, power: int) -> Length:
        result = ONE if not power else self
        for _ in range(power - 1):
            result = result * self
        return result

    def scale(self, factor: Coefficient) -> Length:
        if factor == 1:
            return self
        if not factor:
            return ZERO
        return Length(tuple((monomial, _exact(coefficient * factor)) for monomial, coefficient in self.terms))

    @property
    def constant(self) -> Coefficient | None:
        """Its value where it is a number."""
        if not self.terms:
            return 0
        (monomial, coefficient), *others = self.terms
        return None if others or monomial else coefficient

    @property
    def atom(self) -> Atom | None:
        """The atom that it is, if it is one."""
        if len(self.terms) != 1:
            return None
        ((monomial, coefficient),) = self.terms
        return monomial[0][0] if coefficient == 1 and len(monomial) == 1 and monomial[0][1] == 1 else None

    def coefficient(self, monomial: Monomial) -> Coefficient:
        return next((value for key, value in self.terms if key == monomial), 0)

    def atoms(self) -> Iterator[Atom]:
        """The atoms of its monomials, each once, without those inside others."""
        yield from {atom.key: atom for monomial, _ in self.terms for atom, _ in monomial}.values()


def multiply(left: Monomial, right: Monomial) -> Monomial:
    if not left or not right:
        return left or right
    powers = dict(left)
    for atom, power in right:
        powers[atom] = powers.get(atom, 0) + power
    return tuple(sorted(powers.items(), key=lambda item: item[0].key))


def polynomial(terms: Iterable[tuple[Monomial, Coefficient]]) -> Length:
    """The sum of ``terms``, with like ones collected."""
    collected: dict[str, tuple[Monomial, Coefficient]] = {}  # texts are found faster than what they are made of
    for monomial, coefficient in terms:
        key = _monomial_key(monomial)
        known = collected.get(key)
        collected[key] = (monomial, coefficient if known is None else known[1] + coefficient)
    entries = [
        (-degree(monomial), key, (monomial, _exact(value))) for key, (monomial, value) in collected.items() if value
    ]
    if len(entries) > 1:
        entries.sort(key=_place)
    return Length(tuple([term for _, _, term in entries]), "+".join([f"{term[1]}*{key}" for _, key, term in entries]))


def _place(term: tuple[int, str, object]) -> tuple[int, str]:
    return term[:2]


def _exact(value: Coefficient) -> Coefficient:
    # Most are ints, and asking whether a value is a Fraction costs more than all the rest.
    return value if type(value) is int or value.denominator != 1 else value.numerator


def of_atom(atom: Atom) -> Length:
    return Length(((((atom, 1),), 1),))


def length(value: Length | int | str) -> Length:
    """A number, a name, or a length as it is."""
    match value:
        case Length():
            return value
        case _:
            return _intern(value)


@lru_cache(maxsize=1024)
def _intern(value: int | str) -> Length:
    """Of a number or a name: most lengths are made of a few of them."""
    if isinstance(value, str):
        return of_atom(Name(value))
    return Length((((), value),)) if value else Length(())


ZERO = Length(())
ONE = Length((((), 1),))


def replace_atom(whole: Length, atom: Atom, value: Length) -> Length:
    """``value`` in the place of ``atom`` in the monomials of ``whole``, not inside of other atoms."""
    result: list[tuple[Monomial, Coefficient]] = []
    for monomial, coefficient in whole.terms:
        power = dict(monomial).get(atom, 0)
        if not power:
            result.append((monomial, coefficient))
            continue
        rest = tuple(item for item in monomial if item[0] != atom)
        product = value**power
        result += [(multiply(rest, other), coefficient * factor) for other, factor in product.terms]
    return polynomial(result)


def in_powers(whole: Length, atom: Atom) -> dict[int, Length]:
    """``whole`` as a polynomial in ``atom`` alone: what each of its powers is multiplied by; 0 has one, of power 0."""
    parts: dict[int, list[tuple[Monomial, Coefficient]]] = {}
    sought = atom.key
    for monomial, coefficient in whole.terms:
        power, rest = 0, monomial
        for place, (base, exponent) in enumerate(monomial):
            if base.key == sought:
                power, rest = exponent, (*monomial[:place], *monomial[place + 1 :])
                break
        parts.setdefault(power, []).append((rest, coefficient))
    if len(parts) == 1 and 0 in parts:
        return {0: whole}
    # Terms that lose the same power of one atom stay different; alone, or without it, they stay in their order.
    polynomials = {
        power: polynomial(terms) if power and len(terms) > 1 else Length(tuple(terms)) for power, terms in parts.items()
    }
    return polynomials or {0: ZERO}
