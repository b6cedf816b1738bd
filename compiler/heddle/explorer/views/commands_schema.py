"""The JSON of the schedule commands and format presets that there are, and of what may come next in a schedule."""

from __future__ import annotations

from heddle.explorer.views.diagnostics_schema import DiagnosticView
from heddle.explorer.views.typed_dict import TypedDict
from heddle.schedule.command import ArgumentKind


class ParameterView(TypedDict):
    """``kind`` tells the form and the completion what to offer."""

    name: str
    kind: ArgumentKind
    choices: list[str]
    optional: bool
    doc: str


class CommandSpecView(TypedDict):
    name: str
    signature: str
    summary: str
    before: str
    after: str
    preconditions: list[str]
    parameters: list[ParameterView]


class FormatPresetView(TypedDict):
    name: str
    order: int | None
    text: str
    summary: str


class QuantityView(TypedDict):
    """What a test of a sum of parts may ask of an entry, as ``spelled`` in formats; ``matrices``: of theirs alone."""

    name: str
    spelled: str
    summary: str
    matrices: bool


class CandidateView(TypedDict):
    """A command that may come next, or why not: then ``instead`` is the closest one that may, where there is one.
    ``variables`` are the loops that it names."""

    text: str
    variables: list[str]
    why_not: DiagnosticView | None
    instead: str | None


class LegalCommandView(TypedDict):
    """Legal candidates first. Of those refused for the same reason only the first is listed. ``left_out`` candidates
    follow, which are there for who asks for this command."""

    name: str
    candidates: list[CandidateView]
    left_out: int


class GoalView(TypedDict):
    """Something that a person may want: ``schedule`` leads there and compiles, ``commands`` are what is new in it."""

    name: str
    title: str
    why: str
    commands: list[str]
    schedule: list[str]


class LegalView(TypedDict):
    """What may come after the first ``applied`` commands of a plan: all of them, unless ``diagnostics`` says what is
    wrong with the next one."""

    hash: str
    ok: bool
    diagnostics: list[DiagnosticView]
    applied: int
    goals: list[GoalView]
    commands: list[LegalCommandView]
