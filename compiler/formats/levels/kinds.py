"""The table of level kinds that can be lowered: adding a kind is one module and one line here."""

from __future__ import annotations

from compiler.formats.levels.compressed import COMPRESSED
from compiler.formats.levels.dense import DENSE
from compiler.formats.levels.level import LevelKind

LEVEL_KINDS: dict[str, LevelKind] = {kind.name: kind for kind in (DENSE, COMPRESSED)}
