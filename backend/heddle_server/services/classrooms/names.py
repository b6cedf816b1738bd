"""Nicknames and titles: whatever somebody types, as one line that looks like what it is."""

from __future__ import annotations

import unicodedata

from heddle_server.problem import ProblemError

# Controls, halves of characters, what turns the direction of text or cannot be seen, and places for private use.
INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Joins letters and emoji, and means something between two of them alone.
JOINER = "\u200d"
# Marks on one letter, of which some scripts have two; towers of them cover the lines above.
MOST_MARKS = 2


def read_name(text: str, longest: int, what: str) -> str:
    """The name in its composed form, without what cannot be seen. Raises ProblemError for one that is empty or too
    long."""
    name = " ".join(visible(unicodedata.normalize("NFC", text)).split())
    if not name:
        detail = f"Expected a {what} with at least one letter or digit, found none that can be seen. Choose another."
        raise ProblemError(422, "bad-name", f"This is not a {what}", detail)
    if len(name) > longest:
        detail = f"Expected a {what} of at most {longest} characters, found {len(name)}. Choose a shorter one."
        raise ProblemError(422, "bad-name", f"This {what} is too long", detail)
    return name


def visible(text: str) -> str:
    """Spaces of all kinds become plain ones."""
    letters: list[str] = []
    marks = 0
    for place, letter in enumerate(text):
        kind = unicodedata.category(letter)
        if kind in ("Mn", "Me"):
            marks += 1
            if marks > MOST_MARKS:
                continue
        else:
            marks = 0
        if letter.isspace():
            letters.append(" ")
        elif kind not in INVISIBLE or (letter == JOINER and 0 < place < len(text) - 1):
            letters.append(letter)
    shown = "".join(letters)
    return shown if any(unicodedata.category(letter)[0] in "LNPS" for letter in shown) else ""


def fold(name: str) -> str:
    """Equal for names that look alike but for case, width and style, of which a class has one."""
    return unicodedata.normalize("NFKC", name).casefold().replace(JOINER, "")[:160]
