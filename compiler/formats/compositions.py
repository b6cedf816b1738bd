"""Which level kinds may stand where in a format: one table of rules for the compiler and for packing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from compiler.formats.format import Format, Level

FLAGGED = ("compressed", "singleton")
"""Kinds whose coordinates may be unordered or repeat."""


@dataclass(frozen=True, slots=True)
class Misplaced:
    """Level ``number`` (1-based) cannot stand where it does; ``instead`` is one that can, where one is close."""

    number: int
    reason: str
    expected: str
    instead: Level | None = None


@dataclass(frozen=True, slots=True)
class _Rule:
    """``broken`` is asked for each level and those above it, outermost first."""

    broken: Callable[[Level, tuple[Level, ...]], bool]
    reason: str
    expected: str


_RULES = (
    _Rule(
        lambda level, above: level.kind not in FLAGGED and not (level.ordered and level.unique),
        "only compressed and singleton levels can be unordered or nonunique",
        "a level without properties",
    ),
    _Rule(
        lambda level, above: level.kind == "singleton" and not above,
        "a singleton level holds one coordinate for each parent position, and there is no level above it",
        "a level above it",
    ),
    _Rule(
        lambda level, above: bool(above) and not above[-1].unique and level.kind not in FLAGGED,
        "the coordinates of the level above it repeat, and only coordinates stored one for one can tell them apart",
        "a singleton or compressed level",
    ),
    _Rule(
        lambda level, above: level.kind == "offset" and [one.kind for one in above] != ["dense"],
        "an offset level holds the diagonals of a matrix, below a dense level for its rows",
        "dense, offset",
    ),
)


_BLOCKS = "a level with a size is dense and stores the coordinates inside the blocks that a level above it stores"


def _outside_of_blocks(format: Format, number: int) -> bool:
    """Whether a level with a size has no level above it that stores the blocks of its dimension."""
    level, above = format.levels[number], format.levels[:number]
    if level.size is None:
        return False
    own = [other for other, dimension in zip(above, format.order, strict=False) if dimension == format.order[number]]
    return len(own) != 1 or own[0].size is not None or level.kind != "dense"


_COLUMNS = {"slots": ("optional", "runs"), "diagonals": ("shifted",)}
"""By the kind that numbers slots: those that have the columns in them. They stand in a format together."""

_NUMBERING = {below: above for above, kinds in _COLUMNS.items() for below in kinds}


def _outside_of_slots(format: Format, number: int) -> Misplaced | None:
    """Whether a level of slots, or one that says what lies in them, is without the levels that go with it."""
    level = format.levels[number]
    if level.kind not in (*_COLUMNS, *_NUMBERING):
        return None
    upper = _NUMBERING.get(level.kind, level.kind)
    allowed = _COLUMNS[upper] if level.holds_slots else (level.kind,)
    (rows, *below), sized = (one.kind for one in format.levels), [one.size is not None for one in format.levels]
    row, column = format.order[:2] if len(format.order) > 1 else (0, 0)
    whole = any(below == [upper, "dense", lower] for lower in allowed) and sized == [False, False, True, False]
    if whole and rows in ("dense", "sorted") and row != column and format.order == (row, column, row, column):
        return None
    return Misplaced(
        number + 1,
        f"{upper} and {allowed[0]} levels store a matrix together: the slots of a block of rows, the rows inside the "
        f"block, and the column in each place",
        f"dense, {upper}, dense(8), {allowed[0]}",
    )


def _wrongly_sorted(format: Format, number: int) -> Misplaced | None:
    """Whether a sorted level stands elsewhere than above the slots of sliced ELL, or cuts slices."""
    level, kinds = format.levels[number], [one.kind for one in format.levels[1:3]]
    if level.kind != "sorted":
        return None
    height = format.levels[2].size if number == 0 and kinds == ["slots", "dense"] else None
    if height is None:
        return Misplaced(number + 1, "it sorts the rows of sliced ELL", "sorted(64), slots, dense(8), optional")
    if level.window is None or level.window % height:
        slices = max(1, round((level.window or 0) / height))
        return Misplaced(
            number + 1,
            f"rows are sorted within windows of whole slices, and a slice has {height} rows",
            f"sorted(n), where n is a multiple of {height}",
            replace(level, window=slices * height),
        )
    return None


def misplaced_levels(format: Format) -> list[Misplaced]:
    """Every level that breaks a rule."""
    outside = [
        Misplaced(number, _BLOCKS, "a dense level with a size, below the level that stores its dimension's blocks")
        for number in range(1, len(format.levels) + 1)
        if _outside_of_blocks(format, number - 1)
    ]
    slotted = [found for number in range(len(format.levels)) if (found := _outside_of_slots(format, number))]
    sorting = [found for number in range(len(format.levels)) if (found := _wrongly_sorted(format, number))]
    return (
        outside
        + slotted
        + sorting
        + [
            Misplaced(number, rule.reason, rule.expected)
            for number, level in enumerate(format.levels, start=1)
            for rule in _RULES
            if rule.broken(level, format.levels[: number - 1])
        ]
    )
