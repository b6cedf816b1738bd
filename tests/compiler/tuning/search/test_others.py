"""Random search, every point, hill climbing, and the rules alone."""

from __future__ import annotations

import numpy as np
import pytest

from heddle.tuning.genes.space import Genome
from heddle.tuning.strategies.genetic import Parameters
from heddle.tuning.strategies.others import exhaustive
from heddle.tuning.strategies.strategy import Search
from heddle.tuning.strategies.table import STRATEGIES, strategy_named
from tests.compiler.tuning.search.chance import problem
from tests.errors.expect import refusal


def rng(seed: int = 5) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


def bowl(genome: Genome) -> float:
    """The smallest at (3, 3)."""
    return 1.0 + sum((value - 3) ** 2 for value in genome)


def run(search: Search, generations: int) -> list[list[Genome]]:
    found: list[list[Genome]] = []
    generation = next(search)
    for _ in range(generations):
        found.append([one.genome for one in generation])
        try:
            generation = search.send([bowl(one.genome) for one in generation])
        except StopIteration:
            break
    return found


def test_every_point_comes_once_and_only_if_valid() -> None:
    some = problem((4, 5), valid=lambda genome: genome[0] != 1)
    found = [genome for generation in run(exhaustive(some, rng(), 6), 9) for genome in generation]
    assert found == [(a, b) for a in (0, 2, 3) for b in range(5)]


def test_a_space_that_is_too_large_for_every_point_is_refused() -> None:
    diagnostic = refusal(lambda: next(exhaustive(problem((70, 70)), rng(), 6)))
    assert diagnostic.code == "tune/too-many-points"
    assert diagnostic.message == "The space has 4,900 points, and at most 4,096 are searched one by one."


def test_random_search_draws_without_repeating() -> None:
    search = strategy_named("random").start(problem((7, 7), [(3, 3)]), rng(), Parameters(10))
    found = [genome for generation in run(search, 4) for genome in generation]
    assert found[0] == (3, 3)
    assert len(set(found)) == 40


def test_hill_climbing_reaches_the_bottom_and_starts_again() -> None:
    search = strategy_named("hill").start(problem((7, 7), [(0, 6)]), rng(), Parameters(100))
    generations = run(search, 30)
    bottom = [min(generation, key=bowl) for generation in generations]
    assert bottom[:2] == [(0, 6), (3, 6)] or bottom[:2] == [(0, 6), (0, 3)]
    assert (3, 3) in bottom
    assert sum(len(generation) == 1 for generation in generations) > 1


def test_a_neighbour_knows_where_it_came_from() -> None:
    search = strategy_named("hill").start(problem((7,), [(0,)]), rng(), Parameters(3))
    (start,) = next(search)
    generation = search.send([bowl(start.genome)])
    times = [bowl(one.genome) for one in generation]
    best = times.index(min(times))
    for one in search.send(times):
        assert one.parents == (best,)
        assert one.mutated == (0,)


def test_the_rules_alone_end_after_one_generation() -> None:
    search = strategy_named("rules").start(problem((7, 7), [(1, 1), (2, 2), (1, 1)]), rng(), Parameters())
    assert run(search, 5) == [[(1, 1), (2, 2)]]


@pytest.mark.parametrize("strategy", [one.name for one in STRATEGIES])
def test_the_same_seed_gives_the_same_generations(strategy: str) -> None:
    first, second = (
        run(strategy_named(strategy).start(problem((7, 7), [(0, 1)]), rng(8), Parameters(12)), 6) for _ in range(2)
    )
    assert first == second


def test_an_unknown_strategy_names_those_that_there_are() -> None:
    diagnostic = refusal(lambda: strategy_named("annealing"))
    assert diagnostic.code == "tune/strategy"
    assert diagnostic.message.startswith("There is no strategy 'annealing'. The strategies are genetic, genetic-code,")
