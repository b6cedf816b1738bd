"""Which level kinds may stand where in a format: what kinds have in common; what is true of one alone, it says itself
(:meth:`heddle.formats.storage.level_storage.StorageKind.misplaced`)."""

from __future__ import annotations

from collections.abc import Iterable

from heddle.formats.format import Format
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.storage.level_storage import Misplaced

_LISTED = tuple(name for name, kind in LEVEL_KINDS.items() if kind.lists_coordinates)
_ANYWHERE = tuple(name for name in _LISTED if LEVEL_KINDS[name].value_places is None)
"""Those of them that need no level of another kind beside them."""


def join_alternatives(names: Iterable[str]) -> str:
    """E.g. ``dense, compressed or padded``."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


_INSIDE = join_alternatives(name for name, kind in LEVEL_KINDS.items() if kind.inside_blocks)


def lists_coordinates(kind: str) -> bool:
    """Whether coordinates of that kind of level may be unordered or repeat."""
    return kind in _LISTED


def misplaced_levels(format: Format) -> list[Misplaced]:
    """Every level that breaks a rule."""
    rules = (_outside_of_blocks, _stored_twice, _outside_of_slots, _by_its_kind, _with_properties, _below_repeated)
    numbers = range(len(format.levels))
    return [misplaced for rule in rules for number in numbers if (misplaced := rule(format, number)) is not None]


def _outside_of_blocks(format: Format, number: int) -> Misplaced | None:
    """Whether a level with a size has no level above it that stores the blocks of its dimension."""
    level, above = format.levels[number], format.levels[:number]
    if level.size is None:
        return None
    blocks = [other for other, dimension in zip(above, format.order, strict=False) if dimension == format.order[number]]
    kind = level.stored
    plain = len(blocks) == 1 and blocks[0].size is None and not blocks[0].counts_parts
    if plain and kind is not None and kind.inside_blocks:
        return None
    return Misplaced(
        number + 1,
        f"a level with a size is {_INSIDE} and stores the coordinates inside the blocks that a level above it stores",
        "a level with a size, below the level that stores its dimension's blocks",
    )


def _stored_twice(format: Format, number: int) -> Misplaced | None:
    """Whether a level above stores the dimension already, whole."""
    level, dimension = format.levels[number], format.order[number]
    above = zip(format.levels[:number], format.order, strict=False)
    if not level.stores_dimension or not any(
        outer_level.stores_dimension and outer_dimension == dimension for outer_level, outer_dimension in above
    ):
        return None
    return Misplaced(number + 1, f"a level above it stores dimension {dimension} already", "each dimension once")


def _outside_of_slots(format: Format, number: int) -> Misplaced | None:
    """Whether a level of slots, or one that says what lies in them, is without the levels that go with it."""
    level, kind = format.levels[number], format.levels[number].stored
    if kind is None or not (kind.numbers_slots or kind.numbered_by is not None):
        return None
    upper = kind.numbered_by or level.kind
    allowed = (
        [name for name, candidate in LEVEL_KINDS.items() if candidate.numbered_by == upper]
        if kind.numbers_slots
        else [level.kind]
    )
    (rows, *below), sized = (level.kind for level in format.levels), [level.size is not None for level in format.levels]
    row, column = format.order[:2] if len(format.order) > 1 else (0, 0)
    whole = any(below == [upper, "dense", lower] for lower in allowed) and sized == [False, False, True, False]
    if whole and LEVEL_KINDS[rows].full and row != column and format.order == (row, column, row, column):
        return None
    return Misplaced(
        number + 1,
        f"{upper} and {allowed[0]} levels store a matrix together: the slots of a block of rows, the rows inside the "
        f"block, and the column in each place",
        f"dense, {upper}, dense(8), {allowed[0]}",
    )


def _by_its_kind(format: Format, number: int) -> Misplaced | None:
    kind = format.levels[number].stored
    return None if kind is None else kind.find_misplacement(format, number)


def _with_properties(format: Format, number: int) -> Misplaced | None:
    level = format.levels[number]
    if (level.ordered and level.unique) or lists_coordinates(level.kind):
        return None
    reason = f"only {' and '.join(_ANYWHERE)} levels can be unordered or nonunique"
    return Misplaced(number + 1, reason, "a level without properties")


def _below_repeated(format: Format, number: int) -> Misplaced | None:
    """Whether the level above has coordinates that repeat, which only a list can tell apart."""
    kind = format.levels[number].stored
    if number == 0 or format.levels[number - 1].unique or kind is None or kind.lists_coordinates or kind.cuts_repeated:
        return None
    reason = "the coordinates of the level above it repeat, so this level has to store one coordinate for each of them"
    return Misplaced(number + 1, reason, f"a {' or '.join(reversed(_ANYWHERE))} level")
