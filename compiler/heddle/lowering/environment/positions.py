"""How many positions the levels of a tensor have."""

from __future__ import annotations

from collections.abc import Iterable

from heddle.formats.levels.kinds import kind_of
from heddle.formats.levels.level import LevelStorage, Range
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr


def positions(levels: Iterable[LevelStorage]) -> Expr:
    """The number of positions of the last of ``levels``, the outermost ones of a tensor."""
    of_level = Range(build.index(0), build.index(1))
    for storage in levels:
        of_level = kind_of(storage).children(storage, of_level)
    return of_level.upper
