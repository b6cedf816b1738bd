"""What ``hd.legal`` lists for a plan is what a compile says: every offered command compiles, every other is refused."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import heddle as hd
from heddle.pipeline import lower
from heddle.plan import Plan
from heddle.schedule.legal import Candidate

TRIED = 4
"""Candidates of a plan that are compiled, of those that are offered and of the others."""


@dataclass(frozen=True, slots=True)
class Listed:
    """How many candidates were compiled."""

    offered: int = 0
    refused: int = 0


def check_listing(plan: Plan, seed: int, tried: int = TRIED) -> Listed:
    """Compiles ``tried`` candidates of either kind that are listed for ``plan``, drawn by ``seed``.

    Raises
    ------
    AssertionError
        one is offered that the compile refuses, refused that compiles, or said to change nothing where the compile does
        not warn of it.
    """
    result = lower(plan)
    candidates = [candidate for command in hd.legal(result) for candidate in command.candidates]
    rng = random.Random(f"listing of {seed}")
    offered = _sample(rng, [candidate for candidate in candidates if candidate.why_not is None], tried)
    refused = _sample(rng, [candidate for candidate in candidates if candidate.why_not is not None], tried)
    before = result.plan.schedule[: max(0, len(result.graphs) - 1)]
    for candidate in (*offered, *refused):
        _check(replace(plan, schedule=(*before, candidate.text)), candidate)
    return Listed(len(offered), len(refused))


def _sample(rng: random.Random, candidates: list[Candidate], most: int) -> list[Candidate]:
    return rng.sample(candidates, min(most, len(candidates)))


def _check(plan: Plan, candidate: Candidate) -> None:
    result = lower(plan)
    said = candidate.why_not
    if said is None:
        assert result.ok, f"offered, but refused: {result.diagnostics[0].message}\n{plan}"
        warnings = {diagnostic.code for diagnostic in result.diagnostics}
        assert candidate.remark is None or candidate.remark.code in warnings, f"no such warning\n{plan}"
        return
    assert not result.ok, f"refused ({said.message}), but it compiles\n{plan}"
