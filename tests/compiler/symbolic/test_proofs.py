"""Proofs that types need, and the texts and steps that a person reads."""

from __future__ import annotations

import pytest

from heddle.symbolic.build import at, ceil_div, compare, cond, floor_div, maximum, minimum, mod
from heddle.symbolic.equal import equal
from heddle.symbolic.facts import NOTHING, Facts
from heddle.symbolic.nodes import Length, length
from heddle.symbolic.printer import to_text
from heddle.symbolic.prove import less, nonnegative
from heddle.symbolic.rewrite import sum_over
from heddle.symbolic.steps import Steps

n, m, i, j, k, N = (length(name) for name in ("n", "m", "i", "j", "k", "N"))
ROWS = Facts(ascending=frozenset({"off"})).assume_range("i", 0, n - 1)


@pytest.mark.parametrize(
    ("whole", "facts"),
    [
        (n - i - 1, ROWS),
        (at("off", i + 1) - at("off", i), ROWS),
        (at("off", n) - at("off", i), ROWS),
        (i * (n - i), ROWS.assume_range("n", 1, None)),
        (N - k * n - 1, Facts().assume_range("n", 1, None).assume_range("k", 0, ceil_div(N, n) - 1)),
        (minimum(n, m) + maximum(0, n - m), Facts()),
        (8 - mod(n, 8), Facts()),
        (n - 2 * floor_div(n, 2), Facts()),
        (n - k * 16 - minimum(16, n - k * 16), Facts().assume_range("k", 0, ceil_div(n, 16) - 1)),
        (cond(compare("==", i, 0), 0, i - 1), ROWS),
        ((i + 2) * n - (i * n + j) - 1, ROWS.assume_range("j", 0, n - 1)),
        (n + m - 1, Facts().assuming(n - 1)),
    ],
    ids=lambda value: to_text(value) if isinstance(value, Length) else "",
)
def test_these_are_at_least_zero(whole: Length, facts: Facts) -> None:
    assert nonnegative(whole, facts)


@pytest.mark.parametrize(
    ("whole", "facts"),
    [
        (n - i - 2, ROWS),
        (at("off", i) - at("off", i + 1), ROWS),
        (at("other", i + 1) - at("other", i), ROWS),
        (n, NOTHING),
        (minimum(n, m) - 1, Facts()),
        (N - k * n - 1, Facts().assume_range("k", 0, ceil_div(N, n))),
        (i - 1, ROWS),
    ],
    ids=lambda value: to_text(value) if isinstance(value, Length) else "",
)
def test_these_are_not(whole: Length, facts: Facts) -> None:
    assert not nonnegative(whole, facts)


def test_quotients_and_remainders_of_a_split_fold() -> None:
    facts = Facts().assume_range("j", 0, n - 1).assume_range("n", 1, None)
    assert floor_div(k * n + j, n, facts) == k
    assert mod(k * n + j, n, facts) == j
    assert less(j, n, facts)
    assert equal(n * floor_div(k, n) + mod(k, n), k)


def test_the_start_of_a_row_has_each_of_its_three_forms() -> None:
    facts = ROWS
    triangle, steps = sum_over("k", 0, i, k + 1, facts, collected := Steps()), collected.steps
    assert to_text(triangle) == "(i*i + i)/2"
    assert [step.rule for step in steps] == ["linear", "constant"]
    rows = sum_over("k", 0, i, at("off", k + 1) - at("off", k), facts)
    assert to_text(rows) == "off@i - off@0"
    start = cond(compare("==", k, 0), 0, at("off", k))
    refined = sum_over("k", 0, i, at("off", k + 1) - start, facts, collected := Steps())
    assert to_text(refined) == "(i == 0 ? 0 : off@i)"
    assert [(step.rule, step.after) for step in collected.steps] == [
        ("shift", "off@(k + 1)"),
        ("telescoping", "(i == 0 ? 0 : off@i)"),
    ]
    assert to_text(sum_over("k", 0, i, at("lengths", k), facts)) == "Σ(k0', 0, i, lengths@k0')"


def test_a_sum_of_one_summand_is_that_summand_and_of_none_is_nothing() -> None:
    assert sum_over("k", n, n + 1, k * k, Facts()) == n * n
    assert not sum_over("k", n, n, at("lengths", k), Facts()).terms


def test_equal_sums_are_equal_whatever_their_variables_are_called() -> None:
    one = sum_over("a", 0, n, at("x", length("a")), Facts())
    other = sum_over("b", 0, n, at("x", length("b")), Facts())
    assert one == other
    assert hash(one) == hash(other)


def test_a_division_by_what_is_not_positive_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="divided by a positive number, not by 0"):
        floor_div(n, 0)
