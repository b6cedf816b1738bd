"""The genetic search of Vasilache et al. 2018, as the text describes it and as its published code does it.

Both: candidates that could not be measured are dropped, the rest sorted by time; fitness is 1/time, a share of the sum.
A child has three parents, each drawn by roulette from the shares, not necessarily different ones, and each gene from
one of them, drawn evenly; up to 1,000 children are drawn until one is valid, then the first parent is copied. With the
rest of the probability a survivor drawn by roulette is copied. At the end each gene of all but the elites is drawn anew
with the probability of a mutation, up to 1,000 times until the mutant is valid; else it stays as it was. With fewer
than three survivors the best is kept and all others are drawn at random.

``paper``: every seat but those of the elites is filled with a child or a copy. ``code``: all survivors stay, and only
the seats of those that were dropped are filled; where nothing was dropped nothing is bred.

Draws of one generation, in order: for each seat one number for crossover or copy, three for parents (or one), one for
each gene's parent, again for each try; then for each candidate one for each gene, and one value for each that mutates,
again for each try.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Literal

from heddle.tuning.genes.space import Genome
from heddle.tuning.strategies.strategy import TRIES, Problem, Proposed, Random, Search

FEWEST = 3
PARENTS = 3


@dataclass(frozen=True, slots=True)
class Parameters:
    """Their defaults are those of the published code. ``elites`` are at most half of the population; ``crossover`` is
    the probability of a child in place of a copy, ``mutation`` that of a gene."""

    population: int = 100
    elites: int = 10
    crossover: float = 0.8
    mutation: float = 0.07
    variant: Literal["paper", "code"] = "paper"

    @property
    def elite_count(self) -> int:
        return min(self.elites, self.population // 2)


@dataclass(frozen=True, slots=True)
class Survivor:
    """``number`` is its place in the generation in which it was measured."""

    number: int
    genome: Genome
    seconds: float


def genetic(problem: Problem, rng: Random, parameters: Parameters) -> Search:
    """Generations without end."""
    generation = first(problem, rng, parameters.population)
    while generation:
        times = yield generation
        survivors = sorted(
            (
                Survivor(number, candidate.genome, time)
                for number, (candidate, time) in enumerate(zip(generation, times, strict=True))
                if time is not None
            ),
            key=lambda survivor: (survivor.seconds, survivor.number),
        )
        if len(survivors) < FEWEST:
            generation = redraw(problem, rng, parameters.population, survivors)
        else:
            generation = mutate(problem, rng, breed(problem, rng, survivors, parameters), parameters)


def first(problem: Problem, rng: Random, count: int) -> tuple[Proposed, ...]:
    """The given genomes that are valid, then random ones."""
    starts = [Proposed(genome, "given") for genome in dict.fromkeys(problem.starts) if problem.valid(genome)][:count]
    return (*starts, *_random(problem, rng, count - len(starts)))


def redraw(problem: Problem, rng: Random, count: int, survivors: Sequence[Survivor]) -> tuple[Proposed, ...]:
    best = [Proposed(survivor.genome, "elite", (survivor.number,)) for survivor in survivors[:1]]
    return (*best, *_random(problem, rng, count - len(best)))


def _random(problem: Problem, rng: Random, count: int) -> tuple[Proposed, ...]:
    genomes = (problem.drawn_valid(rng) for _ in range(count))
    return tuple(Proposed(genome, "random") for genome in genomes if genome is not None)


def breed(problem: Problem, rng: Random, survivors: Sequence[Survivor], parameters: Parameters) -> tuple[Proposed, ...]:
    """The next generation before its mutations, the elites first."""
    shares = list(accumulate(1.0 / survivor.seconds for survivor in survivors))
    staying = survivors if parameters.variant == "code" else survivors[: parameters.elite_count]
    seats = [
        Proposed(survivor.genome, "elite" if place < parameters.elite_count else "copy", (survivor.number,))
        for place, survivor in enumerate(staying[: parameters.population])
    ]
    while len(seats) < parameters.population:
        if rng.random() < parameters.crossover:
            seats.append(child(problem, rng, survivors, shares))
        else:
            chosen = survivors[spin(rng, shares)]
            seats.append(Proposed(chosen.genome, "copy", (chosen.number,)))
    return tuple(seats)


def child(problem: Problem, rng: Random, survivors: Sequence[Survivor], shares: Sequence[float]) -> Proposed:
    parents = [survivors[spin(rng, shares)] for _ in range(PARENTS)]
    numbers = tuple(parent.number for parent in parents)
    for _ in range(TRIES):
        sources = tuple(int(rng.integers(PARENTS)) for _ in problem.sizes)
        genome = tuple(parents[source].genome[place] for place, source in enumerate(sources))
        if problem.valid(genome):
            return Proposed(genome, "crossover", numbers, sources)
    return Proposed(parents[0].genome, "crossover", numbers, (0,) * len(problem.sizes))


def spin(rng: Random, shares: Sequence[float]) -> int:
    """The roulette: the first whose accumulated fitness lies beyond the ball."""
    return min(bisect_right(shares, rng.random() * shares[-1]), len(shares) - 1)


def mutate(problem: Problem, rng: Random, seats: Sequence[Proposed], parameters: Parameters) -> tuple[Proposed, ...]:
    """All but the elites, mutated."""
    elite_count = parameters.elite_count
    return (*seats[:elite_count], *(mutant(problem, rng, seat, parameters.mutation) for seat in seats[elite_count:]))


def mutant(problem: Problem, rng: Random, candidate: Proposed, rate: float) -> Proposed:
    for _ in range(TRIES):
        genome, places = list(candidate.genome), list[int]()
        for place, size in enumerate(problem.sizes):
            if rng.random() < rate:
                genome[place] = int(rng.integers(size))
                places.append(place)
        if not places:
            return candidate
        if problem.valid(tuple(genome)):
            return replace(candidate, genome=tuple(genome), mutated=tuple(places))
    return candidate
