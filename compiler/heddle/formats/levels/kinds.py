"""The table of level kinds: adding one is one file next to this one, and one line here."""

from __future__ import annotations

from collections.abc import Sequence

from heddle.formats.levels.bitmap import BITMAP
from heddle.formats.levels.chunks import CHUNKS
from heddle.formats.levels.compressed import COMPRESSED
from heddle.formats.levels.dense import DENSE
from heddle.formats.levels.diagonal.diagonals import DIAGONALS
from heddle.formats.levels.diagonal.offset import OFFSET
from heddle.formats.levels.diagonal.shifted import SHIFTED
from heddle.formats.levels.hashed import HASHED
from heddle.formats.levels.level import LevelKind, LevelStorage, TensorKind
from heddle.formats.levels.padded import PADDED
from heddle.formats.levels.parts import PARTS
from heddle.formats.levels.ragged import RAGGED
from heddle.formats.levels.referenced import REFERENCED, RELAYED
from heddle.formats.levels.singleton import SINGLETON
from heddle.formats.levels.sliced.optional import OPTIONAL
from heddle.formats.levels.sliced.runs import RUNS
from heddle.formats.levels.sliced.slots import SLOTS
from heddle.formats.levels.sliced.sorted import SORTED
from heddle.formats.levels.workspaces.mapped import MAPPED
from heddle.formats.levels.workspaces.touched import TOUCHED

_KINDS: tuple[TensorKind, ...] = (
    DENSE,
    COMPRESSED,
    SINGLETON,
    PADDED,
    OFFSET,
    BITMAP,
    HASHED,
    SLOTS,
    OPTIONAL,
    RUNS,
    DIAGONALS,
    SHIFTED,
    SORTED,
    CHUNKS,
    PARTS,
    RAGGED,
    REFERENCED,
    RELAYED,
)
LEVEL_KINDS = {kind.name: kind for kind in _KINDS}


def counts_rows(kinds: Sequence[str]) -> bool:
    """Whether levels of these ``kinds`` count entries row by row: every row, or position of a row, has a segment in the
    ``pos`` of the second level."""
    if len(kinds) < 2:
        return False
    first, second = (LEVEL_KINDS[kind] for kind in kinds[:2])
    return first.full and "pos" in second.arrays


_WORKSPACE_KINDS: dict[str, LevelKind] = {kind.name: kind for kind in (TOUCHED, MAPPED)}


def kind_of(storage: LevelStorage) -> LevelKind:
    """The kind of a level of a tensor or of a workspace."""
    return _WORKSPACE_KINDS.get(storage.kind) or LEVEL_KINDS[storage.kind]
