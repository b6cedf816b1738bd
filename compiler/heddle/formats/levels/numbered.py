"""What the kinds have in common that number the slots of each parent: they are walked one after the other."""

from __future__ import annotations

from heddle.formats.levels.level import Emitter, LevelStorage, Range, Stored
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr


class Numbered:
    """Base of the kinds whose coordinates count the positions of a parent from its first one."""

    full = False
    branchless = False
    compact = True
    iterated = True
    can_locate = False

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        raise NotImplementedError

    def first(self, storage: LevelStorage, parent: Expr) -> Expr:
        """The first position under ``parent``."""
        raise NotImplementedError

    def locate(self, storage: LevelStorage, parent: Expr, coordinate: Expr) -> Expr:
        raise TypeError("slots are visited one after the other")

    def stored_conditions(self, storage: LevelStorage, position: Expr, coordinate: Expr) -> tuple[Stored, ...]:
        return ()

    def lower_bound(
        self, storage: LevelStorage, parent: Expr, among: Range, coordinate: Expr, name_hint: str, emit: Emitter
    ) -> Expr:
        place = build.add(self.first(storage, parent), coordinate)
        return build.minimum(build.maximum(place, among.lower), among.upper)

    def find(
        self,
        storage: LevelStorage,
        parents: Range,
        coordinate: Expr,
        name_hint: str,
        path: tuple[str, ...],
        emit: Emitter,
    ) -> tuple[Expr, Expr]:
        segment = self.children(storage, parents)
        position = build.add(segment.lower, coordinate)
        return position, build.compare("<", position, segment.upper)
