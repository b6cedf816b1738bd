"""The genetic search against a trace worked out by hand, and its draws against what they are defined to be."""

from __future__ import annotations

from collections import Counter

import numpy as np
from scipy.stats import chisquare

from heddle.tuning.genes.space import Genome
from heddle.tuning.strategies.genetic import Parameters, Survivor, breed, child, genetic, mutant, spin
from heddle.tuning.strategies.strategy import Proposed, Search, Times
from tests.compiler.tuning.search.chance import Scripted, problem

GIVEN: tuple[Genome, ...] = ((0, 0), (0, 1), (1, 1), (1, 2), (2, 0))
FIRST_TIMES: Times = (4.0, 2.0, None, 1.0, 8.0)
"""Sorted: candidates 3, 1, 0 and 4, with fitness 1, 1/2, 1/4 and 1/8, which add up to 1, 1.5, 1.75 and 1.875."""
NO_MUTATION = (0.5, 0.5)


def traced(variant: str, *draws: float) -> tuple[Search, Scripted]:
    rng = Scripted(*draws)
    parameters = Parameters(5, 2, 0.8, 0.07, "paper" if variant == "paper" else "code")
    search = genetic(problem((3, 3), GIVEN), rng, parameters)
    assert [one.genome for one in next(search)] == list(GIVEN)
    return search, rng


CROSSED = (0.5, 0.1, 0.6, 0.95, 2, 0)
"""A child of candidates 3, 1 and 4: its first gene is the third's, its second the first's."""


def test_the_paper_s_variant_fills_every_seat_but_the_elites() -> None:
    search, rng = traced(
        "paper",
        *CROSSED,
        *(0.9, 0.7),  # a copy of candidate 1
        *(0.2, 0.0, 0.0, 0.0, 0, 1),  # three times the best
        *NO_MUTATION,
        *(0.01, 2, 0.5),  # the copy's first gene becomes 2
        *NO_MUTATION,
        *(0.85, 0.0, 0.85, 0.9, 0.85, 0.99),  # three copies: 0.9 of 3.75 is 3.375, the third of 2, 3, 3.5, 3.75
        *NO_MUTATION * 3,
    )
    second = search.send(FIRST_TIMES)
    assert second == (
        Proposed((1, 2), "elite", (3,)),
        Proposed((0, 1), "elite", (1,)),
        Proposed((2, 2), "crossover", (3, 1, 4), (2, 0)),
        Proposed((2, 1), "copy", (1,), mutated=(0,)),
        Proposed((1, 2), "crossover", (3, 3, 3), (0, 1)),
    )
    third = search.send((1.0, 2.0, 0.5, 4.0, None))
    assert [one.genome for one in third] == [(2, 2), (1, 2), (2, 2), (0, 1), (2, 1)]
    assert [one.parents for one in third] == [(2,), (0,), (2,), (1,), (3,)]
    assert not rng.draws


def test_the_published_code_only_fills_the_seats_of_those_that_were_dropped() -> None:
    search, rng = traced(
        "code",
        *CROSSED,
        *NO_MUTATION,
        *(0.01, 1, 0.5),
        *NO_MUTATION,
        *NO_MUTATION * 2,
        *(0.5, 0.01, 2),
    )
    second = search.send(FIRST_TIMES)
    assert [one.genome for one in second] == [(1, 2), (0, 1), (0, 0), (1, 0), (2, 2)]
    assert [one.origin for one in second] == ["elite", "elite", "copy", "copy", "crossover"]
    third = search.send((1.0, 2.0, 4.0, 8.0, 0.5))
    assert [one.genome for one in third] == [(2, 2), (1, 2), (0, 1), (0, 0), (1, 2)]
    assert "crossover" not in {one.origin for one in third}
    assert not rng.draws


def test_with_two_survivors_the_best_stays_and_the_rest_is_drawn() -> None:
    search, rng = traced("paper", *(2, 2, 0, 2, 1, 0, 1, 1))
    again = search.send((None, 2.0, None, 1.0, None))
    assert [one.genome for one in again] == [(1, 2), (2, 2), (0, 2), (1, 0), (1, 1)]
    assert [one.origin for one in again] == ["elite", *["random"] * 4]
    assert not rng.draws


def test_with_no_survivor_everything_is_drawn_again() -> None:
    search, _ = traced("paper", *(2, 2, 0, 2, 1, 0, 1, 1, 0, 0))
    again = search.send((None,) * 5)
    assert [one.origin for one in again] == ["random"] * 5


def test_a_child_that_is_not_valid_is_drawn_again_and_at_last_the_first_parent() -> None:
    survivors = [Survivor(0, (0, 0), 1.0), Survivor(1, (1, 1), 1.0)]
    parents = (0.9, 0.1, 0.1)
    some = problem((2, 2), valid=lambda genome: genome == (0, 1))
    found = child(some, Scripted(*parents, 0, 0, 1, 0), survivors, [1.0, 2.0])
    assert found == Proposed((0, 1), "crossover", (1, 0, 0), (1, 0))
    none = problem((2, 2), valid=lambda genome: False)
    found = child(none, Scripted(*parents, *([0, 0] * 1000)), survivors, [1.0, 2.0])
    assert (found.genome, found.sources) == ((1, 1), (0, 0))


def test_a_mutant_that_is_never_valid_stays_as_it_was() -> None:
    one = Proposed((1, 1), "copy", (0,))
    never = problem((2, 2), valid=lambda genome: False)
    assert mutant(never, Scripted(*([0.01, 0, 0.5] * 1000)), one, 0.07) is one


def test_the_roulette_draws_by_fitness() -> None:
    rng = np.random.Generator(np.random.PCG64(1))
    seen = Counter(spin(rng, [1.0, 1.5, 1.75, 1.875]) for _ in range(20_000))
    expected = [20_000 * fitness / 1.875 for fitness in (1.0, 0.5, 0.25, 0.125)]
    assert chisquare([seen[place] for place in range(4)], expected).pvalue > 0.01


def test_genes_come_from_each_parent_as_often_and_children_as_often_as_said() -> None:
    rng = np.random.Generator(np.random.PCG64(2))
    survivors = [Survivor(number, (number,) * 6, 1.0) for number in range(4)]
    seats = breed(problem((4,) * 6), rng, survivors, Parameters(4002, 2))
    children = [one for one in seats if one.origin == "crossover"]
    assert chisquare([len(children), 4000 - len(children)], [3200, 800]).pvalue > 0.01
    sources = Counter(source for one in children for source in one.sources)
    assert chisquare([sources[number] for number in range(3)]).pvalue > 0.01
    parents = Counter(parent for one in children for parent in one.parents)
    assert chisquare([parents[number] for number in range(4)]).pvalue > 0.01


def test_genes_mutate_as_often_as_said_and_to_every_value() -> None:
    rng = np.random.Generator(np.random.PCG64(3))
    mutants = [mutant(problem((5,) * 8), rng, Proposed((0,) * 8, "copy", (0,)), 0.07) for _ in range(3000)]
    changes = sum(len(one.mutated) for one in mutants)
    assert chisquare([changes, 24_000 - changes], [24_000 * 0.07, 24_000 * 0.93]).pvalue > 0.01
    values = Counter(one.genome[place] for one in mutants for place in one.mutated)
    assert chisquare([values[number] for number in range(5)]).pvalue > 0.01


def test_elites_are_at_most_half() -> None:
    assert Parameters(population=6, elites=10).elite_count == 3
