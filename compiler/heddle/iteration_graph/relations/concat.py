"""``concat(t, A[*])``: the outermost loops of several statements one after the other, as one loop over ``t``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from heddle.formats.levels.level import Range
from heddle.iteration_graph.graph.environment import Environment
from heddle.iteration_graph.graph.relation import Relation
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr
from heddle.origin import Role


@dataclass(frozen=True, slots=True)
class ConcatRelation(Relation):
    """``whole`` runs over the range of the first parent, then over that of the second, and so on. In each of its
    iterations one parent is known, in the statement of that parent."""

    command: int = field()
    parents: tuple[str, ...] = field()
    whole: str
    kind: str = "concat"

    @property
    def children(self) -> tuple[str, ...]:
        return (self.whole,)

    @property
    def of_statements(self) -> bool:
        return True

    @property
    def in_turn(self) -> bool:
        return True

    def _ranges(self, environment: Environment) -> list[Range]:
        """Where each parent's range lies in that of ``whole``."""
        return environment.ranges(self.whole, lambda: self._laid_out(environment))

    def _laid_out(self, environment: Environment) -> list[Range]:
        ranges: list[Range] = []
        start: Expr = build.index(0)
        for parent in self.parents:
            domain = environment.domain(parent)
            end = build.add(start, build.sub(domain.upper, domain.lower))
            end = environment.declare_bound(f"{self.whole}_{parent}_end", end, self.whole)
            ranges.append(Range(start, end))
            start = end
        return ranges

    def domain(self, child: str, environment: Environment) -> Range:
        return Range(build.index(0), self._ranges(environment)[-1].upper)

    def recover(self, environment: Environment) -> None:
        """Which parent it is stands in :meth:`case`."""

    def case(self, parent: str, environment: Environment) -> Range:
        ranges = self._ranges(environment)[self.parents.index(parent)]
        offset = build.sub(ranges.lower, environment.domain(parent).lower)
        environment.bind(parent, build.sub(environment.value(self.whole), offset), Role.RECOVERY)
        return ranges

    def derive(self, child: str, environment: Environment) -> Expr:
        raise NotImplementedError("the concatenated loop is outermost: nothing is known before it")

    def hull(self, parent: str, children: dict[str, Range], environment: Environment) -> Range:
        return environment.domain(parent)

    def is_window(self, known: set[str]) -> str | None:
        return self.whole

    def rename(self, names: Mapping[str, str]) -> Self:
        parents = tuple(names.get(parent, parent) for parent in self.parents)
        return replace(self, parents=parents, whole=names.get(self.whole, self.whole))

    def bounds_text(self) -> list[str]:
        sizes = " + ".join(f"({parent}_max − {parent}_min)" for parent in self.parents)
        return [f"{self.whole} ∈ [0, {sizes})"]

    def recovery_text(self) -> list[str]:
        texts, before = [], ""
        for parent in self.parents:
            texts.append(f"{parent} = {parent}_min + {self.whole}{before}, in its case")
            before += f" − ({parent}_max − {parent}_min)"
        return texts

    def text(self) -> str:
        return f"concat({self.whole}; {', '.join(self.parents)})"
