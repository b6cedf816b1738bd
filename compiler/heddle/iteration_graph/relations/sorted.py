"""The rows of a format that sorts them: ``i = rows[place]`` (Kreutzer et al. 2014, SELL-C-σ).

The tensor stores its rows by their places, which a block relation cuts. Each row has one place, and each place one row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from heddle.formats.levels.level import Range
from heddle.iteration_graph.graph.environment import Environment
from heddle.iteration_graph.graph.positions import renamed_access
from heddle.iteration_graph.graph.relation import Relation
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr
from heddle.notation.nodes import Access
from heddle.origin import Role


@dataclass(frozen=True, slots=True)
class SortedRelation(Relation):
    """``access`` reads the tensor whose first level is sorted. No command made the relation."""

    parent: str
    place: str
    access: Access
    command: int | None = None
    kind: str = "sorted"

    @property
    def parents(self) -> tuple[str, ...]:
        return (self.parent,)

    @property
    def children(self) -> tuple[str, ...]:
        return (self.place,)

    @property
    def monotone(self) -> bool:
        return False

    @property
    def ascending(self) -> bool:
        return False

    def domain(self, child: str, environment: Environment) -> Range:
        return environment.domain(self.parent)

    def recover(self, environment: Environment) -> None:
        rows = environment.storage(self.access, 1).extra[0]
        row = build.load(rows, environment.value(self.place), (self.place,))
        environment.bind(self.parent, row, Role.RECOVERY)

    def derive(self, child: str, environment: Environment) -> Expr:
        raise NotImplementedError("a place is walked, never derived from a row that is already known")

    def hull(self, parent: str, children: dict[str, Range], environment: Environment) -> Range:
        return environment.domain(parent)

    def is_window(self, known: set[str]) -> str | None:
        return None

    def rename(self, names: Mapping[str, str]) -> Self:
        return replace(
            self,
            parent=names.get(self.parent, self.parent),
            place=names.get(self.place, self.place),
            access=renamed_access(self.access, names),
        )

    def bounds_text(self) -> list[str]:
        return [f"{self.place} ∈ [{self.parent}_min, {self.parent}_max)"]

    def recovery_text(self) -> list[str]:
        return [f"{self.parent} = {self.access.tensor}1.rows[{self.place}]"]

    def text(self) -> str:
        return f"sorted rows of {self.access.tensor}: {self.place} is the place of {self.parent}"
