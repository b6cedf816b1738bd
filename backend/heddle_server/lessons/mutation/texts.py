"""One text -> texts that differ from it in one place, each with the words that say where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

Change = tuple[str, str]
"""What was changed, and the text after it."""

_NUMBER = re.compile(r"(?<![A-Za-z_0-9])\d+(?![\w])")
_WORD = re.compile(r"[A-Za-z_]\w*")
_CALL = re.compile(r"[A-Za-z_]\w*\(")
_OPERATOR = re.compile(r"[+*](?![=>])|(?<![=-])-(?!>)|<=|>=|<(?!=)|(?<![=\-:>])>(?![=>])")
_REDUCTION = re.compile(r"(?:\+|\*|max|min)=!?")
_OPERATORS = {
    "+": ("*", "-"),
    "*": ("+",),
    "-": ("+",),
    "<": ("<=", ">="),
    "<=": ("<",),
    ">": (">=", "<="),
    ">=": (">",),
}
_REDUCTIONS = ("+=", "max=", "min=")


def change_numbers(text: str) -> Iterator[Change]:
    """Each whole number, one more and one less."""
    for match in _NUMBER.finditer(text):
        for other in (int(match[0]) + 1, int(match[0]) - 1):
            if other >= 0:
                yield f"{match[0]} is {other}", _replace(text, match, str(other))


def change_operators(text: str) -> Iterator[Change]:
    """Each operator of an expression or a test, and each reduction, is another one."""
    reductions = list(_REDUCTION.finditer(text))
    for match in reductions:
        for other in _REDUCTIONS:
            if not match[0].startswith(other):
                yield f"{match[0]} is {other}", _replace(text, match, other + "!" * match[0].endswith("!"))
    for match in _OPERATOR.finditer(text):
        if not any(reduction.start() <= match.start() < reduction.end() for reduction in reductions):
            for other in _OPERATORS[match[0]]:
                yield f"{match[0]} is {other}", _replace(text, match, other)


def drop_calls(text: str, functions: Iterable[str]) -> Iterator[Change]:
    """Each call of a function is one of its arguments alone."""
    known = frozenset(functions)
    for match in _CALL.finditer(text):
        if match[0][:-1] in known:
            end, arguments = _arguments(text, match.end())
            for argument in arguments:
                yield f"{match[0]}…) is {argument.strip()}", text[: match.start()] + argument.strip() + text[end:]


def change_words(text: str, families: Sequence[Sequence[str]]) -> Iterator[Change]:
    """Each word that is of a family is another one of it: another loop, another strategy, another unit."""
    for match in _WORD.finditer(text):
        if match.end() < len(text) and text[match.end()] == "(":
            continue
        for family in families:
            if match[0] in family:
                for other in family:
                    if other != match[0]:
                        yield f"{match[0]} is {other}", _replace(text, match, other)


def _replace(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


def _arguments(text: str, start: int) -> tuple[int, list[str]]:
    """The place behind the parenthesis that closes at ``start``, and what stands between the commas before it."""
    depth, begin, parts = 1, start, list[str]()
    for place in range(start, len(text)):
        match text[place]:
            case "(" | "[" | "{":
                depth += 1
            case ")" | "]" | "}":
                depth -= 1
                if not depth:
                    return place + 1, [*parts, text[begin:place]]
            case "," if depth == 1:
                parts.append(text[begin:place])
                begin = place + 1
            case _:
                pass
    return len(text), parts
