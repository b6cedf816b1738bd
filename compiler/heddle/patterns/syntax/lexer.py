"""The words of a program. Comments begin with ``//`` or ``#``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from heddle.patterns.syntax.limits import MAX_TEXT
from heddle.patterns.syntax.nodes import Span
from heddle.patterns.syntax.problem import problem

_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*|\#[^\n]*)"
    r"|(?P<number>(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)(?:[fF](?!\w))?|\d+)"
    r"|(?P<name>[A-Za-z](?:\w*\w)?|λ|Σ)"
    r"|(?P<projection>\.\d+)"
    r"|(?P<mark>:>>|\|>|=>|⇒|->|↦|==|!=|<=|>=|&&|\|\||[-+*/%·<>()\[\]{},;:@?=_!])"
)
_SAME = {"⇒": "=>", "↦": "->", "|>": ":>>", "·": "*"}


@dataclass(frozen=True, slots=True)
class Token:
    """``kind`` is ``number``, ``name``, ``projection``, ``end``, or the mark itself."""

    kind: str
    text: str
    span: Span


def tokens(text: str) -> list[Token]:
    """The words of ``text`` and an ``end``.

    Raises
    ------
    CompileError
        ``patterns/too-long`` or ``patterns/character``.
    """
    check_length(text)
    tokens: list[Token] = []
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise problem(
                "character",
                f"`{text[place]}` has no meaning here.",
                (place, place + 1),
                expected="names, numbers, and the marks of the language",
                actual=text[place],
            )
        kind, word, span = match.lastgroup or "", match.group(), match.span()
        place = match.end()
        if kind == "mark":
            word = _SAME.get(word, word)
            tokens.append(Token(word, word, span))
        elif kind == "number":  # C's 0.0f is 0.0: the types of a program say how wide its numbers are
            tokens.append(Token(kind, word.rstrip("fF"), span))
        elif kind != "space":
            tokens.append(Token(kind, word, span))
    end = len(text.rstrip())
    tokens.append(Token("end", "the end of the text", (max(0, end - 1), end)))
    return tokens


def check_length(text: str) -> None:
    """Raises CompileError ``patterns/too-long`` for a text that is too long to be parsed."""
    if len(text) > MAX_TEXT:
        raise problem(
            "too-long",
            f"The program has {len(text):,} characters; at most {MAX_TEXT:,} are read.",
            (MAX_TEXT, len(text)),
            expected=f"at most {MAX_TEXT:,} characters",
            actual=f"{len(text):,} characters",
        )
