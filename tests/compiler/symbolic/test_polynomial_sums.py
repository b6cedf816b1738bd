"""Sums of polynomials have closed forms that are identities: two polynomials of degree d that agree at d + 1 points are
the same, so that a few numbers prove it for all."""

from __future__ import annotations

from random import Random

import pytest

from heddle.symbolic.evaluate import evaluate
from heddle.symbolic.facts import Facts
from heddle.symbolic.nodes import Length, Sum, length
from heddle.symbolic.rewrite import sum_over
from heddle.symbolic.walk import all_atoms

DEGREE = 3


def power(of: Length, exponent: int) -> Length:
    made = length(1)
    for _ in range(exponent):
        made = made * of
    return made


@pytest.mark.parametrize("seed", range(6))
def test_a_closed_form_of_a_polynomial_is_an_identity(seed: int) -> None:
    random = Random(seed)
    for _ in range(8):
        factors = [random.randint(-9, 9) for _ in range(DEGREE + 1)]
        body = length(0)
        for exponent, factor in enumerate(factors):
            body = body + power(length("k"), exponent) * factor
        begin = random.randint(0, 3)
        total = sum_over("k", length(begin), length("n"), body, Facts().assume_range("n", begin, None))
        assert not any(isinstance(atom, Sum) for atom in all_atoms(total)), total
        for n in range(begin, begin + DEGREE + 3):  # of degree 4 at most, beside the exact sums of more points
            expected = sum(factor * k**exponent for k in range(begin, n) for exponent, factor in enumerate(factors))
            assert evaluate(total, {"n": n}) == expected, (total, n)
