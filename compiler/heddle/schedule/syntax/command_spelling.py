"""Commands as other systems and other programs write them, in the spelling of Heddle.

A PDF breaks a command over two lines, C++ ends it with a semicolon, TVM names its arguments, Halide hangs it on a
function: what is meant is not in doubt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from heddle.plan.schedule_text import split_schedule
from heddle.schedule.command import Parameter
from heddle.schedule.registry import COMMANDS
from heddle.typography import plain_characters

_CALL = re.compile(
    r"^(?:(?:auto\s+)?(?P<made>[A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\s*=\s*)?"
    r"(?:[A-Za-z_]\w*\s*(?:\[[^\]]*\])?\s*\.\s*)*(?P<name>[A-Za-z_]\w*)\s*\((?P<inside>.*)\)\s*;?$",
    re.DOTALL,
)
_BARE = re.compile(r"^(?P<name>[A-Za-z_]\w*)\s+(?P<inside>[^()\s=][^()=]*)$")
"""As a shell takes it: ``split i i0 i1 32``."""
_BETWEEN = re.compile(r"[\s,;]+")
_KEYWORD = re.compile(r"^([A-Za-z_]\w*)\s*=(?!=)\s*")
_WHOLE = re.compile(r"^([+-]?\d+)(?:\.0*|[uUlL]+)$")
_ACCESS = re.compile(r"^([A-Za-z_]\w*)\s*[(.].*$", re.DOTALL)

MOST_JOINED = 4
"""Lines that one command may be broken over."""

UNITS = {"parallel": "CPUThread", "vectorize": "CPUVector"}
"""Halide's and TVM's commands that run the iterations of a loop at once, and the unit here."""


def meant_commands(commands: Sequence[str], number: int, parses: Callable[[str], bool]) -> tuple[str, ...] | None:
    """The commands with what is meant by the one at ``number``, and by those after it that are written alike.

    Returns None where that one is not understood.
    """
    replaced = _guess_meaning(commands, number, parses)
    if replaced is None:
        return None
    meant, following = [*commands[:number], *replaced[0]], number + replaced[1]
    while following < len(commands):
        later = None if parses(commands[following]) else _guess_meaning(commands, following, parses)
        lines, count = later if later is not None else ((commands[following],), 1)
        meant += lines
        following += count
    return tuple(meant)


def _guess_meaning(
    commands: Sequence[str], number: int, parses: Callable[[str], bool]
) -> tuple[tuple[str, ...], int] | None:
    """What stands for a command, and of how many commands it takes the place."""
    for text, count in _offer_joined(commands, number):
        lines = tuple(_respell(line) for line in split_schedule(text))
        if lines and lines != (commands[number].strip(),) and all(map(parses, lines)):
            return lines, count
    return None


def _offer_joined(commands: Sequence[str], number: int) -> Iterator[tuple[str, int]]:
    """The command in plain characters, alone, and where its parenthesis is open, with the lines after it, or closed."""
    alone = text = plain_characters(commands[number]).strip()
    yield text, 1
    for count in range(2, min(MOST_JOINED, len(commands) - number) + 1):
        if _open(text) <= 0:
            break
        line = plain_characters(commands[number + count - 1]).strip()
        broken_word = re.search(r"[A-Za-z]-$", text) is not None and line[:1].isalpha()
        text = text[:-1] + line if broken_word else f"{text} {line}"
        yield text, count
    if _open(alone) > 0:
        yield alone + ")" * _open(alone), 1


def _open(text: str) -> int:
    return text.count("(") - text.count(")")


def _respell(text: str) -> str:
    """One command with its arguments as they are written here; as it is where it is none that is known."""
    call = _CALL.match(text.strip())
    if call is None:
        bare = _BARE.match(text.strip())
        if bare is None or bare["name"] not in COMMANDS:
            return text.strip()
        words = _BETWEEN.split(bare["inside"].strip(" ,;"))
        return f"{bare['name']}({', '.join(words)})"
    arguments = [argument.strip() for argument in _cut(call["inside"])]
    keywords = {match[1] for argument in arguments if (match := _KEYWORD.match(argument))}
    values = [_KEYWORD.sub("", argument) for argument in arguments]
    name = call["name"]
    if name in UNITS and len(values) == 1:
        return f"parallelize({values[0]}, {UNITS[name]}, NoRaces)"
    if name == "split" and len(values) == 2:
        loops = [word.strip() for word in (call["made"] or "").split(",")]
        outer, inner = loops if len(loops) == 2 else (f"{values[0]}0", f"{values[0]}1")
        name = "divide" if "nparts" in keywords else "split"
        values = [values[0], outer, inner, values[1]]
    if name not in COMMANDS:
        return text.strip()
    parameters = COMMANDS[name].parameters
    spelled = (
        _argument(value, parameters[min(place, len(parameters) - 1)]) if parameters else value
        for place, value in enumerate(values)
    )
    return f"{name}({', '.join(spelled)})"


def _argument(text: str, parameter: Parameter) -> str:
    match parameter.kind:
        case "integer":
            return _WHOLE.sub(r"\1", text)
        case "tensor":
            return _ACCESS.sub(r"\1", text)
        case "enumeration":
            return text.rpartition("::")[2]
        case _:
            return text


def _cut(text: str) -> Iterator[str]:
    """The pieces between commas outside of parentheses; none of an empty text."""
    start, depth = 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "({[") - (letter in ")}]")
        if letter == "," and depth == 0:
            yield text[start:place]
            start = place + 1
    if text[start:].strip():
        yield text[start:]
