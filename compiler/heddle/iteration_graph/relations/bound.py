"""``bound(i, ib, b, type)``: a claim about the range of ``i`` that puts a constant into the code
(docs/sources.toml T30).

The claim is checked at the kernel's entry: a kernel whose operands break it stops before it computes anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from heddle.formats.levels.level import Range
from heddle.iteration_graph.graph.environment import Environment
from heddle.iteration_graph.graph.relation import Claim, Relation
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr
from heddle.origin import Role

BOUND_TYPES = ("MinExact", "MinConstraint", "MaxExact", "MaxConstraint")


@dataclass(frozen=True, slots=True)
class BoundRelation(Relation):
    """Exact: the range ends at ``bound``. Constraint: it ends there at the latest (starts there at the earliest)."""

    command: int = field()
    parent: str
    bounded: str
    bound: int
    type: str
    kind: str = "bound"

    @property
    def parents(self) -> tuple[str, ...]:
        return (self.parent,)

    @property
    def children(self) -> tuple[str, ...]:
        return (self.bounded,)

    def derives(self, child: str) -> bool:
        return True

    def domain(self, child: str, environment: Environment) -> Range:
        whole, bound = environment.domain(self.parent), build.index(self.bound)
        return Range(bound, whole.upper) if self.type.startswith("Min") else Range(whole.lower, bound)

    def claim(self, environment: Environment) -> Claim | None:
        whole, bound = environment.domain(self.parent), build.index(self.bound)
        end = whole.lower if self.type.startswith("Min") else whole.upper
        operator = "==" if self.type.endswith("Exact") else ">=" if self.type == "MinConstraint" else "<="
        return Claim(build.compare(operator, end, bound), self._claim_text())

    def recover(self, environment: Environment) -> None:
        environment.bind(self.parent, environment.value(self.bounded), Role.RECOVERY)
        if self.type.endswith("Constraint"):
            environment.guard(self.parent)

    def derive(self, child: str, environment: Environment) -> Expr:
        return environment.value(self.parent)

    def hull(self, parent: str, children: dict[str, Range], environment: Environment) -> Range:
        return children[self.bounded]

    def is_window(self, known: set[str]) -> str | None:
        return self.bounded

    def rename(self, names: Mapping[str, str]) -> Self:
        return replace(self, parent=names.get(self.parent, self.parent), bounded=names.get(self.bounded, self.bounded))

    def bounds_text(self) -> list[str]:
        i, b = self.parent, self.bound
        low, high = (str(b), f"{i}_max") if self.type.startswith("Min") else (f"{i}_min", str(b))
        return [f"{self.bounded} ∈ [{low}, {high})"]

    def recovery_text(self) -> list[str]:
        return [f"{self.parent} = {self.bounded}"]

    def _claim_text(self) -> str:
        """The claim in words, for the message of a kernel that refuses."""
        end = "start" if self.type.startswith("Min") else "end"
        how = "at" if self.type.endswith("Exact") else "no earlier than" if end == "start" else "no later than"
        claim = f"{self.text()} claims that {self.parent} {end}s {how} {self.bound}"
        return f"{claim}, which does not hold for these operands. Correct the bound or remove it."

    def text(self) -> str:
        return f"bound({self.parent}, {self.bounded}, {self.bound}, {self.type})"
