"""A composition's text: its macro, or its parts with their tests."""

from __future__ import annotations

from collections.abc import Callable

from heddle.formats.format import Format
from heddle.formats.parts import UNBOUNDED, Composition, FormatPart, Test


def composition_text(composition: Composition, format_text: Callable[[Format], str]) -> str:
    """E.g. ``bcsr(4,4) where tile(4,4) >= 8 + csr``; layouts as ``format_text`` spells them."""
    if composition.macro is not None:
        return composition.macro
    return " + ".join(_part(part, format_text) for part in composition.parts)


def _part(part: FormatPart, format_text: Callable[[Format], str]) -> str:
    tests = " and ".join(test_text(test) for test in part.tests)
    layout = f"{part.name} = {format_text(part.format)}" if part.named else format_text(part.format)
    return layout + (f" where {tests}" if tests else "")


def test_text(test: Test) -> str:
    """E.g. ``piece(2,8) in 3..4``."""
    numbers = ",".join(map(str, test.arguments))
    quantity = f"{test.quantity}({numbers})" if test.arguments else test.quantity
    if test.least == test.most:
        return f"{quantity} {'!=' if test.excluded else '=='} {test.least}"
    if test.most == UNBOUNDED:
        return f"{quantity} >= {test.least}"
    if test.least == -UNBOUNDED:
        return f"{quantity} <= {test.most}"
    return f"{quantity} in {test.least}..{test.most}"
