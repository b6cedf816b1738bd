"""``split(i, i0, i1, s)``: ``i = i0 * s + i1`` with ``i1 ∈ [0, s)`` (docs/sources.toml T24)."""

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
class SplitRelation(Relation):
    command: int | None = field()
    parent: str
    outer: str
    inner: str
    size: int
    kind: str = "split"

    @property
    def parents(self) -> tuple[str, ...]:
        return (self.parent,)

    @property
    def children(self) -> tuple[str, ...]:
        return (self.outer, self.inner)

    def constant_size(self, child: str) -> tuple[str, ...] | None:
        return () if child == self.inner else (self.parent,)

    def derives(self, child: str) -> bool:
        return True

    def domain(self, child: str, environment: Environment) -> Range:
        size = build.index(self.size)
        if child == self.inner:
            return Range(build.index(0), size)
        whole = environment.domain(self.parent)
        return Range(build.floor_divide(whole.lower, size), build.ceil_divide(whole.upper, size))

    def recover(self, environment: Environment) -> None:
        outer = build.mul(environment.value(self.outer), build.index(self.size))
        environment.bind(self.parent, build.add(outer, environment.value(self.inner)), Role.RECOVERY)
        whole = environment.domain(self.parent)
        lower, upper = build.constant(whole.lower), build.constant(whole.upper)
        if lower is None or upper is None or lower % self.size or upper % self.size:
            environment.guard(self.parent)

    def derive(self, child: str, environment: Environment) -> Expr:
        parent, size = environment.value(self.parent), build.index(self.size)
        if child == self.outer:
            return build.floor_divide(parent, size)
        return build.sub(parent, build.mul(environment.value(self.outer), size))

    def hull(self, parent: str, children: dict[str, Range], environment: Environment) -> Range:
        size, outer, inner = build.index(self.size), children[self.outer], children[self.inner]
        last = build.mul(build.sub(outer.upper, build.index(1)), size)
        return Range(build.add(build.mul(outer.lower, size), inner.lower), build.add(last, inner.upper))

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
        i, s = self.parent, self.size
        return [f"{self.outer} ∈ [⌊{i}_min / {s}⌋, ⌈{i}_max / {s}⌉)", f"{self.inner} ∈ [0, {s})"]

    def recovery_text(self) -> list[str]:
        return [f"{self.parent} = {self.outer} · {self.size} + {self.inner}"]

    def text(self) -> str:
        return f"split({self.parent}, {self.outer}, {self.inner}, {self.size})"
