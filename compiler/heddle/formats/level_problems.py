"""What is wrong with the levels of a format: one check, which compiles, packing and the validation of tensors ask."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from heddle.diagnostics import Diagnostic, Fix, Location, Part
from heddle.formats.compositions import join_alternatives, misplaced_levels
from heddle.formats.format import Format
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.printer import format_text, level_text
from heddle.formats.storage.level_storage import Misplaced


@functools.lru_cache(maxsize=1024)
def level_problems(name: str, format: Format) -> tuple[Diagnostic, ...]:
    """A diagnostic for each level of the format of tensor ``name`` that is of no known kind, or that cannot stand where
    it does; those of its parts where it is a sum of parts."""
    return tuple(_problems(name, format, misplaced_levels(format)))


def _problems(name: str, format: Format, misplaced_here: Sequence[Misplaced]) -> Iterator[Diagnostic]:
    yield from (
        _unknown(name, format, number) for number, level in enumerate(format.levels) if level.kind not in LEVEL_KINDS
    )
    yield from (_misplacement(name, format, misplaced) for misplaced in misplaced_here)
    for part in () if format.composition is None else format.composition.parts:
        in_a_sum = [misplaced for misplaced in misplaced_levels(part.format) if not misplaced.alone]
        yield from _problems(name, part.format, in_a_sum)


def _unknown(name: str, format: Format, number: int) -> Diagnostic:
    text = level_text(format.levels[number])
    return Diagnostic(
        "format/level-not-lowered",
        f"level {number + 1} of {name} is {text}, for which no code can be generated yet. "
        f"Use {join_alternatives(LEVEL_KINDS)} levels.",
        Location(Part.FORMAT, tensor=name),
        expected=join_alternatives(LEVEL_KINDS),
        actual=text,
        fixes=(Fix(f"Store {name} dense", formats={name: "dense"}),),
    )


def _misplacement(name: str, format: Format, misplaced: Misplaced) -> Diagnostic:
    text = level_text(format.levels[misplaced.number - 1])
    return Diagnostic(
        "format/misplaced-level",
        f"level {misplaced.number} of {name} cannot be {text}: {misplaced.reason}.",
        Location(Part.FORMAT, tensor=name),
        expected=misplaced.expected,
        actual=text,
        fixes=(_place(name, format, misplaced),),
    )


def _place(name: str, format: Format, misplaced: Misplaced) -> Fix:
    """The format with a level that can stand there, where one is close; else none of its levels."""
    instead = misplaced.instead
    if instead is None:
        return Fix(f"Store {name} dense", formats={name: "dense"})
    above, below = format.levels[: misplaced.number - 1], format.levels[misplaced.number :]
    text = format_text(replace(format, levels=(*above, instead, *below)))
    return Fix(f"Use {text} for {name}", formats={name: text})
