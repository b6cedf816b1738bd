"""What is kept of a search: schedules with their samples in a few numbers, as JSON that a person can read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from heddle.diagnostics import CompileError, Diagnostic
from heddle.frontends.table import DEFAULT_LANGUAGE
from heddle.runtime.checkout import PROGRAM
from heddle.wrong_arguments import type_of

FILE_VERSION = 2
"""Of files, since a gain may be unknown. Those of every version are read for ever
(tests/compiler/tuning/known/fixtures)."""

MOST_SCHEDULES = 10


@dataclass(frozen=True, slots=True)
class Tuned:
    """A schedule in canonical names, and how it did. ``formats`` are those that operands had instead of the key's.

    Times are nanoseconds of a call: the median, its 95 % interval, the distance of the quartiles, of ``samples`` rounds
    in which the candidates took turns. ``gain`` is how many times as long the rules' schedule took, None where the
    comparison did not tell. ``machine`` is what a person calls it, ``log`` the search that found it; ``date`` is UTC.
    """

    schedule: tuple[str, ...]
    median: float
    low: float
    high: float
    quartiles: float
    samples: int
    gain: float | None
    date: str
    machine: str
    strategy: str
    seed: int
    log: str = ""
    formats: Mapping[str, str] | None = None

    def document(self) -> dict[str, Any]:
        return {**asdict(self), "schedule": list(self.schedule), "formats": dict(self.formats or {})}


@dataclass(frozen=True, slots=True)
class Entry:
    """``key`` is that of a plan (``Key.document``) with its ``digest``; ``schedules`` the fastest first."""

    digest: str
    key: Mapping[str, Any]
    schedules: tuple[Tuned, ...]

    @property
    def best(self) -> tuple[Tuned, ...]:
        """The fastest, and all that cannot be told from it: whose interval begins before its interval ends."""
        return tuple(schedule for schedule in self.schedules if schedule.low <= self.schedules[0].high)

    def with_more(self, schedules: tuple[Tuned, ...]) -> Entry:
        """Each schedule once, as it was measured last; the fastest ``MOST_SCHEDULES``."""
        latest: dict[tuple[object, ...], Tuned] = {}
        for schedule in sorted((*self.schedules, *schedules), key=lambda schedule: schedule.date):
            latest[schedule.schedule, tuple(sorted((schedule.formats or {}).items()))] = schedule
        return replace(
            self, schedules=tuple(sorted(latest.values(), key=lambda schedule: schedule.median)[:MOST_SCHEDULES])
        )

    def document(self) -> dict[str, Any]:
        listed = [schedule.document() for schedule in self.schedules]
        return {"digest": self.digest, "key": dict(self.key), "schedules": listed}


@dataclass(frozen=True, slots=True)
class Known:
    """The file of one program: its canonical form (``Canonical``) and an entry for each key. ``language`` is that of
    ``expression``."""

    program: str
    text: str
    expression: str
    entries: tuple[Entry, ...]
    language: str = DEFAULT_LANGUAGE

    def document(self) -> dict[str, Any]:
        entries = [entry.document() for entry in self.entries]
        language = {} if self.language == DEFAULT_LANGUAGE else {"language": self.language}
        return {"version": FILE_VERSION, "program": self.program, "text": self.text,
                "expression": self.expression, **language, "entries": entries}  # fmt: skip

    def merge(self, other: Known) -> Known:
        """The entries of both, with the schedules of both."""
        entries = {entry.digest: entry for entry in self.entries}
        for entry in other.entries:
            mine = entries.get(entry.digest)
            entries[entry.digest] = entry if mine is None else mine.with_more(entry.schedules)
        return replace(self, entries=tuple(entries.values()))


def read_known(document: object) -> Known:
    """The file that ``document`` spells.

    Raises
    ------
    CompileError
        ``tuned/file`` for anything else, with the place; ``tuned/version`` for a newer one.
    """
    whole = _mapping(document, "the file")
    version = whole.get("version")
    if version not in (1, FILE_VERSION):
        raise _wrong("tuned/version", "the file", f"version 1 or {FILE_VERSION}", f"version {version!r}")
    entries = tuple(_entry(element, f"entries[{at}]") for at, element in enumerate(_list(whole, "entries", "the file")))
    program, text, expression = (_text(whole, name, "the file") for name in ("program", "text", "expression"))
    language = _is_text(whole.get("language", DEFAULT_LANGUAGE), "the file, language")
    return Known(program, text, expression, entries, language)


def _entry(document: object, place: str) -> Entry:
    whole = _mapping(document, place)
    listed = _list(whole, "schedules", place)
    schedules = [_tune(element, f"{place}.schedules[{at}]") for at, element in enumerate(listed)]
    if not schedules:
        raise _wrong("tuned/file", f"{place}.schedules", "at least one schedule", "none")
    key = _mapping(whole.get("key"), f"{place}.key")
    ordered = sorted(schedules, key=lambda schedule: schedule.median)[:MOST_SCHEDULES]
    return Entry(_text(whole, "digest", place), key, tuple(ordered))


def _tune(document: object, place: str) -> Tuned:
    whole = _mapping(document, place)
    values: dict[str, Any] = {}
    for field in fields(Tuned):
        match field.name:
            case "schedule":
                listed = _list(whole, "schedule", place)
                values["schedule"] = tuple(_is_text(command, f"{place}.schedule") for command in listed)
            case "formats":
                mapping = _mapping(whole.get("formats", {}), f"{place}.formats")
                values["formats"] = {name: _is_text(layout, f"{place}.formats") for name, layout in mapping.items()}
            case "samples" | "seed":
                values[field.name] = int(_number(whole, field.name, place))
            case "date" | "machine" | "strategy" | "log":
                values[field.name] = _text(whole, field.name, place)
            case "gain":
                known = "gain" not in whole or whole["gain"] is not None
                values["gain"] = _number(whole, "gain", place) if known else None
            case _:
                values[field.name] = _number(whole, field.name, place)
    return _without_unproven_gain(Tuned(**values))


def _without_unproven_gain(tuned: Tuned) -> Tuned:
    """Files of before have gains that nothing supports: the interval of the schedule's own median is as wide."""
    spans = tuned.gain is not None and tuned.gain > 1 and tuned.gain * tuned.low <= tuned.high
    return replace(tuned, gain=None) if spans else tuned


def _mapping(value: object, place: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _wrong("tuned/file", place, "an object", type_of(value))
    return value


def _list(whole: Mapping[str, Any], name: str, place: str) -> list[Any]:
    value = whole.get(name)
    if not isinstance(value, list):
        raise _wrong("tuned/file", f"{place}, {name}", "a list", type_of(value))
    return value


def _text(whole: Mapping[str, Any], name: str, place: str) -> str:
    return _is_text(whole.get(name), f"{place}, {name}")


def _is_text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise _wrong("tuned/file", place, "a text", type_of(value))
    return value


def _number(whole: Mapping[str, Any], name: str, place: str) -> float:
    value = whole.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise _wrong("tuned/file", f"{place}, {name}", "a number that is not negative", repr(value))
    return float(value)


def _wrong(code: str, place: str, expected: str, actual: str) -> CompileError:
    message = f"This is not a file of tuned schedules: {place} should be {expected}, and is {actual}."
    hint = f"Files come from {PROGRAM} tuned export. A newer version needs a newer Heddle."
    return CompileError(Diagnostic(code, message, expected=expected, actual=actual, hint=hint))
