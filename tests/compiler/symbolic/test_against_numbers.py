"""The algebra against brute force: what it decides or rewrites holds for small numbers."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from heddle.symbolic.build import at, ceil_div, compare, cond, floor_div, maximum, minimum, mod
from heddle.symbolic.divide import divides
from heddle.symbolic.equal import equal
from heddle.symbolic.evaluate import evaluate, number_of
from heddle.symbolic.facts import Facts
from heddle.symbolic.nodes import Length, length
from heddle.symbolic.prove import nonnegative
from heddle.symbolic.rewrite import simplify, substitute, sum_over

NAMES = ("n", "m", "i")
ARRAYS = {"off": np.array([0, 2, 2, 5, 7, 7, 11, 12, 20, 20, 31, 31, 40, 44, 44, 45, 50, 51, 60, 61, 77])}
FACTS = (
    Facts(ascending=frozenset({"off"}), natural=frozenset({"off"}))
    .assume_range("n", 1, None)
    .assume_range("i", 0, length("n"))
)
CASES = [(n, m, i) for n in (1, 2, 3, 5) for m in (0, 1, 4) for i in range(n + 1)]


def drawn(random: Random, depth: int, names: tuple[str, ...]) -> Length:
    """Any length over ``names`` whose array elements stay in range for the CASES."""
    if depth == 0:
        return length(random.choice(names)) if random.random() < 0.7 else length(random.randint(-3, 4))
    one, other = drawn(random, depth - 1, names), drawn(random, depth - 1, names)
    match random.randrange(9):
        case 0:
            return one + other
        case 1:
            return one - other
        case 2:
            return one * random.randint(-2, 3)
        case 3:
            return minimum(one, other)
        case 4:
            return maximum(one, other)
        case 5:
            return floor_div(one, random.choice((2, 3, length("n"))))
        case 6:
            return mod(one, random.choice((2, 3, length("n"))))
        case 7:
            return cond(compare(random.choice(("==", "<", ">=")), one, other), one, other - 1)
        case _:
            return at("off", maximum(0, minimum(one, 20)))


def values(n: int, m: int, i: int) -> dict[str, int]:
    return {"n": n, "m": m, "i": i}


@pytest.mark.parametrize("seed", range(4))
def test_what_is_proved_holds_and_what_facts_simplify_stays_equal(seed: int) -> None:
    random, proved = Random(seed), 0
    for _ in range(25):
        whole = drawn(random, random.randint(1, 3), NAMES)
        numbers = [evaluate(whole, values(*case), ARRAYS) for case in CASES]
        shorter = simplify(whole, FACTS)
        assert numbers == [evaluate(shorter, values(*case), ARRAYS) for case in CASES], whole
        if nonnegative(whole, FACTS):
            proved += 1
            assert min(numbers) >= 0, whole
        assert not equal(whole, whole + 1, FACTS)
    assert proved > 2


@pytest.mark.parametrize("seed", range(4))
def test_sums_are_what_adding_up_gives(seed: int) -> None:
    random = Random(100 + seed)
    for _ in range(16):
        body = drawn(random, random.randint(1, 2), (*NAMES, "k", "k"))
        lower, upper = random.choice(((0, "i"), (1, "n"), (0, "n"), ("i", "n"), (0, 3), (0, "m")))
        total = sum_over("k", length(lower), length(upper), body, FACTS)
        for case in CASES:
            names = values(*case)
            ends = range(evaluate(length(lower), names), evaluate(length(upper), names))
            expected = sum(evaluate(body, {**names, "k": k}, ARRAYS) for k in ends)
            assert evaluate(total, names, ARRAYS) == expected, (body, lower, upper, total)


@pytest.mark.parametrize("power", range(9))
def test_sums_of_powers_are_closed(power: int) -> None:
    total = sum_over("k", 0, length("n"), length("k") ** power, Facts())
    assert [evaluate(total, {"n": n}) for n in range(13)] == [sum(k**power for k in range(n)) for n in range(13)]
    assert "sum(" not in total.key


def test_pieces_shares_and_residues_are_closed_for_every_size() -> None:
    whole, piece = length("L"), length("S")
    facts = Facts().assume_range("S", 1, None)
    pieces = sum_over("k", 0, ceil_div(whole, piece), minimum(piece, whole - length("k") * piece), facts)
    shares = sum_over("s", 0, piece, ceil_div(whole - length("s"), piece), facts)
    assert pieces == whole
    assert shares == whole
    some = facts.assume_range("a", 0, piece)
    part = sum_over("s", 0, length("a"), ceil_div(whole - length("s"), piece), some)
    rounds = sum_over("k", 0, whole, mod(length("k"), piece), facts)
    quotients = sum_over("k", 0, whole, floor_div(length("k"), piece), facts)
    for total in range(20):
        for size in range(1, 7):
            names = {"L": total, "S": size}
            assert evaluate(rounds, names) == sum(k % size for k in range(total))
            assert evaluate(quotients, names) == sum(k // size for k in range(total))
            for a in range(size + 1):
                assert evaluate(part, {**names, "a": a}) == sum(-((s - total) // size) for s in range(a))


def test_substitution_is_what_evaluation_of_the_value_gives() -> None:
    random = Random(7)
    for _ in range(25):
        whole, value = drawn(random, 2, NAMES), drawn(random, 1, ("n", "m"))
        put_in = substitute(whole, {"i": value})
        for n, m in ((1, 0), (2, 3), (5, 4)):
            number = evaluate(value, {"n": n, "m": m}, ARRAYS)
            assert evaluate(put_in, {"n": n, "m": m}, ARRAYS) == evaluate(whole, {"n": n, "m": m, "i": number}, ARRAYS)


def test_arrays_of_numbers_evaluate_like_one_after_the_other() -> None:
    random = Random(3)
    for _ in range(16):
        whole = drawn(random, 2, NAMES)
        total = sum_over("k", 0, length("i"), whole + length("k") * at("off", length("k")), FACTS)
        columns = {name: np.array([values(*case)[name] for case in CASES]) for name in NAMES}
        expected = [evaluate(total, values(*case), ARRAYS) for case in CASES]
        assert np.broadcast_to(evaluate(total, columns, ARRAYS), len(CASES)).tolist() == expected


def test_what_divides_is_told_for_products_and_sums() -> None:
    n, m = length("n"), length("m")
    assert divides(n, n * m + 2 * n)
    assert divides(n + 1, n * n - 1)
    assert divides(length(4), 8 * n - 12)
    assert not divides(length(4), 6 * n)
    assert not divides(n, m)
    assert not divides(n, n + 1)


def test_choices_of_arrays_that_broadcast_are_made_element_by_element() -> None:
    """Grids of index variables are sparse: each has one axis. The branch that is not taken has no value there."""
    i, j = length("i"), length("j")
    whole = cond(compare(">=", i, j), floor_div(i, j - 2), i + length("n"))
    grids = np.meshgrid(np.arange(3, 6), np.arange(3, 7), indexing="ij", sparse=True)
    found = evaluate(whole, {"i": grids[0], "j": grids[1], "n": 10})
    expected = [[a // (b - 2) if a >= b else a + 10 for b in range(3, 7)] for a in range(3, 6)]
    np.testing.assert_array_equal(found, expected)
    assert number_of(whole, {"i": 1, "j": 2, "n": 10}) == 11
