"""``balance(i, i0, i1, A, n)``: ``n`` ranges of whole rows with about as many entries of A each.

Range ``i0`` begins at the first row before which ``i0 · nnz / n`` entries lie: one binary search in ``pos``.
``i1`` runs over the rows themselves, so that ``i = i1``. With ``weights`` B, an entry ``A(i,k)`` counts as often as row
``k`` of B has entries: the products of A and B, which are summed up before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from heddle.formats.levels.level import Range
from heddle.iteration_graph.graph.constraining_relation import ConstrainingRelation
from heddle.iteration_graph.graph.environment import Environment
from heddle.iteration_graph.graph.gpu_units import uses_gpu
from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.positions import renamed_access
from heddle.iteration_graph.graph.provenance import all_paths, leaves
from heddle.iteration_graph.graph.refusal import Refusal
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Array, Expr
from heddle.notation.nodes import Access
from heddle.origin import Role


@dataclass(frozen=True, slots=True)
class BalanceRelation(ConstrainingRelation):
    """The first level of ``access`` is dense or sorted and belongs to ``parent``; its second has a ``pos`` array."""

    command: int = field()
    parent: str
    outer: str
    inner: str
    access: Access
    count: int
    weights: Access | None = None
    kind: str = "balance"

    @property
    def parents(self) -> tuple[str, ...]:
        return (self.parent,)

    @property
    def children(self) -> tuple[str, ...]:
        return (self.outer, self.inner)

    @property
    def uneven(self) -> str:
        return self.inner

    def derives(self, child: str) -> bool:
        return child == self.inner

    def domain(self, child: str, environment: Environment) -> Range:
        if child == self.outer:
            return Range(build.index(0), build.index(self.count))
        return environment.ranges(self.inner, lambda: [self._rows(environment)])[0]

    def _rows(self, environment: Environment) -> Range:
        size, number = environment.domain(self.parent).upper, environment.value(self.outer)
        following = build.add(number, build.index(1))
        pos, every = self._sums(environment), Range(build.index(0), size)
        begin = environment.search(f"{self.inner}_begin", pos, every, self._entries(environment, number), 2)
        # One entry more than there are: no row begins after it, so that the last range takes empty rows at the end.
        past = build.floor_divide(following, build.index(self.count))
        entries = build.add(self._entries(environment, following), past)
        end = environment.search(f"{self.inner}_end", pos, Range(begin, size), entries, 2)
        return Range(begin, end)

    def _sums(self, environment: Environment) -> Array:
        """The number of entries, or of products, before each row."""
        if self.weights is not None:
            return environment.products(self.access, self.weights)
        pos = environment.storage(self.access, 2).pos
        assert pos is not None
        return pos

    def _entries(self, environment: Environment, number: Expr) -> Expr:
        """How many entries the ranges before ``number`` should have."""
        total = build.load(self._sums(environment), environment.domain(self.parent).upper)
        return build.floor_divide(build.mul(number, total), build.index(self.count))

    def recover(self, environment: Environment) -> None:
        environment.bind(self.parent, environment.value(self.inner), Role.RECOVERY)

    def derive(self, child: str, environment: Environment) -> Expr:
        if child == self.inner:
            return environment.value(self.parent)
        raise NotImplementedError("the range that a row lies in is known from the loop around it")

    def hull(self, parent: str, children: dict[str, Range], environment: Environment) -> Range:
        return children[self.inner]

    def is_window(self, known: set[str]) -> str | None:
        return self.inner if self.outer in known else None

    def check(self, graph: IterationGraph) -> None:
        """Which rows a part has is known only inside the loop over parts."""
        parts, rows = leaves(graph, self.outer), leaves(graph, self.inner)
        if self.weights is not None and uses_gpu(graph):
            raise Refusal(
                "schedule/weights-on-gpu",
                f"{self.text()} counts products before the loops, on the CPU, but a loop runs on a GPU. Leave "
                f"{self.weights.tensor} out: parts then have equally many entries of {self.access.tensor}.",
                expected="loops on a CPU",
                actual="a loop on a GPU",
            )
        for path in all_paths(graph):
            if not set(rows) & set(path):
                continue
            begun = min(path.index(leaf) for leaf in rows if leaf in path)
            late = [leaf for leaf in parts if leaf not in path[:begun]]
            if not late:
                continue
            part, row, fused = late[0], path[begun], ""
            if part == row:
                fused = f"{row} stands for {self.outer} and {self.inner} at once, but "
                part, row = self.outer, self.inner
            raise Refusal(
                "schedule/balance-order",
                f"{fused}which rows {row} visits depends on {part}, the part that they belong to. "
                f"Keep {part} outside {row}.",
                expected=f"{part} outside {row}",
                actual=" → ".join(path),
            )

    def check_workspace(self, graph: IterationGraph, moved: Sequence[str], dimensions: Sequence[str]) -> None:
        """Each part has its own number of rows: a workspace cannot have the parts and their rows as dimensions."""
        parts, rows = ([loop for loop in dimensions if loop in leaves(graph, variable)] for variable in self.children)
        if parts and rows:
            raise Refusal(
                "schedule/precompute-balanced",
                f"{rows[0]} visits the rows of a part that {self.text()} made, and their number differs from one "
                f"{parts[0]} to the next: a workspace over both has no size. Keep {parts[0]} outside.",
                argument="variables",
                expected=f"loops below {parts[0]}",
                actual=parts[0],
            )

    def rename(self, names: Mapping[str, str]) -> Self:
        parent, outer, inner = (names.get(variable, variable) for variable in (self.parent, *self.children))
        access = renamed_access(self.access, names)
        weights = None if self.weights is None else renamed_access(self.weights, names)
        return replace(self, parent=parent, outer=outer, inner=inner, access=access, weights=weights)

    def bounds_text(self) -> list[str]:
        i, name, n = self.parent, self.access.tensor, self.count
        what, total = ("entry", "nnz") if self.weights is None else (f"product with {self.weights.tensor}", "products")
        first, last = (f"{what} {number} · {total} / {n}" for number in (self.outer, f"({self.outer} + 1)"))
        return [
            f"{self.outer} ∈ [0, {n})",
            f"{self.inner} ∈ rows of {name} from {first} up to {last}, {i} ∈ [0, {i}_max)",
        ]

    def recovery_text(self) -> list[str]:
        return [f"{self.parent} = {self.inner}"]

    def text(self) -> str:
        weights = "" if self.weights is None else f", {self.weights.tensor}"
        return f"balance({self.parent}, {self.outer}, {self.inner}, {self.access.tensor}, {self.count}{weights})"
