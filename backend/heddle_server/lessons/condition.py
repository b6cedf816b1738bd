"""The language of checks: facts by name, compared and joined. It is parsed into a tree and never run as Python.

trace.imbalance <= 1.1 and not graph.has(pos)
cache.misses(B, 32768) <= 0.5 * start.cache.misses(B, 32768)
graph.order == [j, i]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

LONGEST = 400
"""Characters of one check."""

Value = float | str | bool | tuple["Value", ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """``trace.loads(A)``; ``of_start``: of the plan that the task starts with. Arguments are words, texts, numbers."""

    name: str
    arguments: tuple[Value, ...] = ()
    of_start: bool = False
    called: bool = False
    at: int = 0

    def __str__(self) -> str:
        shown = (f"{argument:g}" if isinstance(argument, float) else str(argument) for argument in self.arguments)
        called = f"({', '.join(shown)})" if self.called else ""
        return f"{'start.' * self.of_start}{self.name}{called}"


@dataclass(frozen=True, slots=True)
class Constant:
    value: Value

    def __str__(self) -> str:
        match self.value:
            case tuple():
                return f"[{', '.join(map(str, self.value))}]"
            case float():
                return f"{self.value:g}"
            case _:
                return str(self.value)


@dataclass(frozen=True, slots=True)
class Arithmetic:
    operator: str
    left: Condition
    right: Condition


@dataclass(frozen=True, slots=True)
class Comparison:
    operator: str
    left: Condition
    right: Condition


@dataclass(frozen=True, slots=True)
class Both:
    """``and`` or ``or``."""

    operator: str
    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not:
    condition: Condition


Condition = Fact | Constant | Arithmetic | Comparison | Both | Not


class BadCondition(ValueError):  # noqa: N818 - the text is bad, not the program
    """``at``: the character where the text cannot be read."""

    def __init__(self, text: str, at: int, expected: str) -> None:
        actual = repr(text[at : at + 20]) if at < len(text) else "the end"
        super().__init__(f"at character {at + 1} of '{text}': expected {expected}, found {actual}")


_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<text>\"[^\"]*\")|(?P<word>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)"
    r"|(?P<sign>==|!=|<=|>=|<|>|[-+*/(),\[\]]))"
)
COMPARED = ("==", "!=", "<=", ">=", "<", ">")


def parse_condition(text: str) -> Condition:
    """Raises BadCondition."""
    if len(text) > LONGEST:
        raise BadCondition(text[:40] + "…", 0, f"at most {LONGEST} characters")
    return _Parser(text).whole()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens: list[tuple[str, str, int]] = []
        at, end = 0, len(text.rstrip())
        while at < end:
            match = _TOKEN.match(text, at)
            if match is None or match.lastgroup is None:
                raise BadCondition(text, at, "a fact, a number or a sign")
            self._tokens.append((match.lastgroup, match[match.lastgroup], match.start(match.lastgroup)))
            at = match.end()
        self._next = 0
        self._depth = 0

    def whole(self) -> Condition:
        condition = self._join("or", lambda: self._join("and", self._negate))
        if self._next < len(self._tokens):
            raise self._expect("and, or, or the end")
        return condition

    def _join(self, word: str, part: Callable[[], Condition]) -> Condition:
        parts = [part()]
        while self._take("word", word):
            parts.append(part())
        return parts[0] if len(parts) == 1 else Both(word, tuple(parts))

    def _negate(self) -> Condition:
        if self._take("word", "not"):
            with_depth = self._deeper(self._negate)
            return Not(with_depth)
        left = self._sum()
        kind, operator, _ = self._peek()
        if kind == "sign" and operator in COMPARED:
            self._next += 1
            return Comparison(operator, left, self._sum())
        return left

    def _sum(self) -> Condition:
        return self._chain(("+", "-"), lambda: self._chain(("*", "/"), self._value))

    def _chain(self, operators: tuple[str, ...], part: Callable[[], Condition]) -> Condition:
        condition = part()
        while self._peek()[0] == "sign" and self._peek()[1] in operators:
            operator = self._peek()[1]
            self._next += 1
            condition = Arithmetic(operator, condition, part())
        return condition

    def _value(self) -> Condition:
        kind, text, at = self._peek()
        self._next += 1
        match kind, text:
            case "number", _:
                return Constant(float(text))
            case "text", _:
                return Constant(text[1:-1])
            case "sign", "(":
                inner = self._deeper(lambda: self._join("or", lambda: self._join("and", self._negate)))
                self._need(")")
                return inner
            case "sign", "[":
                return Constant(tuple(self._arguments("]")))
            case "word", "true" | "false":
                return Constant(text == "true")
            case "word", _ if text not in ("and", "or", "not"):
                return self._fact(text, at)
            case _:
                self._next -= 1
                raise self._expect("a fact or a number")

    def _fact(self, text: str, at: int) -> Condition:
        of_start = text.startswith("start.")
        name = text.removeprefix("start.")
        if self._take("sign", "("):
            return Fact(name, tuple(self._arguments(")")), of_start, True, at)
        return Fact(name, (), of_start, False, at) if "." in name else Constant(name)

    def _arguments(self, closing: str) -> Iterator[Value]:
        if self._take("sign", closing):
            return
        while True:
            kind, text, _ = self._peek()
            if kind not in ("word", "number", "text"):
                raise self._expect("a word or a number")
            self._next += 1
            yield float(text) if kind == "number" else text.strip('"')
            if self._take("sign", closing):
                return
            self._need(",")

    def _deeper(self, part: Callable[[], Condition]) -> Condition:
        self._depth += 1
        if self._depth > 20:
            raise self._expect("fewer parentheses")
        condition = part()
        self._depth -= 1
        return condition

    def _peek(self) -> tuple[str, str, int]:
        return self._tokens[self._next] if self._next < len(self._tokens) else ("end", "", len(self._text))

    def _take(self, kind: str, text: str) -> bool:
        if self._peek()[:2] == (kind, text):
            self._next += 1
            return True
        return False

    def _need(self, sign: str) -> None:
        if not self._take("sign", sign):
            raise self._expect(f"'{sign}'")

    def _expect(self, what: str) -> BadCondition:
        return BadCondition(self._text, self._peek()[2], what)


def facts_in(condition: Condition) -> Iterator[Fact]:
    match condition:
        case Fact():
            yield condition
        case Constant():
            return
        case Not(condition=inner):
            yield from facts_in(inner)
        case Both(parts=parts):
            for part in parts:
                yield from facts_in(part)
        case Arithmetic(left=left, right=right) | Comparison(left=left, right=right):
            yield from facts_in(left)
            yield from facts_in(right)
        case _:
            raise TypeError(f"unexpected condition {condition!r}")


def value_of(condition: Condition, fact: Callable[[Fact], Value]) -> Value:
    """Evaluates; ``fact`` looks facts up. Raises ValueError for numbers and words that do not go together."""
    match condition:
        case Fact():
            return fact(condition)
        case Constant(value=value):
            return value
        case Not(condition=inner):
            return not value_of(inner, fact)
        case Both(operator=operator, parts=parts):
            values = (bool(value_of(part, fact)) for part in parts)
            return all(values) if operator == "and" else any(values)
        case Arithmetic(operator=operator, left=left, right=right):
            return _compute(operator, _number(value_of(left, fact)), _number(value_of(right, fact)))
        case Comparison(operator=operator, left=left, right=right):
            return _is_compared(operator, value_of(left, fact), value_of(right, fact))
        case _:
            raise TypeError(f"unexpected condition {condition!r}")


def _number(value: Value) -> float:
    if isinstance(value, int | float):
        return float(value)
    raise ValueError(f"expected a number, found {value!r}")


def _compute(operator: str, left: float, right: float) -> float:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right if right else float("inf")
        case _:
            raise TypeError(operator)


def _is_compared(operator: str, left: Value, right: Value) -> bool:
    if operator in ("==", "!="):
        return (_plain(left) == _plain(right)) == (operator == "==")
    number, other = _number(left), _number(right)
    return {"<=": number <= other, ">=": number >= other, "<": number < other, ">": number > other}[operator]


def _plain(value: Value) -> Value:
    """Numbers are equal whatever their type; rounding of shares does not make them differ."""
    if isinstance(value, tuple):
        return tuple(_plain(each) for each in value)
    return round(float(value), 9) if isinstance(value, int | float) and not isinstance(value, bool) else value
