"""Text to the macro of a composition: ``hyb(c,k)``, ``hyb(c,k,r)``, ``hyb(1,k,whole)``."""

from __future__ import annotations

import re
from typing import NamedTuple

from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part
from heddle.formats.composed.macros import MAX_BUCKET, hyb
from heddle.formats.composed.quantities import MAX_RANGES
from heddle.formats.parts import Composition

HYB = re.compile(r"\s*hyb\s*(?:\(([^()]*)\))?\s*$", re.IGNORECASE)


def parsed_macro(match: re.Match[str], order: int, tensor: str) -> Composition:
    place = Location(Part.FORMAT, match.start(), match.end(), tensor=tensor)
    if order != 2:
        raise CompileError(
            Diagnostic(
                "format/order-mismatch",
                f"hyb is a format of matrices, but {tensor} has {order} dimensions",
                place,
                expected="a matrix",
                actual=f"{order} dimensions",
                hint="other orders take parts with tests, such as `coo where length <= 2 + csf`; relations take ell3d",
                fixes=use(tensor, *(["ell3d(4,8) where length <= 8 + csf"] if order == 3 else []), "csf")
                if order > 2
                else (),
            )
        )
    words = [word.strip() for word in (match.group(1) or "").lower().split(",") if word.strip()]
    whole = words[-1:] == ["whole"]
    numbers = words[: len(words) - whole]
    if len(numbers) not in (2, 3):
        raise CompileError(
            Diagnostic(
                "format/hyb",
                f"hyb has two numbers: how many ranges the columns of {tensor} are cut into, and the largest bucket, "
                f"two to the power of which are its slots; a third one cuts the rows into ranges for workers, and "
                f"`whole` after them keeps longer rows whole",
                place,
                expected="hyb(2,3), hyb(2,3,64) or hyb(1,3,whole)",
                actual=match.group(0).strip(),
                fixes=use(tensor, "hyb(1,3)", "hyb(1,3,whole)"),
            )
        )
    ranges, bucket = (_number(words, number, place, tensor) for number in range(2))
    rows = _number(words, 2, place, tensor) if len(numbers) == 3 else None
    if whole and ranges != 1:
        raise CompileError(
            Diagnostic(
                "format/hyb",
                f"with `whole` a row of {tensor} lies in one part, so columns cannot be cut into {ranges} ranges",
                place,
                expected="one range of columns",
                actual=str(ranges),
                fixes=use(tensor, f"hyb(1,{bucket},whole)", f"hyb({ranges},{bucket})"),
            )
        )
    return hyb(ranges, bucket, rows, whole)


class _Slot(NamedTuple):
    """A number of ``hyb``: what it counts, from where to where."""

    what: str
    code: str
    least: int
    most: int


_NUMBERS = (
    _Slot("number of column ranges", "format/parts-count", 1, MAX_RANGES),
    _Slot("largest bucket", "format/bucket", 0, MAX_BUCKET),
    _Slot("number of row ranges", "format/parts-count", 1, MAX_RANGES),
)


def _number(words: list[str], number: int, place: Location, tensor: str) -> int:
    """The one that ``words[number]`` spells."""
    word, (what, code, least, most) = words[number], _NUMBERS[number]
    whole = re.fullmatch(r"[0-9]+", word) is not None
    if whole and least <= int(word) <= most:
        return int(word)
    near = str(min(max(int(word), least), most)) if whole else str(max(least, 2))
    repaired = [near if slot == number else word for slot, word in enumerate(words)]
    raise CompileError(
        Diagnostic(
            code,
            f"`{word}` cannot be the {what} of {tensor}",
            place,
            expected=f"a whole number from {least} to {most}",
            actual=f"`{word}`",
            fixes=use(tensor, f"hyb({','.join(repaired)})"),
        )
    )


def use(tensor: str, *texts: str) -> tuple[Fix, ...]:
    """Repairs that store ``tensor`` as one of ``texts``."""
    spelled = (" ".join(text.split()) for text in texts)
    return tuple(Fix(f"Use {text} for {tensor}", formats={tensor: text}) for text in spelled)
