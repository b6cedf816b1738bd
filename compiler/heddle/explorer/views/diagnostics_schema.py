"""The JSON of a diagnostic: what is wrong where, and how to mend it."""

from __future__ import annotations

from typing import Literal

from heddle.explorer.views.typed_dict import TypedDict


class LocationView(TypedDict):
    part: Literal["expression", "format", "schedule", "input", "plan"]
    start: int
    end: int
    command: int | None
    tensor: str | None
    path: str | None


class FixView(TypedDict):
    """A one-click repair. Absent (null) parts stay as they are."""

    title: str
    expression: str | None
    schedule: list[str] | None
    formats: dict[str, str] | None
    options: dict[str, str] | None


class DiagnosticView(TypedDict):
    """``evidence`` shows the mistake on the running example, a sentence each."""

    code: str
    severity: Literal["error", "warning", "note"]
    message: str
    location: LocationView | None
    expected: str | None
    found: str | None
    candidates: list[str]
    hint: str | None
    evidence: list[str]
    fixes: list[FixView]
