"""What a child process says: lines of JSON on its standard output, which are believed only as far as they are what a
child of ours says. Whatever else a child that a kernel has broken out of writes is ignored, and counted.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn

LONGEST_TEXT = 20_000
"""Characters of a title, of a detail or of a message."""
DEEPEST = 64
"""Levels of lists and objects in each other: what shows them calls itself for each."""
LONGEST_MESSAGE = 500
"""Characters of a phase or a message, of which a run tells many."""
EVENTS_AT_ONCE, EVENTS_A_SECOND = 200, 20.0
MOST_BYTES = 4 << 20
"""Of those that are kept one by one."""

Event = dict[str, Any]


class Lines:
    """Pieces of output in, whole lines out; the time is linear in the bytes, however long a line is."""

    def __init__(self) -> None:
        self._begun: list[bytes] = []

    def take(self, piece: bytes) -> Iterator[bytes]:
        first, *others = piece.split(b"\n")
        self._begun.append(first)
        for line in others:
            yield b"".join(self._begun)
            self._begun = [line]


class ChildEvents:
    """Lines in, events of ours out. ``ignored`` are the events that are none of ours, or too many."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._lines, self._clock = Lines(), clock
        self._kept, self._kept_bytes, self._began = 0, 0, clock()
        self.ignored = 0

    def take(self, piece: bytes) -> Iterator[Event]:
        for line in self._lines.take(piece):
            # Others are what a library prints.
            if line.startswith(b"{") and (event := self._read(line)) is not None:
                yield event

    def _read(self, line: bytes) -> Event | None:
        try:
            event = read_json(line)
        except (ValueError, RecursionError):
            event = None
        if isinstance(event, dict) and is_event(event) and self._has_room(event, len(line)):
            return event
        self.ignored += 1
        return None

    def _has_room(self, event: Event, size: int) -> bool:
        if event["event"] not in ("sweeps", "lines"):
            return True
        self._kept += 1
        self._kept_bytes += size
        if self._kept_bytes > MOST_BYTES:
            return False
        return self._kept <= EVENTS_AT_ONCE + EVENTS_A_SECOND * (self._clock() - self._began)


def read_json(line: bytes) -> object:
    """What can be passed on, stored and shown again. Raises ValueError or RecursionError for other lines: numbers that
    are none, whole numbers of more than 64 bits, on which the connection of a worker would break, halves of characters,
    and what is too deep."""
    value: object = json.loads(line, parse_constant=_refuse, parse_int=_whole)
    json.dumps(value, allow_nan=False, ensure_ascii=False).encode()  # 1e999 is infinite
    level, levels = [value], 0
    while level:
        levels += 1
        if levels > DEEPEST:
            raise ValueError("too deep")
        level = [inner for outer in level for inner in _parts(outer)]
    return value


def _whole(text: str) -> int:
    number = int(text)
    if not -(1 << 63) <= number < 1 << 64:
        raise ValueError(text[:20])
    return number


def _parts(value: object) -> Iterator[object]:
    match value:
        case dict():
            yield from value.values()
        case list():
            yield from value
        case _:
            pass


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def is_event(event: Mapping[str, Any]) -> bool:
    """Whether it is what children of ours say. What schemas describe is held against them where it is kept."""
    match event.get("event"):
        case "sandbox":
            return isinstance(event.get("sandbox"), dict)
        case "progress":
            texts = (event.get("phase"), event.get("message"))
            told = all(_is_text(text, LONGEST_MESSAGE) for text in texts)
            return told and _is_number(event.get("fraction")) and _is_number(event.get("seconds_left"))
        case "sweeps":
            return _are_objects(event.get("records"))
        case "checkpoint":
            return isinstance(event.get("state"), str) and _are_objects(event.get("records"))
        case "lines":
            return _is_count(event.get("number")) and _are_objects(event.get("lines"))
        case "result":
            result = event.get("result")
            return isinstance(result, dict) and isinstance(result.get("sandbox", {}), dict)
        case "problem":
            problem = event.get("problem")
            return isinstance(problem, dict) and is_problem(problem)
        case _:
            return False


def is_problem(problem: Mapping[str, Any]) -> bool:
    texts = _is_text(problem.get("title")) and _is_text(problem.get("detail"))
    diagnostics = problem.get("diagnostics")
    return texts and (diagnostics is None or _are_objects(diagnostics))


def _is_text(value: object, longest: int = LONGEST_TEXT) -> bool:
    return isinstance(value, str) and len(value) <= longest


def _is_number(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _are_objects(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)
