"""``share(i0, A[*])``: the outermost loops of several statements, over the same range, are one loop ``i0``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from heddle.formats.levels.level import Range
from heddle.iteration_graph.graph.environment import Environment
from heddle.iteration_graph.graph.relation import Relation
from heddle.loop_ir.nodes import Expr
from heddle.origin import Role


@dataclass(frozen=True, slots=True)
class ShareRelation(Relation):
    """Each of ``parents`` is the number ``shared``, in its own statement."""

    command: int = field()
    parents: tuple[str, ...] = field()
    shared: str
    kind: str = "share"

    @property
    def children(self) -> tuple[str, ...]:
        return (self.shared,)

    @property
    def of_statements(self) -> bool:
        return True

    def constant_size(self, child: str) -> tuple[str, ...] | None:
        return self.parents

    def domain(self, child: str, environment: Environment) -> Range:
        return environment.domain(self.parents[0])

    def recover(self, environment: Environment) -> None:
        for parent in self.parents:
            environment.bind(parent, environment.value(self.shared), Role.RECOVERY)

    def derive(self, child: str, environment: Environment) -> Expr:
        raise NotImplementedError("the shared loop is outermost: nothing is known before it")

    def hull(self, parent: str, children: dict[str, Range], environment: Environment) -> Range:
        return children[self.shared]

    def is_window(self, known: set[str]) -> str | None:
        return self.shared

    def rename(self, names: Mapping[str, str]) -> Self:
        parents = tuple(names.get(parent, parent) for parent in self.parents)
        return replace(self, parents=parents, shared=names.get(self.shared, self.shared))

    def bounds_text(self) -> list[str]:
        return [f"{self.shared} ∈ [{self.parents[0]}_min, {self.parents[0]}_max)"]

    def recovery_text(self) -> list[str]:
        return [f"{parent} = {self.shared}" for parent in self.parents]

    def text(self) -> str:
        return f"share({self.shared}; {', '.join(self.parents)})"
