"""Intervals hold every value that C computes from their members."""

from __future__ import annotations

from itertools import product

import pytest

from heddle.loop_ir.analysis.intervals import (
    EVERYTHING,
    Interval,
    at_least,
    at_most,
    combine,
    exactly,
    interval,
    join,
)


def truncated(operator: str, a: int, b: int) -> int:
    """As in C: a quotient is rounded towards zero, a remainder has the sign of the dividend."""
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient if operator in ("/", "//") else a - quotient * b


COMPUTED = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__, "min": min, "max": max}


@pytest.mark.parametrize("operator", ["+", "-", "*", "min", "max", "/", "//", "%"])
def test_results_lie_inside(operator: str) -> None:
    bounds = [(low, high) for low, high in product((-4, -1, 0, 1, 3), (-2, 0, 1, 2, 5)) if low <= high]
    for (a, b), (c, d) in product(bounds, bounds):
        found = combine(operator, Interval(a, b), Interval(c, d))
        for x, y in product(range(a, b + 1), range(c, d + 1)):
            if operator in COMPUTED:
                value = COMPUTED[operator](x, y)
            elif y != 0:
                value = truncated(operator, x, y)
            else:
                continue
            assert found.low <= value <= found.high, (operator, x, y)


def test_what_leaves_64_bits_can_be_anything() -> None:
    assert combine("+", exactly(2**63 - 1), exactly(1)) == EVERYTHING
    assert combine("*", exactly(2**40), exactly(2**40)) == EVERYTHING
    assert interval(0, 2**63) == EVERYTHING
    assert combine("?", exactly(1), exactly(1)) == EVERYTHING


def test_joining_and_cutting() -> None:
    assert join(None, exactly(3)) == exactly(3)
    assert join(Interval(0, 2), Interval(5, 6)) == Interval(0, 6)
    assert at_most(Interval(0, 9), 4) == Interval(0, 4)
    assert at_least(Interval(0, 9), 4) == Interval(4, 9)
    assert at_most(Interval(3, 9), 1) == at_least(Interval(3, 9), 11) == Interval(3, 9)
    assert Interval(-7, 3).magnitude == 7
