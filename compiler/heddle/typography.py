"""Characters that PDFs, word processors and web pages put in the place of those that programs are written with."""

from __future__ import annotations

_SPACES = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_LINE_ENDS = "\u000b\u000c\u0085\u2028\u2029"
_UNSEEN = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
"""Take no room: soft hyphens, zero-width spaces and joiners, byte order marks."""
_DIRECTIONS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Turn the text around them, so that it reads otherwise than it is: nothing that passes without a word."""

_BLANK = str.maketrans({**dict.fromkeys(_SPACES + _UNSEEN, " "), **dict.fromkeys(_LINE_ENDS, "\n")})

LOOKALIKES = {
    "·": "*",
    "×": "*",
    "∗": "*",
    "⋅": "*",
    "÷": "/",
    "−": "-",
    "–": "-",
    "‐": "-",
    "‑": "-",
    "“": '"',
    "”": '"',
    "„": '"',
    "‘": "'",
    "’": "'",
    "′": "'",
    "、": ",",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
}
"""What is seen, and the characters that it stands for; the full-width forms are those of ASCII, 0xFEE0 further on."""

_PLAIN = str.maketrans({**LOOKALIKES, **dict.fromkeys(_DIRECTIONS, "")})


def plain_spaces(text: str) -> str:
    """The text with every kind of space as a space and every line end as a line feed. Each character keeps its
    place."""
    return text if text.isascii() else text.translate(_BLANK)


def plain_characters(text: str) -> str:
    """The text in the characters of the languages, as far as it is known what a character stands for."""
    if text.isascii():
        return text
    for unseen in _UNSEEN:
        text = text.replace(unseen, "")
    return plain_spaces(text).translate(_PLAIN)
