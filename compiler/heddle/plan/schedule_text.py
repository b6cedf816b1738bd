"""A schedule's text to its commands: one or more a line, comments and blank lines left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_COMMENT = re.compile(r"#|//")


def split_schedule(text: str) -> tuple[str, ...]:
    """The commands of ``text``, one per line. A line may hold several after commas or semicolons, as on TACO's
    command line: ``split(i,i0,i1,32),parallelize(i0,CPUThread,NoRaces)``. Lines and line ends that begin with ``#``
    or ``//`` are comments."""
    return tuple(command for line in text.splitlines() for command in _commands(without_comment(line)) if command)


def without_comment(line: str) -> str:
    comment = _COMMENT.search(line)
    return (line[: comment.start()] if comment else line).strip()


def _commands(line: str) -> Iterator[str]:
    """Cuts at each comma or semicolon that is after the parenthesis which closes a command."""
    start, depth = 0, 0
    for place, letter in enumerate(line):
        depth = max(0, depth + (letter == "(") - (letter == ")"))
        if letter in ",;" and depth == 0 and line[start:place].rstrip().endswith(")"):
            yield line[start:place].strip()
            start = place + 1
    yield line[start:].strip(" \t,;")


def length_text(schedule: Sequence[str]) -> str:
    """How long a schedule is."""
    commands = len(schedule)
    return "no schedule" if commands == 0 else f"schedule of {commands} command{'s' if commands > 1 else ''}"
