"""The bitmap level: a slot for every coordinate, and a mask that says which of them are stored.

Insert: write at the located slot and set its mask; memory and a zeroed mask come first. Append: none.
"""

from __future__ import annotations

from compiler.formats.levels.dense import Dense
from compiler.formats.levels.level import Emitter, LevelStorage, Range, Stored
from compiler.loop_ir import build
from compiler.loop_ir.nodes import Expr


class Bitmap(Dense):
    """``position = parent * size + coordinate``, stored where ``mask[position]`` is not 0."""

    name = "bitmap"
    arrays: tuple[str, ...] = ("mask",)
    full = False
    compact = False
    can_locate = False

    def find(
        self, storage: LevelStorage, parents: Range, coordinate: Expr, wish: str, path: tuple[str, ...], emit: Emitter
    ) -> tuple[Expr, Expr]:
        position = self.locate(storage, parents.lower, coordinate)
        return position, _held(storage, position)

    def stored(self, storage: LevelStorage, position: Expr, coordinate: Expr) -> tuple[Stored, ...]:
        return (Stored(_held(storage, position), above=False),)


def _held(storage: LevelStorage, position: Expr) -> Expr:
    return build.compare("!=", build.load(storage.extra[0], position), build.index(0))


BITMAP = Bitmap()
