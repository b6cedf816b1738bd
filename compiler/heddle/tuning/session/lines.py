"""What each line of a log must have: logs come from files that people keep, and from processes that may be broken."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

Check = Callable[[object], bool]


def fault_of(line: object) -> tuple[str, str] | None:
    """(expected, found) of the first thing that is wrong with a line, None for one that is right."""
    if not isinstance(line, dict) or not isinstance(line.get("event"), str):
        return "an object with an event", _short(line)
    event = line["event"]
    fields = FIELDS.get(event)
    if fields is None:
        return f"one of the events {', '.join(FIELDS)}", event
    if not _finite(line):
        return f"a line of the event {event} with finite numbers", "NaN or an infinity"
    return next(
        (
            (f"a line of the event {event} with {name} {words}", _short(line.get(name, "nothing")))
            for name, (words, check) in fields.items()
            if name not in line or not check(line[name])
        ),
        _fault_of_memory(line),
    )


def _fault_of_memory(line: Mapping[str, Any]) -> tuple[str, str] | None:
    """Lines of older logs have none."""
    if line["event"] not in ("timed", "candidate") or _optional(_count)(line.get("bytes")):
        return None
    return f"a line of the event {line['event']} with bytes as a count or null", _short(line["bytes"])


def _finite(value: Any) -> bool:
    """Python's reader of JSON takes NaN and infinities, which are none."""
    match value:
        case float():
            return isfinite(value)
        case dict():
            return all(map(_finite, value.values()))
        case list():
            return all(map(_finite, value))
        case _:
            return True


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:40]}…"


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _text(value: object) -> bool:
    return isinstance(value, str)


def _optional(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _list(check: Check) -> Check:
    return lambda value: isinstance(value, list) and all(map(check, value))


def _map(check: Check) -> Check:
    return lambda value: isinstance(value, dict) and all(map(_text, value)) and all(map(check, value.values()))


def _with(**fields: Check) -> Check:
    return lambda value: (
        isinstance(value, dict) and all(name in value and check(value[name]) for name, check in fields.items())
    )


def _digits(value: object) -> bool:
    return isinstance(value, str) and set(value) <= {"0", "1"}


_anything: Check = lambda value: True  # noqa: E731
_interval = _with(value=_number, low=_number, high=_number)

Fields = Mapping[str, tuple[str, Check]]

WHOLE = ("as a whole number", _whole)
NUMBER = ("as a number", _number)
TEXT = ("as text", _text)
WHOLES = ("as a list of whole numbers", _list(_whole))
MAYBE = ("as a number or null", _optional(_number))

OUTCOME: Fields = {
    "plan": TEXT,
    "genes": WHOLES,
    "schedule": ("as a list of commands", _list(_text)),
    "formats": ("as formats by name", _map(_text)),
    "seconds": MAYBE,
    "samples": WHOLE,
    "reason": TEXT,
}
FIELDS: Mapping[str, Fields] = {
    "header": {
        "version": WHOLE,
        "plan": ("as a plan", _map(_anything)),
        "strategy": TEXT,
        "seed": WHOLE,
        "parameters": (
            "with population, elites, crossover, mutation and variant",
            _with(population=_whole, elites=_whole, crossover=_number, mutation=_number, variant=_text),
        ),
        "budget": (
            "with evaluations, generations and seconds",
            _with(evaluations=_whole, generations=_whole, seconds=_optional(_number)),
        ),
        "genes": (
            "as a list of genes, each with a name, values and a meaning",
            _list(_with(name=_text, values=_list(_anything), meaning=_text)),
        ),
        "given": ("as a list of genomes", _list(_list(_whole))),
    },
    "timed": OUTCOME,
    "candidate": {
        "id": WHOLE,
        "generation": WHOLE,
        "origin": TEXT,
        "parents": WHOLES,
        "sources": WHOLES,
        "mutated": WHOLES,
        **OUTCOME,
    },
    "generation": {
        "number": WHOLE,
        "candidates": WHOLE,
        "evaluations": WHOLE,
        "best": MAYBE,
        "refused": ("as counts by reason", _map(_whole)),
        "answers": ("as digits 0 and 1", _digits),
    },
    "slice": {"seconds": NUMBER},
    "searched": {"seconds": NUMBER},
    "final": {
        "entries": (
            "as a list of contenders with their times",
            _list(
                _with(
                    label=_text,
                    role=_text,
                    plan=_optional(_text),
                    schedule=_list(_text),
                    formats=_map(_text),
                    median=_number,
                    low=_number,
                    high=_number,
                    samples=_whole,
                    ratio=_interval,
                    tie=lambda value: isinstance(value, bool),
                )
            ),
        ),
        "best": WHOLE,
        "gain": ("as a ratio with its interval, or null", _optional(_interval)),
        "control": ("as a ratio with its interval, or null", _optional(_interval)),
    },
    "known": {"known": ("as a file of tuned schedules", _map(_anything))},
}
