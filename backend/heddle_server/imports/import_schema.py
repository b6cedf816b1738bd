"""What was found in a text from elsewhere: a plan, and what it does not hold."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from heddle.explorer.views.diagnostics_schema import DiagnosticView


class LeftOutView(TypedDict):
    """A piece of the text that the plan does not hold, and why."""

    text: str
    why: str


class ImportView(TypedDict):
    """``title`` says what the text is, ``taken`` what the plan has of it. ``notes`` are what was understood in a sense
    that the text does not spell out, or why there is no plan (``ok`` is false). ``diagnostics`` are the plan's."""

    ok: bool
    title: str
    plan: dict[str, Any] | None
    taken: list[str]
    left: list[LeftOutView]
    notes: list[str]
    diagnostics: list[DiagnosticView]
