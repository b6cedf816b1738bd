"""What the kinds have in common that number the slots of each parent: they are walked one after the other."""

from __future__ import annotations

from abc import abstractmethod

from heddle.formats.levels.level import Emitter, LevelKind, LevelStorage, Range
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr


class Numbered(LevelKind):
    """Base of the kinds whose coordinates count the positions of a parent from its first one."""

    @abstractmethod
    def first(self, storage: LevelStorage, parent: Expr) -> Expr:
        """The first position under ``parent``."""

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
