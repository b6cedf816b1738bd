"""What the kinds with a sorted ``crd`` array have in common: coordinates are loaded, and found by a binary search."""

from __future__ import annotations

from heddle.formats.levels.level import Emitter, LevelKind, LevelStorage, Range
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Array, Expr


class Searched(LevelKind):
    """Base of the kinds that store each coordinate in ``crd``, ascending within a segment."""

    def coordinate(
        self, storage: LevelStorage, position: Expr, path: tuple[str, ...], parent: Expr | None = None
    ) -> Expr:
        return build.load(crd_of(storage), position, path)

    def lower_bound(
        self, storage: LevelStorage, parent: Expr, among: Range, coordinate: Expr, name_hint: str, emit: Emitter
    ) -> Expr:
        return emit.search(name_hint, crd_of(storage), among, coordinate, storage.number)

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
        position = self.lower_bound(storage, parents.lower, segment, coordinate, name_hint, emit)
        there = build.compare("==", build.load(crd_of(storage), position, (*path, _name(position))), coordinate)
        return position, build.both(build.compare("<", position, segment.upper), there)


def crd_of(storage: LevelStorage) -> Array:
    assert storage.crd is not None
    return storage.crd


def _name(position: Expr) -> str:
    return getattr(position, "name", "p")
