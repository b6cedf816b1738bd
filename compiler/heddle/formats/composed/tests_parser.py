"""Text to a test of a composition: ``length <= 4``, ``tile(4,4) >= 8``, ``diagonal in -1..1``."""

from __future__ import annotations

import re
from collections.abc import Callable

from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part, nearest
from heddle.formats.composed.quantities import QUANTITIES, Quantity
from heddle.formats.parts import UNBOUNDED, Test

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


Use = Callable[[str, int, int], tuple[Fix, ...]]
"""Repairs with another text between two places of the format."""


def parse_test(text: str, start: int, order: int, tensor: str, use: Use) -> Test:
    """The test that ``text``, which stands at ``start`` of the format of ``tensor``, spells.

    Raises CompileError ``format/quantity`` or ``format/comparison``.
    """
    match = _TEST.match(text)
    place = Location(Part.FORMAT, start, start + len(text), tensor=tensor)
    if match is None or match.group(1).lower() not in QUANTITIES:
        word, first = (text.strip(), 0) if match is None else (match.group(1), match.start(1))
        raise _unknown(word, start + first, place, order, tensor, use)
    quantity = QUANTITIES[match.group(1).lower()]
    if quantity.matrices and order != 2:
        raise CompileError(
            Diagnostic(
                "format/quantity",
                f"only the entries of matrices have a {quantity.name}, and {tensor} has {order} dimensions",
                place,
                expected="one of " + ", ".join(_list_offers(order)),
                actual=quantity.spelled,
            )
        )
    inside = (start + match.end(1), start + (match.start(3) if match.group(3) else match.end()))
    arguments = _arguments(quantity, match.group(2), inside, place, order, tensor, use)
    compared = (start + match.start(3), start + match.end(3)) if match.group(3) else (start + len(text),) * 2
    least, most, excluded = _limits((match.group(3) or "").strip(), compared, place, quantity, tensor, use)
    return Test(quantity.name, arguments, least, most, excluded)


def _list_offers(order: int) -> tuple[str, ...]:
    return tuple(quantity.spelled for quantity in QUANTITIES.values() if order == 2 or not quantity.matrices)


def _unknown(word: str, first: int, place: Location, order: int, tensor: str, use: Use) -> CompileError:
    close = nearest(word.lower(), tuple(QUANTITIES))
    message = f"`{word}` is nothing that a test of {tensor} can ask of an entry"
    if not word:
        message = f"a test is missing in the format of {tensor}"
    return CompileError(
        Diagnostic(
            "format/quantity",
            f"{message}; did you mean {close[0]}?" if close else message,
            place,
            expected="one of " + ", ".join(_list_offers(order)),
            actual=f"`{word}`" if word else "nothing",
            candidates=close or _list_offers(order),
            fixes=use(close[0], first, first + len(word))
            if close
            else ()
            if word
            else use(" length <= 4", first, first),
        )
    )


def _arguments(
    quantity: Quantity, text: str | None, inside: tuple[int, int], place: Location, order: int, tensor: str, use: Use
) -> tuple[int, ...]:
    words = [] if text is None else [word.strip() for word in text.split(",")]
    most = min(quantity.most, order - 1) if quantity.arguments == ("d",) else quantity.most
    fit = all(re.fullmatch(r"[0-9]{1,9}", word) and quantity.least <= int(word) <= most for word in words)
    if len(words) == len(quantity.arguments) and fit:
        return tuple(map(int, words))
    count = "no number" if not quantity.arguments else f"{len(quantity.arguments)} from {quantity.least} to {most}"
    numbers = [int(word) if re.fullmatch(r"[0-9]+", word) else 4 for word in words] + [4, 4]
    near = ",".join(str(min(max(number, quantity.least), most)) for number in numbers[: len(quantity.arguments)])
    raise CompileError(
        Diagnostic(
            "format/quantity",
            f"{quantity.spelled} is {quantity.summary}; the test of {tensor} has other numbers in parentheses",
            place,
            expected=count,
            actual=f"({text})" if text is not None else "none",
            fixes=use(f"({near}) " if near else " ", *inside),
        )
    )


def _limits(
    text: str, compared_at: tuple[int, int], place: Location, quantity: Quantity, tensor: str, use: Use
) -> tuple[int, int, bool]:
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
            f"after {quantity.spelled} a test of {tensor} compares with a whole number",
            place,
            expected="<, <=, >, >=, == or != and a whole number, or `in 3..4`",
            actual=f"`{text}`" if text else "nothing",
            fixes=use(_comparison(text), *compared_at),
        )
    )


def _comparison(text: str) -> str:
    """The comparison that comes closest to a text that is none."""
    sign, number = re.match(r"[^0-9-]*", text), re.search(r"-?[0-9]+", text)
    spelled = "" if sign is None else sign.group().strip()
    usual = {"=<": "<=", "=>": ">=", "<>": "!=", "!": "!="}.get(spelled, spelled)
    least = int(number.group()) if number is not None else 4
    if usual in ("<", ">=") and re.search(r"[0-9][.][0-9]*[1-9]", text):
        least += 1  # no whole number lies in between
    return f" {usual if usual in _LIMITS else '=='} {least} "
