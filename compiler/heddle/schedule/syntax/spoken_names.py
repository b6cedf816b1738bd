"""The names in the commands of a schedule, for the loops that the first of them finds."""

from __future__ import annotations

import re
from collections.abc import Sequence

from heddle.diagnostics import CompileError
from heddle.iteration_graph.build.scheduled_variables import NamesOfCommands
from heddle.schedule.syntax.parser import parse_command

_NAME = re.compile(r"[A-Za-z_]\w*")


def spoken_names(schedule: Sequence[str]) -> NamesOfCommands:
    """Of all commands, those that cannot be read included: their names are meant, too."""
    spoken = {name for text in schedule for name in _NAME.findall(text)}
    return NamesOfCommands(frozenset(spoken), frozenset(_find_introduced(schedule)))


def _find_introduced(schedule: Sequence[str]) -> set[str]:
    names: set[str] = set()
    for number, text in enumerate(schedule):
        try:
            parsed = parse_command(text, number)
        except CompileError:
            continue
        for parameter, argument in zip(parsed.spec.parameters, parsed.arguments, strict=False):
            if parameter.kind.startswith("new-"):
                names.update(_NAME.findall(argument.text))
    return names
