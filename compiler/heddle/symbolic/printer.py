"""Texts of lengths: as a person would write them, the constant last."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from heddle.symbolic.nodes import (
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
)


def to_text(whole: Length) -> str:
    """For example ``offset@(i + 1) - offset@i``, ``(i*i + i)/2``."""
    if not whole.terms:
        return "0"
    scale = common_denominator(whole)
    if scale != 1:
        return f"({to_text(whole.scale(scale))})/{scale}"
    parts: list[str] = []
    positive = [term for term in whole.terms if term[1] > 0]
    for monomial, coefficient in (*positive, *(term for term in whole.terms if term not in positive)):
        text = _term(monomial, coefficient if coefficient > 0 else -coefficient)
        if not parts:
            parts.append(text if coefficient > 0 else f"-{text}")
        else:
            parts.append(f"{'+' if coefficient > 0 else '-'} {text}")
    return " ".join(parts)


def common_denominator(whole: Length) -> int:
    """What all coefficients have to be multiplied by to be whole."""
    return lcm(*(coefficient.denominator for _, coefficient in whole.terms if isinstance(coefficient, Fraction)))


def _term(monomial: Monomial, coefficient: Coefficient) -> str:
    factors = [atom_text(atom) for atom, power in monomial for _ in range(power)]
    if coefficient != 1 or not factors:
        factors.insert(0, str(coefficient))
    return "*".join(factors)


def _wrap(whole: Length) -> str:
    """In parentheses, unless it is one name or a number that is not negative."""
    text = to_text(whole)
    value = whole.constant
    return text if (value is not None and value >= 0) or isinstance(whole.atom, Name) else f"({text})"


def test_text(test: Test) -> str:
    """The test with what is subtracted on the other side: ``i == 0``, ``i + 1 >= n``."""
    positive = Length(tuple(term for term in test.difference.terms if term[1] > 0))
    negative = -Length(tuple(term for term in test.difference.terms if term[1] < 0))
    return f"{to_text(positive)} {test.operator} {to_text(negative)}"


def atom_text(atom: Atom) -> str:
    match atom:
        case Name(name=name):
            return name
        case At(array=array, index=index):
            return f"{array}@{_wrap(index)}"
        case Opaque(text=text):
            return f"toNat({text})"
        case FloorDiv(numerator=numerator, denominator=denominator):
            return f"({_wrap(numerator)} / {_wrap(denominator)})"
        case Mod(numerator=numerator, denominator=denominator):
            return f"({_wrap(numerator)} % {_wrap(denominator)})"
        case Min(operands=operands):
            return f"min({', '.join(map(to_text, operands))})"
        case Max(operands=operands):
            return f"max({', '.join(map(to_text, operands))})"
        case Cond(test=test, then=then, otherwise=otherwise):
            return f"({test_text(test)} ? {to_text(then)} : {to_text(otherwise)})"
        case Sum(variable=variable, lower=lower, upper=upper, body=body):
            return f"Σ({variable}, {to_text(lower)}, {to_text(upper)}, {to_text(body)})"
        case _:
            raise TypeError(f"unexpected atom {atom!r}")
