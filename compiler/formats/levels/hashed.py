"""The hashed level: one hash table for each parent, all of the same width; a free slot holds -1 (open addressing).

The probing of a coordinate starts at its remainder by the width and goes on to the next slot, around the end. Every
table has a free slot, so that probing ends. Insert: probe, write ``crd``; a table that is full must grow. Append: none.
"""

from __future__ import annotations

from compiler.formats.levels.level import Emitter, LevelStorage, ParentSearch, Range, Stored
from compiler.formats.levels.padded import width_of
from compiler.formats.levels.searched import Searched, crd_of
from compiler.loop_ir import build
from compiler.loop_ir.nodes import Expr


class Hashed(Searched):
    """``position = parent * width + slot``; the coordinates are in no order, so that they are only looked up."""

    name = "hashed"
    arrays: tuple[str, ...] = ("width", "crd")
    branchless = False
    compact = False
    iterated = False

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        width = width_of(storage)
        return Range(build.mul(parents.lower, width), build.mul(parents.upper, width))

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return build.floor_divide(position, width_of(storage))

    def stored(self, storage: LevelStorage, position: Expr, coordinate: Expr) -> tuple[Stored, ...]:
        return (Stored(build.compare(">=", coordinate, build.index(0)), above=False),)

    def find(
        self, storage: LevelStorage, parents: Range, coordinate: Expr, wish: str, path: tuple[str, ...], emit: Emitter
    ) -> tuple[Expr, Expr]:
        table = self.children(storage, Range(parents.lower, build.add(parents.lower, build.index(1))))
        first = build.add(table.lower, build.modulo(coordinate, width_of(storage)))
        position = emit.probe(wish, storage, table, first, coordinate)
        return position, build.compare("==", build.load(crd_of(storage), position), coordinate)


HASHED = Hashed()
