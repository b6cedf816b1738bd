"""The answers of POST /suggest and of GET /suggest/machines."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from heddle.explorer.views.diagnostics_schema import DiagnosticView

MachineName = Literal["server", "x86-64", "browser"]
"""Which machine will run the kernel: the service's, or a described one (``heddle.tuning.facts.described_machines``)."""


class SuggestionMachineView(TypedDict):
    """A machine that a schedule can be chosen for; ``title`` is what a person reads in a list."""

    name: MachineName
    title: str


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
