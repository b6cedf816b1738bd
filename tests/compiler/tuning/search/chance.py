"""Chance as a script, and problems without a compiler."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heddle.tuning.genes.space import Genome
from heddle.tuning.strategies.strategy import Problem


class Scripted:
    """Answers with these numbers in this order: floats for ``random``, integers for ``integers``."""

    def __init__(self, *draws: float) -> None:
        self.draws = list(draws)

    def random(self) -> float:
        drawn = self.draws.pop(0)
        assert isinstance(drawn, float), drawn
        return drawn

    def integers(self, high: int, /) -> int:
        drawn = self.draws.pop(0)
        assert isinstance(drawn, int), drawn
        assert 0 <= drawn < high
        return drawn


def problem(
    sizes: Sequence[int], given: Sequence[Genome] = (), valid: Callable[[Genome], bool] = lambda genome: True
) -> Problem:
    return Problem(tuple(sizes), valid, tuple(given))
