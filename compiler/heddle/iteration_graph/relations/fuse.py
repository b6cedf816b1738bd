"""``fuse(i, j, f)``: ``f = i * j_size + j``; the order of iteration stays (docs/sources.toml T23)."""

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
class FuseRelation(Relation):
    command: int = field()
    outer: str
    inner: str
    fused: str
    kind: str = "fuse"

    @property
    def parents(self) -> tuple[str, ...]:
        return (self.outer, self.inner)

    @property
    def children(self) -> tuple[str, ...]:
        return (self.fused,)

    @property
    def monotone(self) -> bool:
        return False  # the inner parent starts over for each value of the outer one

    def constant_size(self, child: str) -> tuple[str, ...] | None:
        return self.parents

    def derives(self, child: str) -> bool:
        return True

    def domain(self, child: str, environment: Environment) -> Range:
        # Senanayake et al. 2020 print i_max * j_size + j_max for the end, which overshoots by one row.
        outer, inner = environment.domain(self.outer), environment.domain(self.inner)
        size, unit = inner.upper, build.index(1)
        last = build.index(0) if outer.upper == unit else build.mul(build.sub(outer.upper, unit), size)
        upper = (
            build.mul(outer.upper, size)  # the same number, in its simple form, and right for an empty outer range
            if inner.lower == build.index(0)
            else build.add(last, inner.upper)
        )
        return Range(build.add(build.mul(outer.lower, size), inner.lower), upper)

    def recover(self, environment: Environment) -> None:
        fused, size = environment.value(self.fused), environment.domain(self.inner).upper
        environment.bind(self.outer, build.floor_divide(fused, size), Role.RECOVERY)
        environment.bind(self.inner, build.modulo(fused, size), Role.RECOVERY)

    def derive(self, child: str, environment: Environment) -> Expr:
        size = environment.domain(self.inner).upper
        return build.add(build.mul(environment.value(self.outer), size), environment.value(self.inner))

    def hull(self, parent: str, children: dict[str, Range], environment: Environment) -> Range:
        return environment.domain(parent)

    def is_window(self, known: set[str]) -> str | None:
        return None

    def rename(self, names: Mapping[str, str]) -> Self:
        return replace(
            self,
            outer=names.get(self.outer, self.outer),
            inner=names.get(self.inner, self.inner),
            fused=names.get(self.fused, self.fused),
        )

    def bounds_text(self) -> list[str]:
        i, j = self.outer, self.inner
        return [f"{self.fused} ∈ [{i}_min · {j}_size + {j}_min, ({i}_max − 1) · {j}_size + {j}_max)"]

    def recovery_text(self) -> list[str]:
        return [
            f"{self.outer} = ⌊{self.fused} / {self.inner}_size⌋",
            f"{self.inner} = {self.fused} mod {self.inner}_size",
        ]

    def text(self) -> str:
        return f"fuse({self.outer}, {self.inner}, {self.fused})"
