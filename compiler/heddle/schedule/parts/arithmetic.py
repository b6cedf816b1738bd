"""Integers of commands for parts: arithmetic of numbers and of what a part says of itself, ``8 * (widest / width)``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

CONSTANTS = {
    "width": "the slots of a row of the part, or the columns of its blocks",
    "height": "the rows of the part's blocks",
    "part": "the part's number, from 0",
    "parts": "how many parts the tensor has",
    "widest": "the largest width of any part",
}
_FUNCTIONS: dict[str, Callable[[int, int], int]] = {"min": min, "max": max}
_TOKEN = re.compile(r"\s*(?:(\d{1,18})|([A-Za-z_]\w*)|([-+*/(),]))")
MAX_TOKENS = 64


class ArithmeticMistake(ValueError):  # noqa: N818 - the text's, which becomes a diagnostic
    """``text`` at fault: what cannot be read, or a constant that a part does not have."""

    def __init__(self, text: str, missing: bool = False) -> None:
        super().__init__(text)
        self.text, self.missing = text, missing


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """An integer for each part; ``/`` rounds down. ``tokens`` are those of ``text``."""

    text: str
    tokens: tuple[str, ...]

    @staticmethod
    def parse(text: str) -> Arithmetic:
        """Raises ArithmeticMistake with the words that cannot be read."""
        tokens: list[str] = []
        place = 0
        while place < len(text.rstrip()):
            token = _TOKEN.match(text, place)
            if token is None or len(tokens) == MAX_TOKENS:
                raise ArithmeticMistake(text[place:].strip())
            tokens.append(token.group().strip())
            place = token.end()
        arithmetic = Arithmetic(text, tuple(tokens))
        arithmetic.value(dict.fromkeys(CONSTANTS, 1), checked=False)
        return arithmetic

    def value(self, constants: Mapping[str, int], checked: bool = True) -> int:
        """Raises ArithmeticMistake for a constant that is not among ``constants``, and where a divisor is 0. Unless
        ``checked``, it only looks whether it can be read."""
        reading = _Reading(self.tokens, constants, checked)
        value = reading.sum()
        if reading.place < len(self.tokens):
            raise ArithmeticMistake(self.tokens[reading.place])
        return value


@dataclass(slots=True)
class _Reading:
    tokens: tuple[str, ...]
    constants: Mapping[str, int]
    checked: bool
    place: int = 0

    def sum(self) -> int:
        value = self.product()
        while (sign := self.accept_sign("+", "-")) is not None:
            other = self.product()
            value = value + other if sign == "+" else value - other
        return value

    def product(self) -> int:
        value = self.factor()
        while (sign := self.accept_sign("*", "/")) is not None:
            other = self.factor()
            if sign == "/" and other == 0 and self.checked:
                raise ArithmeticMistake("a division by 0")
            value = value * other if sign == "*" else value // (other or 1)
        return value

    def factor(self) -> int:
        token = self.tokens[self.place] if self.place < len(self.tokens) else ""
        self.place += 1
        if token == "-":
            return -self.factor()
        if token.isdigit():
            return int(token)
        if token == "(":
            value = self.sum()
            self.expect(")")
            return value
        if token in _FUNCTIONS:
            self.expect("(")
            value = self.sum()
            self.expect(",")
            value = _FUNCTIONS[token](value, self.sum())
            self.expect(")")
            return value
        if token in self.constants:
            return self.constants[token]
        raise ArithmeticMistake(token or "its end", missing=token in CONSTANTS)

    def accept_sign(self, *signs: str) -> str | None:
        if self.place < len(self.tokens) and self.tokens[self.place] in signs:
            self.place += 1
            return self.tokens[self.place - 1]
        return None

    def expect(self, sign: str) -> None:
        if self.accept_sign(sign) is None:
            raise ArithmeticMistake(self.tokens[self.place] if self.place < len(self.tokens) else "its end")
