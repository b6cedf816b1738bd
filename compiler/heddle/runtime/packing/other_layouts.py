"""Formats that hold what a format was too narrow for, as repairs of the refusal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from heddle.advice import AllowSlots
from heddle.diagnostics import CompileError, Diagnostic, Fix
from heddle.formats.format import Format, Level
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.printer import format_text


def stored_otherwise(error: CompileError, name: str, formats: Callable[[AllowSlots], Iterable[Format]]) -> CompileError:
    """``error`` with the ``formats`` that its advice leads to as the repairs for the tensor ``name``; the very same
    where it advises nothing of the kind."""
    if not any(isinstance(advice, AllowSlots) for diagnostic in error.diagnostics for advice in diagnostic.advice):
        return error

    def add_fix(diagnostic: Diagnostic) -> Diagnostic:
        wanted = (advice for advice in diagnostic.advice if isinstance(advice, AllowSlots))
        texts = dict.fromkeys(format_text(format) for advice in wanted for format in formats(advice))
        return replace(diagnostic, fixes=tuple(Fix(f"Use {text} for {name}", formats={name: text}) for text in texts))

    return type(error)(*map(add_fix, error.diagnostics))


def other_layouts(format: Format, advice: AllowSlots) -> list[Format]:
    """``format`` with as many slots as are needed, if so many may be asked for, and in pieces below repeated
    coordinates, where the level above can repeat them."""
    number = advice.level - 1
    level, number_of_slots = format.levels[number], LEVEL_KINDS[format.levels[number].kind].number
    formats = []
    if number_of_slots is not None and advice.count <= number_of_slots.most:
        formats.append(_with(format, number, replace(level, parameter=advice.count)))
    if number > 0 and format.levels[number - 1] in (Level("dense"), Level("compressed")):
        formats.append(_with(format, number - 1, Level("compressed", unique=False)))
    return formats


def _with(format: Format, number: int, level: Level) -> Format:
    return replace(format, levels=(*format.levels[:number], level, *format.levels[number + 1 :]))
