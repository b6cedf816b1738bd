"""A format's canonical text: its preset's name when one fits, else the long form."""

from __future__ import annotations

from functools import lru_cache

from heddle.formats.composed.printer import composition_text
from heddle.formats.format import Format, Level
from heddle.formats.presets import presets_for


@lru_cache(maxsize=1024)
def format_text(format: Format) -> str:
    """E.g. ``csr``, ``dense, compressed, compressed`` or ``dense, dense : 1,0``; a scalar is ``dense``."""
    if format.composition is not None:
        return composition_text(format.composition, format_text)
    order = format.dimensions
    if order == 0:
        return "dense"
    for preset in presets_for(order):
        if preset.instance(order, format.numbers) == format:
            return preset.text(format.numbers)
    return long_form(format)


def long_form(format: Format) -> str:
    """All levels spelled out, e.g. ``dense, compressed`` for CSR; the dimension order only where it is not 0,1,…"""
    levels = ", ".join(level_text(level) for level in format.levels)
    if format.order == tuple(range(len(format.levels))):
        return levels
    return f"{levels} : {','.join(map(str, format.order))}"


def level_text(level: Level) -> str:
    """E.g. ``compressed(nonunique)``, ``dense(4)`` or ``parts(64,even)``."""
    properties = (("unordered", not level.ordered), ("nonunique", not level.unique), ("even", level.even))
    flags = [word for word, flag in properties if flag]
    numbers = [str(number) for number in (level.parameter, level.size) if number is not None]
    inside = [*numbers, *flags]
    return f"{level.kind}({','.join(inside)})" if inside else level.kind
