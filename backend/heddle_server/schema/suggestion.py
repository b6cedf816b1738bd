"""The answer of POST /suggest."""

from __future__ import annotations

from typing_extensions import TypedDict

from heddle.explorer.views.diagnostics_schema import DiagnosticView


class FormatOfferView(TypedDict):
    """``tensor`` had better be stored as ``format``, as the rules see it."""

    tensor: str
    format: str
    reason: str


class SuggestionView(TypedDict):
    """``schedule`` is to be written into the plan; ``rule`` and ``title`` name the rule that made it (both empty with
    diagnostics). ``reasons`` has a sentence for each choice, and one for each operand that was not looked at.
    ``formats`` are offers: the schedule is for the formats that the plan has."""

    ok: bool
    rule: str
    title: str
    schedule: list[str]
    reasons: list[str]
    formats: list[FormatOfferView]
    diagnostics: list[DiagnosticView]
