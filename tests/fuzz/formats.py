"""Draws the storage of the tensors of an expression: every kind of level for operands, those that can be assembled for
results."""

from __future__ import annotations

import random

from compiler.formats.compositions import misplaced_levels
from compiler.formats.parser import parse_format
from compiler.notation.nodes import index_variables, operand_accesses
from compiler.notation.parser import parse

OTHER_LEVELS = ("padded", "bitmap", "hashed", "compressed(unordered)", "compressed(nonunique)")


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
    for access in (assignment.target, *operand_accesses(assignment)):
        if access.tensor not in formats or "dense(" in formats[access.tensor]:
            continue
        levels, _, order = formats[access.tensor].partition(" : ")
        cut = [dimension for dimension in range(len(access.indices)) if rng.random() < 0.5]
        inside = "".join(f", dense({sizes[access.indices[dimension]]})" for dimension in cut)
        formats[access.tensor] = f"{levels}{inside} : {','.join([order, *map(str, cut)])}"
    return formats


def draw_fills(rng: random.Random, expression: str, formats: dict[str, str]) -> dict[str, float]:
    """What a sparse operand does not store is now and then another number than zero. Infinities only where nothing is
    multiplied: zero times infinity is no number, but a kernel does not visit what is multiplied by zero."""
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
        return ["dense", "offset"]
    while True:
        levels = [rng.choice(("dense", "compressed", *OTHER_LEVELS)) for _ in range(order)]
        text = ", ".join(levels)
        if not misplaced_levels(parse_format(text, order, "T")) and "nonunique" not in levels[-1]:
            return levels


def _in_slots(rng: random.Random) -> str:
    """A matrix in slots of blocks of rows or columns."""
    rows, size = "dense", rng.choice((1, 2, 3, 4, 8))
    upper, lower = rng.choice((("slots", "optional"), ("diagonals", "shifted")))
    if upper == "slots":
        lower = rng.choice(("optional", "runs"))
        rows = rng.choice(("dense", f"sorted({size * rng.choice((1, 2, 5))})"))
    order = "1,0,1,0" if rng.random() < 0.25 else "0,1,0,1"
    return f"{rows}, {upper}, dense({size}), {lower} : {order}"


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
