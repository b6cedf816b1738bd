"""The parts of a format: ``i = i_part * ⌈m / n⌉ + i_in``, or ``i = starts[i_part] + i_in`` where they have about as
many entries each. Made by the format of a tensor, which stores the two by levels of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from heddle.formats.format import Cut
from heddle.formats.levels.level import Range
from heddle.iteration_graph.graph.constraining_relation import ConstrainingRelation
from heddle.iteration_graph.graph.environment import Environment
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.positions import renamed_access
from heddle.iteration_graph.graph.provenance import all_paths, has_constant_range, leaves
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.iteration_graph.graph.relation import Block
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Array, Expr
from heddle.notation.nodes import Access
from heddle.origin import Role


@dataclass(frozen=True, slots=True)
class PartsRelation(ConstrainingRelation):
    """``access`` reads a tensor whose level ``cut.number`` (from 0) has the parts; ``tensors`` are all whose formats
    cut the variable so."""

    parent: str
    outer: str
    inner: str
    cut: Cut
    access: Access
    tensors: tuple[str, ...]
    command: int | None = None
    kind: str = "parts"

    @classmethod
    def of(cls, block: Block) -> PartsRelation:
        return cls(block.whole, block.outer, block.inner, block.cut, block.access, block.tensors)

    @property
    def block(self) -> Block:
        return Block(self.parent, self.outer, self.inner, self.cut, self.access, self.tensors)

    @property
    def parents(self) -> tuple[str, ...]:
        return (self.parent,)

    @property
    def children(self) -> tuple[str, ...]:
        return (self.outer, self.inner)

    @property
    def uneven(self) -> str | None:
        return self.inner if self.cut.even else None

    @property
    def count(self) -> int:
        assert self.cut.parts is not None
        return self.cut.parts

    def constant_size(self, child: str) -> tuple[str, ...] | None:
        return () if child == self.outer else None if self.cut.even else (self.parent,)

    def derives(self, child: str) -> bool:
        return True

    def domain(self, child: str, environment: Environment) -> Range:
        if child == self.outer:
            return Range(build.index(0), build.index(self.count))
        if not self.cut.even:
            return Range(build.index(0), self._length(environment))
        return environment.ranges(self.inner, lambda: [self._inside(environment)])[0]

    def _inside(self, environment: Environment) -> Range:
        part = environment.value(self.outer)
        first = self._start(environment, part)
        length = build.sub(self._start(environment, build.add(part, build.index(1))), first)
        return Range(build.index(0), environment.declare_bound(f"{self.inner}_end", length, self.inner))

    def _length(self, environment: Environment) -> Expr:
        """How many coordinates an equal part has."""
        return build.ceil_divide(environment.domain(self.parent).upper, build.index(self.count))

    def _starts(self, environment: Environment) -> Array:
        return environment.storage(self.access, self.cut.number + 1).extra[0]

    def _start(self, environment: Environment, part: Expr) -> Expr:
        """The first coordinate of a part."""
        if self.cut.even:
            return build.load(self._starts(environment), part, (self.outer,))
        return build.mul(part, self._length(environment))

    def recover(self, environment: Environment) -> None:
        start = self._start(environment, environment.value(self.outer))
        environment.bind(self.parent, build.add(start, environment.value(self.inner)), Role.RECOVERY)
        if not self.cut.even:  # the last of equal parts may be cut; those of unequal length end where the next begins
            environment.guard(self.parent)

    def derive(self, child: str, environment: Environment) -> Expr:
        whole = environment.value(self.parent)
        if child == self.inner:
            return build.sub(whole, self._start(environment, environment.value(self.outer)))
        if not self.cut.even:
            return build.floor_divide(whole, self._length(environment))
        starts, level = self._starts(environment), self.cut.number + 1
        among, following = Range(build.index(0), build.index(self.count)), build.add(whole, build.index(1))
        return build.sub(environment.search(f"{self.outer}_end", starts, among, following, level), build.index(1))

    def hull(self, parent: str, children: dict[str, Range], environment: Environment) -> Range:
        outer, inner = children[self.outer], children[self.inner]
        last = self._start(environment, build.sub(outer.upper, build.index(1)))
        return Range(
            build.add(self._start(environment, outer.lower), inner.lower),
            build.add(last, inner.upper),
        )

    def is_window(self, known: set[str]) -> str | None:
        return self.inner if self.outer in known else None

    def check(self, graph: IterationGraph) -> None:
        """How many coordinates a part has is known only inside the loop over parts."""
        if not self.cut.even:
            return
        parts = leaves(graph, self.outer)
        inside = [
            loop for loop in leaves(graph, self.inner) if loop not in parts and not has_constant_range(graph, loop)
        ]
        for path in all_paths(graph):
            for loop in path:
                late = [part for part in parts if part not in path[: path.index(loop)]]
                if loop in inside and late:
                    raise Refusal(
                        "schedule/parts-order",
                        f"{loop} visits the coordinates of one part of {self.tensors[0]}, and their number differs "
                        f"from one {late[0]} to the next. Keep {late[0]} outside {loop}.",
                        expected=f"{late[0]} outside {loop}",
                        actual=" → ".join(path),
                    )

    def check_workspace(self, graph: IterationGraph, moved: Sequence[str], dimensions: Sequence[str]) -> None:
        """Each part has its own number of coordinates: a workspace cannot have the parts and these as dimensions."""
        if not self.cut.even:
            return
        parts = [loop for loop in (*dimensions, *moved) if loop in leaves(graph, self.outer)]
        inner_loops = [loop for loop in dimensions if loop in leaves(graph, self.inner)]
        inside = [loop for loop in inner_loops if not has_constant_range(graph, loop)]
        if parts and inside:
            raise Refusal(
                "schedule/precompute-parts",
                f"{inside[0]} visits the coordinates of one part of {self.tensors[0]}, and their number differs from "
                f"one {parts[0]} to the next: a workspace over them has no size. Keep {parts[0]} outside.",
                argument="variables",
                expected=f"loops below {parts[0]}",
                actual=parts[0],
            )

    def rename(self, names: Mapping[str, str]) -> Self:
        parent, outer, inner = (names.get(variable, variable) for variable in (self.parent, *self.children))
        return replace(self, parent=parent, outer=outer, inner=inner, access=renamed_access(self.access, names))

    def bounds_text(self) -> list[str]:
        length = f"{self._array()}[{self.outer} + 1] − {self._array()}[{self.outer}]" if self.cut.even else self._each()
        return [f"{self.outer} ∈ [0, {self.count})", f"{self.inner} ∈ [0, {length})"]

    def recovery_text(self) -> list[str]:
        start = f"{self._array()}[{self.outer}]" if self.cut.even else f"{self.outer} · {self._each()}"
        return [f"{self.parent} = {start} + {self.inner}"]

    def _each(self) -> str:
        return f"⌈{self.parent}_max / {self.count}⌉"

    def _array(self) -> str:
        return f"{self.access.tensor}{self.cut.number + 1}.starts"

    def text(self) -> str:
        what = f"{self.count} parts with equally many entries" if self.cut.even else f"{self.count} equal parts"
        return f"{what}: {self.parent} into {self.outer}, {self.inner} ({', '.join(self.tensors)})"
