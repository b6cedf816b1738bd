"""What can be pasted as a plan. One table: how a text is recognised, and what it says. The first that fits reads it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from heddle.plan import split_schedule
from heddle.schedule.registry import COMMANDS
from heddle.tuning.mapping.options import is_mapping_options, read_options
from heddle_server.imports.imported import Imported
from heddle_server.imports.taco_command import is_taco_command, read_taco_command
from heddle_server.imports.taco_program import is_taco_program, read_taco_program


@dataclass(frozen=True, slots=True)
class Reader:
    """``read`` raises ValueError, with words for a person, where the text is cut off or spoilt."""

    name: str
    title: str
    fits: Callable[[str], bool]
    read: Callable[[str], Imported]


def _is_schedule(text: str) -> bool:
    commands = split_schedule(text)
    return bool(commands) and all(command.partition("(")[0].strip() in COMMANDS for command in commands)


def _read_schedule(text: str) -> Imported:
    return Imported(schedule=list(split_schedule(text)))


def _read_options(text: str) -> Imported:
    return Imported(options=read_options(text))


READERS = (
    Reader("mapping-options", "mapping options of Tensor Comprehensions", is_mapping_options, _read_options),
    Reader("taco-program", "TACO's C++ interface", is_taco_program, read_taco_program),
    Reader("taco-command", "a TACO command line", is_taco_command, read_taco_command),
    Reader("schedule", "schedule commands", _is_schedule, _read_schedule),
)


def reader_of(text: str) -> Reader | None:
    return next((reader for reader in READERS if reader.fits(text)), None)


def plan_document(text: str) -> object | None:
    """The document that the text is, where it is JSON: a plan needs no reader."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        return json.loads(text)  # type: ignore[no-any-return]
    except (ValueError, RecursionError):
        return None
