"""Draws the storage of the tensors of an expression: every kind of level in the registry for operands, those that can
be assembled for results."""

from __future__ import annotations

import random

from heddle.formats.compositions import misplaced_levels
from heddle.formats.format import Format, Level
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.levels.level import TensorKind
from heddle.formats.parser import parse_format
from heddle.formats.printer import level_text
from heddle.notation.nodes import index_variables, operand_accesses
from heddle.notation.parser import parse

COMMON = ("dense", "compressed")
"""Kinds that most levels have, which the others are then compared with."""


def _may_stand(*kinds: str) -> bool:
    levels = tuple(Level(kind, parameter=1 if LEVEL_KINDS[kind].number else None) for kind in kinds)
    return not misplaced_levels(Format(levels, tuple(range(len(levels)))))


def _listed(kind: TensorKind) -> bool:
    """Whether its coordinates are listed in segments, where they may be unordered or repeat."""
    return kind.lists_coordinates and not kind.branchless


ANYWHERE = [name for name in LEVEL_KINDS if name not in COMMON and _may_stand(name)]
LISTS = [name for name, kind in LEVEL_KINDS.items() if _listed(kind)]
OTHER_LEVELS = (*ANYWHERE, *(f"{name}({word})" for name in LISTS for word in ("unordered", "nonunique")))
BELOW_ROWS = [
    name
    for name, kind in LEVEL_KINDS.items()
    if not kind.lists_coordinates and not _may_stand(name) and _may_stand("dense", name)
]
"""Kinds that hold the columns of a matrix, below a dense level alone."""
SLOTS = {
    upper: [name for name, kind in LEVEL_KINDS.items() if kind.numbered_by == upper]
    for upper, kind in LEVEL_KINDS.items()
    if kind.numbers_slots
}
"""By the kind that numbers slots: those that have the columns in them."""
INSIDE = [name for name, kind in LEVEL_KINDS.items() if kind.inside_blocks and not (kind.number or kind.branchless)]
"""Kinds that may have the coordinates inside blocks, whose number is then the size of these."""
PERMUTING = [name for name, kind in LEVEL_KINDS.items() if kind.permutes]


def draw_formats(rng: random.Random, expression: str) -> dict[str, str]:
    """A format for every tensor with dimensions; the result is sparse in every other program with ``=``."""
    assignment = parse(expression)
    target = assignment.target
    formats = {
        access.tensor: _in_slots(rng)
        if len(access.indices) == 2 and rng.random() < 0.06
        else _ordered(rng, _operand(rng, len(access.indices)), len(access.indices))
        for access in operand_accesses(assignment)
        if access.indices
    }
    if target.indices and rng.random() < 0.5:
        formats[target.tensor] = _ordered(rng, _result(rng, len(target.indices)), len(target.indices))
    return _in_blocks(rng, expression, formats) if rng.random() < 0.15 else formats


def _in_blocks(rng: random.Random, expression: str, formats: dict[str, str]) -> dict[str, str]:
    """Some dimensions of some tensors in blocks, mostly of one size along each variable."""
    assignment = parse(expression)
    sizes = {variable: rng.choice((1, 2, 3, 4)) for variable in index_variables(assignment)}
    done: set[str] = set()
    for access in (assignment.target, *operand_accesses(assignment)):
        if access.tensor not in formats or "dense(" in formats[access.tensor] or access.tensor in done:
            continue
        done.add(access.tensor)
        levels, _, order = formats[access.tensor].partition(" : ")
        for dimension in range(len(access.indices)):
            if rng.random() < 0.5:
                cut = _cut(rng, levels, order, dimension, sizes[access.indices[dimension]])
                fits = not misplaced_levels(parse_format(" : ".join(cut), len(access.indices), access.tensor))
                levels, order = cut if fits else (levels, order)
        formats[access.tensor] = f"{levels} : {order}"
    return formats


