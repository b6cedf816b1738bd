"""Text to a test of a composition: ``length <= 4``, ``tile(4,4) >= 8``, ``diagonal in -1..1``."""

from __future__ import annotations

import re
from collections.abc import Callable

from compiler.diagnostics import CompileError, Diagnostic, Location, Part, nearest
from compiler.formats.composed.quantities import QUANTITIES, Quantity
from compiler.formats.parts import UNBOUNDED, Test

_TEST = re.compile(r"\s*([A-Za-z]\w*)\s*(?:\(([^()]*)\))?\s*(\S.*)?$", re.DOTALL)
_RANGE = re.compile(r"in\s*(-?[0-9]{1,12})\s*\.\.\s*(-?[0-9]{1,12})\s*$", re.IGNORECASE)
_COMPARED = re.compile(r"(<=|>=|==|!=|<|>)\s*(-?[0-9]{1,12})\s*$")

_LIMITS: dict[str, Callable[[int], tuple[int, int, bool]]] = {
    "<": lambda value: (-UNBOUNDED, value - 1, False),
    "<=": lambda value: (-UNBOUNDED, value, False),
    ">": lambda value: (value + 1, UNBOUNDED, False),
    ">=": lambda value: (value, UNBOUNDED, False),
    "==": lambda value: (value, value, False),
    "!=": lambda value: (value, value, True),
}


def parse_test(text: str, start: int, order: int, tensor: str) -> Test:
    """The test that ``text``, which stands at ``start`` of the format of ``tensor``, spells.

    Raises CompileError ``format/quantity`` or ``format/comparison``.
    """
    found = _TEST.match(text)
    place = Location(Part.FORMAT, start, start + len(text), tensor=tensor)
    if found is None or found.group(1).lower() not in QUANTITIES:
        word = text.strip() if found is None else found.group(1)
        raise _unknown(word, place, order, tensor)
    quantity = QUANTITIES[found.group(1).lower()]
    if quantity.matrices and order != 2:
        raise CompileError(
            Diagnostic(
                "format/quantity",
                f"only the entries of matrices have a {quantity.name}, and {tensor} has {order} dimensions",
                place,
                expected="one of " + ", ".join(_offered(order)),
                found=quantity.spelled,
            )
        )
    arguments = _arguments(quantity, found.group(2), place, order, tensor)
    least, most, excluded = _limits((found.group(3) or "").strip(), place, quantity, tensor)
    return Test(quantity.name, arguments, least, most, excluded)


def _offered(order: int) -> tuple[str, ...]:
    return tuple(one.spelled for one in QUANTITIES.values() if order == 2 or not one.matrices)


def _unknown(word: str, place: Location, order: int, tensor: str) -> CompileError:
    return CompileError(
        Diagnostic(
            "format/quantity",
            f"`{word}` is nothing that a test of {tensor} can ask of an entry",
            place,
            expected="one of " + ", ".join(_offered(order)),
            found=f"`{word}`",
            candidates=nearest(word.lower(), tuple(QUANTITIES)) or _offered(order),
        )
    )


def _arguments(quantity: Quantity, text: str | None, place: Location, order: int, tensor: str) -> tuple[int, ...]:
    words = [] if text is None else [word.strip() for word in text.split(",")]
    most = min(quantity.most, order - 1) if quantity.arguments == ("d",) else quantity.most
    fit = all(re.fullmatch(r"[0-9]{1,9}", word) and quantity.least <= int(word) <= most for word in words)
    if len(words) == len(quantity.arguments) and fit:
        return tuple(map(int, words))
    count = "no number" if not quantity.arguments else f"{len(quantity.arguments)} from {quantity.least} to {most}"
    raise CompileError(
        Diagnostic(
            "format/quantity",
            f"{quantity.spelled} is {quantity.summary}; the test of {tensor} has other numbers in parentheses",
            place,
            expected=count,
            found=f"({text})" if text is not None else "none",
        )
    )


def _limits(text: str, place: Location, quantity: Quantity, tensor: str) -> tuple[int, int, bool]:
    between = _RANGE.match(text)
    if between is not None:
        least, most = int(between.group(1)), int(between.group(2))
        if least <= most:
            return least, most, False
    compared = _COMPARED.match(text)
    if compared is not None:
        return _LIMITS[compared.group(1)](int(compared.group(2)))
    raise CompileError(
        Diagnostic(
            "format/comparison",
            f"behind {quantity.spelled} a test of {tensor} compares with a whole number",
            place,
            expected="<, <=, >, >=, == or != and a whole number, or `in 3..4`",
            found=f"`{text}`" if text else "nothing",
        )
    )
