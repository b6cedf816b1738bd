"""Reading a text word by word."""

from __future__ import annotations

from heddle.diagnostics import Fix
from heddle.patterns.syntax.lexer import Token, tokens
from heddle.patterns.syntax.problem import problem


class Reader:
    """The words of a text, one after the other, and what is wrong where another one was expected."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokens(text)
        self._place = 0

    @property
    def next(self) -> Token:
        return self._tokens[self._place]

    def after(self) -> Token:
        return self._tokens[min(self._place + 1, len(self._tokens) - 1)]

    def take(self) -> Token:
        token = self.next
        self._place += token.kind != "end"
        return token

    def end(self) -> int:
        return self._tokens[self._place - 1].span[1]

    def fail(self, expected: str) -> None:
        token = self.next
        actual = token.text if token.kind == "end" else f"`{token.text}`"
        fixes: tuple[Fix, ...] = ()
        if "`)`" in expected:
            at = self._tokens[self._place - 1].span[1]
            fixes = (Fix("Insert the parenthesis", expression=f"{self._text[:at]}){self._text[at:]}"),)
        raise problem(
            "syntax",
            f"Expected {expected}, found {actual}.",
            token.span,
            expected=expected,
            actual=actual,
            fixes=fixes,
        )

    def want(self, kind: str) -> Token:
        if self.next.kind != kind:
            self.fail(f"`{kind}`" if kind != "name" else "a name")
        return self.take()

    def at(self, *kinds: str) -> bool:
        return self.next.kind in kinds

    def word(self, *words: str) -> bool:
        return self.next.kind == "name" and self.next.text in words
