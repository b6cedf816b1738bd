"""Just enough of C++: statements, calls of a chain, and the arguments between parentheses."""

from __future__ import annotations

import re
from collections.abc import Iterator

_COMMENTS = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_PREPROCESSOR = re.compile(r"^\s*#.*$", re.MULTILINE)
_CALL = re.compile(r"(\w+)\s*\(")
OPENING, CLOSING = "({[", ")}]"


def statements_of(text: str) -> list[str]:
    """What stands between semicolons outside of parentheses, without comments, in one line each.

    Raises
    ------
    ValueError
        a parenthesis does not close, or closes nothing.
    """
    quotes = str.maketrans({"“": '"', "”": '"', "\u00a0": " "})
    plain = _PREPROCESSOR.sub(" ", _COMMENTS.sub(" ", text.translate(quotes)))
    lines = (" ".join(piece.split()) for piece in _cut(_without_blocks(plain), ";"))
    return [line for line in lines if line and not line.startswith(("using namespace", "return"))]


def _without_blocks(text: str) -> str:
    """The text with the statements of functions as if they stood there alone: heads and braces are left out."""
    written = ""
    depth, blocks = 0, 0
    for letter in text:
        if letter == "{" and depth == 0 and written.rstrip().endswith(")"):
            written = written[: written.rfind(";") + 1]
            blocks += 1
        elif letter == "}" and depth == 0 and blocks > 0:
            written += ";"
            blocks -= 1
        else:
            depth += (letter in OPENING) - (letter in CLOSING)
            written += letter
    return written


def arguments_of(text: str) -> list[str]:
    """What stands between commas outside of parentheses. Raises ValueError as :func:`statements_of` does."""
    return [piece.strip() for piece in _cut(text, ",") if piece.strip()]


def calls(statement: str) -> Iterator[tuple[str, str]]:
    """The calls of a chain in their order, each with what is between its parentheses; calls inside these are not
    among them."""
    place = 0
    while (match := _CALL.search(statement, place)) is not None:
        end = _closing(statement, match.end())
        yield match[1], statement[match.end() : end]
        place = end + 1


def _closing(text: str, start: int) -> int:
    """The place of the parenthesis that closes the one in front of ``start``."""
    depth = 1
    for place in range(start, len(text)):
        depth += (text[place] in OPENING) - (text[place] in CLOSING)
        if depth == 0:
            return place
    raise ValueError("a parenthesis is not closed")


def _cut(text: str, sign: str) -> list[str]:
    pieces, start, depth = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter in OPENING) - (letter in CLOSING)
        if depth < 0:
            raise ValueError("a parenthesis closes nothing")
        if letter == sign and depth == 0:
            pieces.append(text[start:place])
            start = place + 1
    if depth > 0:
        raise ValueError("a parenthesis is not closed")
    return [*pieces, text[start:]]
