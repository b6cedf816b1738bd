"""Searches that do not breed: at random, every point, downhill, and only what is given."""

from __future__ import annotations

from itertools import product

from heddle.diagnostics import CompileError, Diagnostic
from heddle.tuning.genes.space import Genome
from heddle.tuning.strategies.strategy import Problem, Proposed, Random, Search

MOST_POINTS = 4096
"""Of spaces that are searched whole."""


def at_random(problem: Problem, rng: Random, population: int) -> Search:
    """Valid genomes, each once while there are enough, the given ones first."""
    seen: set[Genome] = set()
    generation = [Proposed(genome, "given") for genome in dict.fromkeys(problem.starts) if problem.valid(genome)][
        :population
    ]
    while True:
        seen |= {candidate.genome for candidate in generation}
        for _ in range(population - len(generation)):
            drawn = problem.drawn_valid(rng)
            for _ in range(20):
                if drawn not in seen:
                    break
                drawn = problem.drawn_valid(rng)
            if drawn is not None:
                seen.add(drawn)
                generation.append(Proposed(drawn, "random"))
        if not generation:
            return
        yield tuple(generation)
        generation = []


def exhaustive(problem: Problem, rng: Random, population: int) -> Search:
    """Every valid genome, in order of the genes.

    Raises
    ------
    CompileError
        ``tune/too-many-points``.
    """
    points = 1
    for size in problem.sizes:
        points *= size
    if points > MOST_POINTS:
        raise CompileError(
            Diagnostic(
                "tune/too-many-points",
                f"The space has {points:,} points, and at most {MOST_POINTS:,} are searched one by one.",
                expected=f"at most {MOST_POINTS:,} points",
                actual=f"{points:,}",
                hint="Leave some genes out (--genes), or take the strategy random or genetic.",
            )
        )
    generation: list[Proposed] = []
    for genome in product(*map(range, problem.sizes)):
        if problem.valid(genome):
            generation.append(Proposed(genome, "point"))
        if len(generation) == population:
            yield tuple(generation)
            generation = []
    if generation:
        yield tuple(generation)


def downhill(problem: Problem, rng: Random, population: int) -> Search:
    """From each given genome, then from random ones: neighbours differ in one gene; the best of a generation is where
    the next begins, while it is faster. Where no neighbour is, the climb starts again elsewhere."""
    starts = [genome for genome in dict.fromkeys(problem.starts) if problem.valid(genome)]
    while True:
        here = starts.pop(0) if starts else problem.drawn_valid(rng)
        if here is None:
            return
        (best,) = yield (Proposed(here, "given" if problem.starts and here in problem.starts else "random"),)
        at = 0
        while best is not None:
            around = _neighbours(problem, rng, here, population)
            if not around:
                break
            times = yield tuple(
                Proposed(genome, "neighbour", (at,), mutated=_find_changes(here, genome)) for genome in around
            )
            faster = [(time, number) for number, time in enumerate(times) if time is not None and time < best]
            if not faster:
                break
            best, at = min(faster)
            here = around[at]


def propose_starts(problem: Problem, rng: Random, population: int) -> Search:
    """What the rules say, and nothing else."""
    starts = [Proposed(genome, "given") for genome in dict.fromkeys(problem.starts) if problem.valid(genome)]
    if starts:
        yield tuple(starts)


def _neighbours(problem: Problem, rng: Random, here: Genome, most: int) -> list[Genome]:
    """Valid ones in a random order."""
    moves = [(at, value) for at, size in enumerate(problem.sizes) for value in range(size) if value != here[at]]
    for place in range(len(moves) - 1, 0, -1):
        other = int(rng.integers(place + 1))
        moves[place], moves[other] = moves[other], moves[place]
    genomes: list[Genome] = []
    for at, value in moves:
        genome = (*here[:at], value, *here[at + 1 :])
        if problem.valid(genome):
            genomes.append(genome)
        if len(genomes) == most:
            break
    return genomes


def _find_changes(here: Genome, other: Genome) -> tuple[int, ...]:
    return tuple(at for at, (a, b) in enumerate(zip(here, other, strict=True)) if a != b)
