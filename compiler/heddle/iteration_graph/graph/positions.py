"""Position space: a variable that runs over the stored positions of a tensor's levels, not over coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.levels.level import LevelStorage, Range
from heddle.iteration_graph.graph.environment import Environment
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr
from heddle.notation.nodes import Access


@dataclass(frozen=True, slots=True)
class Positions:
    """``position`` runs over the positions of the last of some consecutive levels of ``access``, the first of which is
    ``first_level`` (from 1). ``components`` has the underived variable of each. ``narrowed`` is the derived variable
    that stands for the first of them where a tile had cut it."""

    position: str
    access: Access
    first_level: int
    components: tuple[str, ...]
    narrowed: str

    @property
    def last_level(self) -> int:
        return self.first_level + len(self.components) - 1

    def rename(self, names: Mapping[str, str]) -> Positions:
        """The same positions for other variables."""
        return replace(
            self,
            position=names.get(self.position, self.position),
            access=renamed_access(self.access, names),
            components=tuple(names.get(variable, variable) for variable in self.components),
            narrowed=names.get(self.narrowed, self.narrowed),
        )

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
            start = build.minimum(window.lower, window.upper)  # a tile past the end is empty, not beyond the arrays
            return Range(kind.locate(storage, parent, start), kind.locate(storage, parent, window.upper))
        name_hint = self.position
        lower = kind.lower_bound(storage, parent, whole, window.lower, f"{name_hint}_begin", environment)
        rest = Range(lower, whole.upper)
        return Range(lower, kind.lower_bound(storage, parent, rest, window.upper, f"{name_hint}_end", environment))


def renamed_access(access: Access, names: Mapping[str, str]) -> Access:
    return Access(access.tensor, tuple(names.get(index, index) for index in access.indices))
