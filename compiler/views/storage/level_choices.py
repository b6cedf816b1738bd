"""What may be at a level of a format while the other levels stay: what the level builder of the page offers."""

from __future__ import annotations

from dataclasses import replace

from compiler.formats.compositions import FLAGGED, misplaced_levels
from compiler.formats.format import Format, Level
from compiler.formats.levels.kinds import LEVEL_KINDS
from compiler.formats.parser import MAX_BLOCK, MAX_WINDOW
from compiler.views.storage.storage_schema import LevelChoiceView, LevelNumberView

SLICES_OF_WINDOW = 8
"""A window is offered for so many slices."""


def level_choices(format: Format, number: int) -> list[LevelChoiceView]:
    """The kinds for level ``number`` (from 0), its own among them, each with the number that the level then has.

    Whether coordinates are ordered and unique is left aside: the builder sets that by what stands above and below.
    """
    here = format.levels[number]
    levels = tuple(replace(level, ordered=True, unique=True) for level in format.levels)
    choices = []
    for kind in LEVEL_KINDS:
        level = here if kind == here.kind else _in_place_of(here, kind, format.blocks.get(format.order[number], 1))
        above, below = levels[:number], levels[number + 1 :]
        changed = Format((*above, replace(level, ordered=True, unique=True), *below), format.order)
        if kind == here.kind or not misplaced_levels(changed):
            choices.append(LevelChoiceView(kind=kind, properties=kind in FLAGGED, number=_number(level)))
    return choices


def _in_place_of(here: Level, kind: str, height: int) -> Level:
    """A level of another kind; what lies inside blocks of some size stays there."""
    window = SLICES_OF_WINDOW * height if kind == "sorted" else None
    return Level(kind, size=here.size, window=window)


def _number(level: Level) -> LevelNumberView | None:
    if level.size is not None:
        return LevelNumberView(counts="block", value=level.size, most=MAX_BLOCK)
    if level.window is not None:
        return LevelNumberView(counts="window", value=level.window, most=MAX_WINDOW)
    return None
