"""What a strategy is: a generator that yields generations, and is sent the times of their candidates."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from heddle.tuning.genes.space import Genome

Origin = Literal["given", "random", "elite", "crossover", "copy", "neighbour", "point"]
Times = Sequence[float | None]
"""One for each candidate of a generation; None for one that could not be measured."""

TRIES = 1000


@dataclass(frozen=True, slots=True)
class Proposed:
    """A candidate before it is measured. ``parents`` are numbers of candidates of the generation before, each gene from
    the one that ``sources`` says; ``mutated`` are the places of genes that were drawn anew after that."""

    genome: Genome
    origin: Origin
    parents: tuple[int, ...] = ()
    sources: tuple[int, ...] = ()
    mutated: tuple[int, ...] = ()


Generation = tuple[Proposed, ...]
Search = Generator[Generation, Times, None]


class Random(Protocol):
    """What is asked of a source of chance: ``numpy.random.Generator`` is one."""

    def random(self) -> float:
        """From 0 inclusive to 1 exclusive."""
        ...

    def integers(self, high: int, /) -> int:
        """From 0 to ``high`` exclusive."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """``sizes`` has the number of values of each gene; ``valid`` says whether a genome may be measured; ``starts`` come
    first."""

    sizes: tuple[int, ...]
    valid: Callable[[Genome], bool]
    starts: tuple[Genome, ...] = ()

    def draw(self, rng: Random) -> Genome:
        return tuple(int(rng.integers(size)) for size in self.sizes)

    def drawn_valid(self, rng: Random, tries: int = TRIES) -> Genome | None:
        """A valid genome, all genes drawn; None where ``tries`` gave none."""
        for _ in range(tries):
            genome = self.draw(rng)
            if self.valid(genome):
                return genome
        return None
