"""Closed forms of sums against another algebra, for all sizes at once: those of polynomials are what SymPy's own
summation gives, those that telescope have the summand as their difference. Shares no code with the rules."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from heddle.symbolic.build import at
from heddle.symbolic.facts import Facts
from heddle.symbolic.nodes import At, Atom, Length, Name, Sum, length
from heddle.symbolic.rewrite import sum_over
from heddle.symbolic.steps import Steps
from heddle.symbolic.walk import all_atoms

sympy: Any = pytest.importorskip("sympy", reason="the tests' requirements have it")

BEGIN, END, OTHERS = length("a"), length("b"), (length("n"), length("m"))
FACTS = Facts().assume_range("a", 0, None).assume_range("b", length("a"), None)


def symbolic(whole: Length) -> Any:
    """``whole`` in SymPy's words."""
    total = sympy.Integer(0)
    for monomial, coefficient in whole.terms:
        term = sympy.Rational(coefficient.numerator, coefficient.denominator)
        for atom, power in monomial:
            term *= _atom(atom) ** power
        total += term
    return total


def _atom(atom: Atom) -> Any:
    match atom:
        case Name(name=name):
            return sympy.Symbol(name, integer=True)
        case At(array=array, index=index):
            return sympy.Function(array)(symbolic(index))
        case _:
            raise TypeError(f"no word for {atom!r}")


def summed(body: Length) -> tuple[Length, set[str]]:
    """The sum of ``body`` over k in [a, b), and the rules that made it."""
    steps = Steps()
    total = sum_over("k", BEGIN, END, body, FACTS, steps)
    assert not any(isinstance(atom, Sum) for atom in all_atoms(total)), (body, total)
    return total, {one.rule for one in steps.steps}


def polynomial(random: Random, degree: int) -> Length:
    """Of k, with other sizes in some of its coefficients."""
    body = length(0)
    for exponent in range(degree + 1):
        factor = length(random.randint(-9, 9)) * random.choice((length(1), *OTHERS, OTHERS[0] * OTHERS[1]))
        body = body + length("k") ** exponent * factor
    return body


@pytest.mark.parametrize(("degree", "rule"), [(0, "constant"), (1, "linear"), (2, "powers"), (3, "powers")])
def test_sums_of_polynomials_are_those_of_sympy(degree: int, rule: str) -> None:
    random, k = Random(degree), sympy.Symbol("k", integer=True)
    used: set[str] = set()
    for _ in range(2):
        body = polynomial(random, degree)
        total, rules = summed(body)
        used |= rules
        expected = sympy.summation(symbolic(body), (k, symbolic(BEGIN), symbolic(END) - 1))
        assert sympy.expand(symbolic(total) - expected) == 0, (body, total)
    assert rule in used


def test_sums_that_telescope_have_the_summand_as_their_difference() -> None:
    """Nothing at the lower end, and each further step adds its summand: that is what a sum is, for any array."""
    random, b = Random(4), sympy.Symbol("b", integer=True)
    for _ in range(8):
        difference = at("off", length("k") + 1) - at("off", length("k"))
        body = difference * random.choice((length(random.randint(1, 5)), *OTHERS)) + polynomial(random, 1)
        total, rules = summed(body)
        assert "telescoping" in rules
        found = symbolic(total)
        more = found.subs(b, b + 1) - found - symbolic(body).subs(sympy.Symbol("k", integer=True), b)
        assert sympy.expand(more) == 0, (body, total)
        assert sympy.expand(found.subs(b, symbolic(BEGIN))) == 0, (body, total)


def test_a_wrong_closed_form_is_seen() -> None:
    k = sympy.Symbol("k", integer=True)
    total, _ = summed(length("k") * length("k"))
    expected = sympy.summation(k**2, (k, symbolic(BEGIN), symbolic(END) - 1))
    assert sympy.expand(symbolic(total + BEGIN) - expected) != 0
