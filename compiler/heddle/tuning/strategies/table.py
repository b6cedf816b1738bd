"""All strategies, by the name that plans of searches and the shell give them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from heddle.diagnostics import CompileError, Diagnostic
from heddle.tuning.strategies.genetic import Parameters, genetic
from heddle.tuning.strategies.others import at_random, downhill, exhaustive, propose_starts
from heddle.tuning.strategies.strategy import Problem, Random, Search


@dataclass(frozen=True, slots=True)
class Strategy:
    """``start`` begins a search with the parameters of a genetic one, of which others use the population alone."""

    name: str
    title: str
    start: Callable[[Problem, Random, Parameters], Search]


STRATEGIES = (
    Strategy(
        "genetic",
        "Genetic, as the paper describes it",
        lambda problem, rng, parameters: genetic(problem, rng, replace(parameters, variant="paper")),
    ),
    Strategy(
        "genetic-code",
        "Genetic, as its published code does it",
        lambda problem, rng, parameters: genetic(problem, rng, replace(parameters, variant="code")),
    ),
    Strategy("random", "At random", lambda problem, rng, parameters: at_random(problem, rng, parameters.population)),
    Strategy(
        "hill",
        "Hill climbing with restarts",
        lambda problem, rng, parameters: downhill(problem, rng, parameters.population),
    ),
    Strategy(
        "exhaustive", "Every point", lambda problem, rng, parameters: exhaustive(problem, rng, parameters.population)
    ),
    Strategy("rules", "Only the rules' schedules", lambda problem, rng, parameters: propose_starts(problem, rng, 0)),
)
NAMES = tuple(strategy.name for strategy in STRATEGIES)


def strategy_named(name: str) -> Strategy:
    """Raises CompileError: ``tune/strategy``."""
    for strategy in STRATEGIES:
        if strategy.name == name:
            return strategy
    raise CompileError(
        Diagnostic(
            "tune/strategy",
            f"There is no strategy {name!r}. The strategies are {', '.join(NAMES)}.",
            expected=", ".join(NAMES),
            actual=name,
            candidates=NAMES,
        )
    )
