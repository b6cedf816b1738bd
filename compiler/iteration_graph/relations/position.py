"""``pos(i, p, A)``: ``p`` runs over the positions of A's level instead of coordinates (docs/sources.md T20, T44).

When ``i`` is a fused variable its components are consecutive levels of A: the coordinate of the last is loaded,
those above are found by searching (or tracking) the parents' ``pos`` arrays.
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.formats.levels.kinds import LEVEL_KINDS
from compiler.formats.levels.level import LevelStorage, ParentSearch, Range, Stored
from compiler.iteration_graph.relations.relation import Environment
from compiler.loop_ir import build
from compiler.loop_ir.nodes import Expr
from compiler.notation.nodes import Access
from compiler.origin import Role


@dataclass(frozen=True, slots=True)
class PositionRelation:
    """``components`` are the underived variables of ``parent``, one per level from ``first_level`` (1-based) on.
    ``narrowed`` is the derived variable that stands for the first of them when a split had cut it."""

    command: int
    parent: str
    position: str
    access: Access
    first_level: int
    components: tuple[str, ...]
    narrowed: str
    kind: str = "pos"

    @property
    def parents(self) -> tuple[str, ...]:
        return (self.parent,)

    @property
    def children(self) -> tuple[str, ...]:
        return (self.position,)

    @property
    def last_level(self) -> int:
        return self.first_level + len(self.components) - 1

    def ranges(self, environment: Environment) -> list[Range]:
        """The range of positions at each level from the first to the last."""
        return environment.ranges(self.position, lambda: self._ranges(environment))

    def _ranges(self, environment: Environment) -> list[Range]:
        storage = environment.storage(self.access, self.first_level)
        parents = environment.position_range(self.access, self.first_level - 1)
        whole = LEVEL_KINDS[storage.kind].children(storage, parents)
        first = whole
        if self.narrowed != self.components[0]:
            first = self._narrow(storage, whole, parents.lower, environment)
        ranges = [first]
        for level in range(self.first_level + 1, self.last_level + 1):
            storage = environment.storage(self.access, level)
            ranges.append(LEVEL_KINDS[storage.kind].children(storage, ranges[-1]))
        return ranges

    def _narrow(self, storage: LevelStorage, whole: Range, parent: Expr, environment: Environment) -> Range:
        window = environment.window(self.components[0], self.narrowed)
        kind = LEVEL_KINDS[storage.kind]
        if kind.can_locate:
            start = build.minimum(window.lower, window.upper)  # a tile behind the end is empty, not beyond the arrays
            return Range(kind.locate(storage, parent, start), kind.locate(storage, parent, window.upper))
        wish = self.position
        lower = kind.lower_bound(storage, parent, whole, window.lower, f"{wish}_begin", environment)
        rest = Range(lower, whole.upper)
        return Range(lower, kind.lower_bound(storage, parent, rest, window.upper, f"{wish}_end", environment))

    def domain(self, child: str, environment: Environment) -> Range:
        return self.ranges(environment)[-1]

    def recover(self, environment: Environment) -> None:
        position = environment.value(self.position)
        ranges = self.ranges(environment) if len(self.components) > 1 else []
        stored: list[tuple[str, Stored]] = []
        for level in range(self.last_level, self.first_level - 1, -1):
            variable = self.components[level - self.first_level]
            storage = environment.storage(self.access, level)
            kind = LEVEL_KINDS[storage.kind]
            environment.set_position(self.access, level, position)
            path = (*self.access.indices[: level - 1], self.position)
            parent = kind.parent(storage, position)
            if storage.crd is None and isinstance(parent, ParentSearch):  # its coordinates are counted from the parent
                parent = self._parent(level, parent, ranges, position, environment)
            known = None if isinstance(parent, ParentSearch) else parent
            environment.bind(variable, kind.coordinate(storage, position, path, known), Role.RECOVERY)
            stored += [(variable, held) for held in kind.stored(storage, position, environment.value(variable))]
            if level == self.first_level:
                break
            if isinstance(parent, ParentSearch):
                parent = self._parent(level, parent, ranges, position, environment)
            position = parent
        for variable, held in stored:
            environment.only_where(variable, held, monotone=False)

    def _parent(
        self, level: int, search: ParentSearch, ranges: list[Range], position: Expr, environment: Environment
    ) -> Expr:
        """The position above ``position`` of ``level``: known in front of the first level, else found by a search."""
        if level == self.first_level:
            return environment.position_range(self.access, level - 1).lower
        among = ranges[level - 1 - self.first_level]
        return environment.find_parent(self.access, level - 1, search.array, among, position)

    def derived(self, child: str, environment: Environment) -> Expr:
        raise NotImplementedError("a position is never derived from a coordinate that is already known")

    def hull(self, parent: str, children: dict[str, Range], environment: Environment) -> Range:
        return environment.domain(parent)

    def is_window(self, known: set[str]) -> str | None:
        return None

    def bounds_text(self) -> list[str]:
        i, a = self.parent, self.access.tensor
        return [f"{self.position} ∈ [searchceil_{a}({i}_min), search_{a}({i}_max − 1) + 1)"]

    def recovery_text(self) -> list[str]:
        name, inner = self.access.tensor, self.position
        texts = [f"{self.components[-1]} = {name}{self.last_level}.crd[{inner}]"]
        for level in range(self.last_level - 1, self.first_level - 1, -1):
            variable = self.components[level - self.first_level]
            texts.append(f"{variable} = the coordinate whose segment in {name}{level + 1}.pos holds {inner}")
            inner = variable
        return texts

    def text(self) -> str:
        return f"pos({self.parent}, {self.position}, {self.access.tensor}({','.join(self.access.indices)}))"
