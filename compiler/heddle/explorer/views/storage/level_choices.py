"""What may be at a level of a format while the other levels stay: what the level builder of the page offers."""

from __future__ import annotations

from dataclasses import replace

from heddle.explorer.views.storage.storage_schema import LevelChoiceView, LevelNumberView
from heddle.formats.compositions import misplaced_levels
from heddle.formats.format import Format, Level
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.levels.level import TensorKind
from heddle.formats.limits import MAX_BLOCK


def level_choices(format: Format, number: int) -> list[LevelChoiceView]:
    """The kinds for level ``number`` (from 0), its own among them, each with the number that the level then has.

    Whether coordinates are ordered and unique is left aside: the builder sets that by what stands above and below.
    """
    here = format.levels[number]
    levels = tuple(replace(level, ordered=True, unique=True) for level in format.levels)
    choices = []
    for name, kind in LEVEL_KINDS.items():
        level = here if name == here.kind else _in_place_of(here, kind, format.blocks.get(format.order[number], 1))
        above, below = levels[:number], levels[number + 1 :]
        changed = Format((*above, replace(level, ordered=True, unique=True), *below), format.order)
        alone = here.size is None or kind.number is None  # one number fits into the builder
        if name == here.kind or (alone and not misplaced_levels(changed)):
            choices.append(LevelChoiceView(kind=name, properties=kind.lists_coordinates, number=_number(level, kind)))
    return choices


def _in_place_of(here: Level, kind: TensorKind, height: int) -> Level:
    """A level of another kind; what lies inside blocks of some size stays there."""
    parameter = None if kind.number is None else kind.number.proposed * height
    return Level(kind.name, size=here.size, parameter=parameter)


def level_words(level: Level) -> list[str]:
    """What comes after the number of a level and is neither order nor uniqueness."""
    size = [str(level.size)] if level.size is not None and level.parameter is not None else []
    return [*size, *(["even"] if level.even else [])]


def _number(level: Level, kind: TensorKind) -> LevelNumberView | None:
    if level.parameter is not None and kind.number is not None:
        return LevelNumberView(counts=kind.number.counts, value=level.parameter, most=kind.number.most)
    if level.size is not None:
        return LevelNumberView(counts="block", value=level.size, most=MAX_BLOCK)
    return None
