"""``balance(i, i0, i1, A, n)``: ``n`` ranges of whole rows with about as many entries of A each.

Range ``i0`` begins at the first row in front of which ``i0 · nnz / n`` entries lie: one binary search in ``pos``.
``i1`` runs over the rows themselves, so that ``i = i1``. With ``weights`` B, an entry ``A(i,k)`` counts as often as row
``k`` of B has entries: the products of A and B, which are summed up before.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.formats.levels.level import Range
from compiler.iteration_graph.relations.relation import Environment
from compiler.loop_ir import build
from compiler.loop_ir.nodes import Array, Expr
from compiler.notation.nodes import Access
from compiler.origin import Role


@dataclass(frozen=True, slots=True)
class BalanceRelation:
    """The first level of ``access`` is dense or sorted and belongs to ``parent``; its second has a ``pos`` array."""

    command: int
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

    def domain(self, child: str, environment: Environment) -> Range:
        if child == self.outer:
            return Range(build.index(0), build.index(self.count))
        return environment.ranges(self.inner, lambda: [self._rows(environment)])[0]

    def _rows(self, environment: Environment) -> Range:
        size, number = environment.domain(self.parent).upper, environment.value(self.outer)
        following = build.add(number, build.index(1))
        pos, every = self._sums(environment), Range(build.index(0), size)
        begin = environment.search(f"{self.inner}_begin", pos, every, self._entries(environment, number), 2)
        # One entry more than there are: no row begins behind it, so that the last range takes empty rows at the end.
        past = build.floor_divide(following, build.index(self.count))
        entries = build.add(self._entries(environment, following), past)
        end = environment.search(f"{self.inner}_end", pos, Range(begin, size), entries, 2)
        return Range(begin, end)

    def _sums(self, environment: Environment) -> Array:
        """The number of entries, or of products, in front of each row."""
        if self.weights is not None:
            return environment.products(self.access, self.weights)
        pos = environment.storage(self.access, 2).pos
        assert pos is not None
        return pos

    def _entries(self, environment: Environment, number: Expr) -> Expr:
        """How many entries the ranges in front of ``number`` should have."""
        total = build.load(self._sums(environment), environment.domain(self.parent).upper)
        return build.floor_divide(build.mul(number, total), build.index(self.count))

    def recover(self, environment: Environment) -> None:
        environment.bind(self.parent, environment.value(self.inner), Role.RECOVERY)

    def derived(self, child: str, environment: Environment) -> Expr:
        if child == self.inner:
            return environment.value(self.parent)
        raise NotImplementedError("the range that a row lies in is known from the loop around it")

    def hull(self, parent: str, children: dict[str, Range], environment: Environment) -> Range:
        return children[self.inner]

    def is_window(self, known: set[str]) -> str | None:
        return self.inner if self.outer in known else None

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
