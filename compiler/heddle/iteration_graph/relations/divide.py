"""``divide(i, i0, i1, n)``: ``n`` equal parts, ``t = ⌈i_size / n⌉`` and ``i = i_min + i0 * t + i1``
(docs/sources.toml T25)."""

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
class DivideRelation(Relation):
    """Unlike a split, the parts start where the range of ``parent`` starts, so that positions divide evenly."""

    command: int = field()
    parent: str
    outer: str
    inner: str
    count: int
    kind: str = "divide"

    @property
    def parents(self) -> tuple[str, ...]:
        return (self.parent,)

    @property
    def children(self) -> tuple[str, ...]:
        return (self.outer, self.inner)

    def _size(self, environment: Environment) -> Expr:
        """The length of a part."""
        whole = environment.domain(self.parent)
        return build.ceil_divide(build.sub(whole.upper, whole.lower), build.index(self.count))

    def constant_size(self, child: str) -> tuple[str, ...] | None:
        return () if child == self.outer else (self.parent,)

    def derives(self, child: str) -> bool:
        return True

    def domain(self, child: str, environment: Environment) -> Range:
        upper = self._size(environment) if child == self.inner else build.index(self.count)
        return Range(build.index(0), upper)

    def recover(self, environment: Environment) -> None:
        start = build.mul(environment.value(self.outer), self._size(environment))
        start = build.add(environment.domain(self.parent).lower, start)
        environment.bind(self.parent, build.add(start, environment.value(self.inner)), Role.RECOVERY)
        environment.guard(self.parent)

    def derive(self, child: str, environment: Environment) -> Expr:
        offset = build.sub(environment.value(self.parent), environment.domain(self.parent).lower)
        if child == self.outer:
            return build.floor_divide(offset, self._size(environment))
        return build.sub(offset, build.mul(environment.value(self.outer), self._size(environment)))

    def hull(self, parent: str, children: dict[str, Range], environment: Environment) -> Range:
        size, outer, inner = self._size(environment), children[self.outer], children[self.inner]
        start = environment.domain(self.parent).lower
        first = build.add(build.add(start, build.mul(outer.lower, size)), inner.lower)
        last = build.add(start, build.mul(build.sub(outer.upper, build.index(1)), size))
        return Range(first, build.add(last, inner.upper))

    def is_window(self, known: set[str]) -> str | None:
        return self.inner if self.outer in known else None

    def rename(self, names: Mapping[str, str]) -> Self:
        return replace(
            self,
            parent=names.get(self.parent, self.parent),
            outer=names.get(self.outer, self.outer),
            inner=names.get(self.inner, self.inner),
        )

    def bounds_text(self) -> list[str]:
        i = self.parent
        return [f"{self.outer} ∈ [0, {self.count})", f"{self.inner} ∈ [0, ⌈({i}_max − {i}_min) / {self.count}⌉)"]

    def recovery_text(self) -> list[str]:
        i = self.parent
        return [f"{i} = {i}_min + {self.outer} · ⌈({i}_max − {i}_min) / {self.count}⌉ + {self.inner}"]

    def text(self) -> str:
        return f"divide({self.parent}, {self.outer}, {self.inner}, {self.count})"
