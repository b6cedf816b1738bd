"""Spaces of genes: a genome has the number of a value for each gene, and means one plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from heddle.diagnostics import Severity
from heddle.pipeline import lower
from heddle.plan import Plan, plan_hash

Genome = tuple[int, ...]
Value = str | int

MOST_REMEMBERED = 20_000
"""Plans of which a space remembers whether they compile."""


@dataclass(frozen=True, slots=True)
class Gene:
    """``values`` are what it may be, the one that changes nothing first. ``meaning`` says it to a person."""

    name: str
    values: tuple[Value, ...]
    meaning: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a plan does not compile: the code of the diagnostic, for counting, and its message."""

    code: str
    message: str


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """``build`` makes the plan of a choice, by name of gene, always the same one. ``starts`` are genomes to begin with:
    the rules' schedules and the loops as they come."""

    genes: tuple[Gene, ...]
    build: Callable[[Mapping[str, Value]], Plan]
    starts: tuple[Genome, ...] = ()
    _refused: dict[str, Refused | None] = field(default_factory=dict)

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(len(gene.values) for gene in self.genes)

    @property
    def points(self) -> int:
        """Genomes in all, those that mean the same plan counted each."""
        return prod(self.sizes)

    def choice(self, genome: Sequence[int]) -> dict[str, Value]:
        return {gene.name: gene.values[number] for gene, number in zip(self.genes, genome, strict=True)}

    def genome(self, choice: Mapping[str, Value]) -> Genome:
        """The genome of a choice; genes that it does not name have their first value."""
        return tuple(
            gene.values.index(choice[gene.name]) if choice.get(gene.name) in gene.values else 0 for gene in self.genes
        )

    def plan(self, genome: Sequence[int]) -> Plan:
        return self.build(self.choice(genome))

    def refusal(self, genome: Sequence[int]) -> Refused | None:
        """Why the plan of ``genome`` does not compile; None where it does."""
        plan = self.plan(genome)
        name = plan_hash(plan)
        if name not in self._refused:
            if len(self._refused) >= MOST_REMEMBERED:
                self._refused.clear()
            self._refused[name] = _find_refusal(plan)
        return self._refused[name]


def _find_refusal(plan: Plan) -> Refused | None:
    result = lower(plan)
    if result.ok:
        return None
    first = next(diagnostic for diagnostic in result.diagnostics if diagnostic.severity is Severity.ERROR)
    return Refused(first.code, first.message)