def _cut(rng: random.Random, levels: str, order: str, dimension: int, size: int) -> tuple[str, str]:
    """Levels and their dimensions with one dimension in blocks of so many, or in so many parts."""
    kind = rng.random()
    if kind < 0.3:
        parts = f"parts({size})" if rng.random() < 0.5 else f"parts({size}, even)"
        return f"{parts}, {levels}", f"{dimension},{order}"
    inside = "dense" if kind < 0.8 else rng.choice(INSIDE)
    return f"{levels}, {inside}({size})", f"{order},{dimension}"


def draw_fills(rng: random.Random, expression: str, formats: dict[str, str]) -> dict[str, float]:
    """What a sparse operand does not store is now and then another number than zero. Infinities only where nothing is
    multiplied: zero times infinity is not a number, but a kernel does not visit what is multiplied by zero."""
    assignment = parse(expression)
    fills: dict[str, float] = {}
    for access in operand_accesses(assignment):
        if access.tensor in formats and rng.random() < 0.06:
            finite = "*" in expression or "/" in expression
            fills[access.tensor] = rng.choice((1, 2, -1) if finite else (1, -3, float("inf")))
    return fills


def _operand(rng: random.Random, order: int) -> list[str]:
    """Mostly dense and compressed levels, which the other draws are then compared with."""
    kind = rng.random()
    if kind < 0.65:
        return [rng.choice(("dense", "compressed", "compressed")) for _ in range(order)]
    if kind < 0.8:
        return _coordinates(rng, order)
    if kind < 0.85 and order == 2:
        return ["dense", BELOW_ROWS[0] if len(BELOW_ROWS) == 1 else rng.choice(BELOW_ROWS)]
    if kind > 0.97 and order > 1:
        return [level_text(level) for level in parse_format("coo-perm", order, "T").levels]
    while True:
        levels = [_numbered(rng, rng.choice((*COMMON, *OTHER_LEVELS))) for _ in range(order)]
        text = ", ".join(levels)
        if not misplaced_levels(parse_format(text, order, "T")) and "nonunique" not in levels[-1]:
            return levels


def _in_slots(rng: random.Random) -> str:
    """A matrix in slots of blocks of rows or columns."""
    size = rng.choice((1, 2, 3, 4, 8))
    upper = rng.choice(list(SLOTS))
    lower = SLOTS[upper][0] if len(SLOTS[upper]) == 1 else rng.choice(SLOTS[upper])
    below = f"{upper}, dense({size}), {lower}"
    tops = ["dense", *(top for kind in PERMUTING if _fits(top := f"{kind}({size})", below))]
    rows = tops[0]
    if len(tops) > 1:
        parameter = size * rng.choice((1, 2, 5))
        rows = rng.choice(tops).replace(f"({size})", f"({parameter})")
    order = "1,0,1,0" if rng.random() < 0.25 else "0,1,0,1"
    return f"{rows}, {below} : {order}"


def _fits(rows: str, below: str) -> bool:
    return not misplaced_levels(parse_format(f"{rows}, {below}", 2, "T"))


def _numbered(rng: random.Random, level: str) -> str:
    """The level with a number where its kind has one: small, or more than any coordinate has below it."""
    kind = LEVEL_KINDS.get(level)
    return level if kind is None or kind.number is None else f"{level}({rng.choice((1, 2, 3, 4, 48))})"


def _result(rng: random.Random, order: int) -> list[str]:
    if rng.random() < 0.2:
        return _coordinates(rng, order)
    if rng.random() < 0.05:
        return _operand(rng, order)
    levels = [rng.choice(("dense", "compressed", "compressed")) for _ in range(order)]
    return levels if "compressed" in levels else [*levels[:-1], "compressed"]


def _coordinates(rng: random.Random, order: int) -> list[str]:
    """Levels of which the last two or more are stored together, entry by entry."""
    if order < 2:
        return ["compressed"] * order
    first = rng.randrange(order - 1)
    above = [rng.choice(("dense", "compressed")) for _ in range(first)]
    return [*above, "compressed(nonunique)", *["singleton(nonunique)"] * (order - first - 2), "singleton"]


def _ordered(rng: random.Random, levels: list[str], order: int) -> str:
    dimensions = list(range(order))
    if rng.random() < 0.25:
        rng.shuffle(dimensions)
    return f"{', '.join(levels)} : {','.join(map(str, dimensions))}"
