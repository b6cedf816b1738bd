"""The JSON of lessons, as the page shows them, and what became of a submission."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from heddle.explorer.views.diagnostics_schema import DiagnosticView

FactValue = float | str | bool | list[float | str]

LONGEST_TEXT = 64_000
"""Characters of a lesson that a teacher sends."""


class LessonSummary(TypedDict):
    """``needs`` are ids of lessons that come before; ``tasks`` the ids of its tasks, in their order."""

    id: str
    number: int
    title: str
    goal: str
    minutes: int
    needs: list[str]
    tasks: list[str]


class LessonQuestionView(TypedDict):
    name: str
    say: str
    choices: list[str]


class LessonTaskView(TypedDict):
    """``plan`` is where the task starts, on the student's own data, which are made from ``seed``: the student's, or
    another one after wrong answers. ``free`` are the parts of the plan that may change. ``data`` are these data as
    dense arrays by operand, where a question of the task is about them and they are small."""

    id: str
    say: str
    plan: dict[str, object]
    seed: int
    data: dict[str, object] | None
    free: list[str]
    questions: list[LessonQuestionView]
    checks: list[str]
    medals: dict[str, str]


class LessonPredictionView(TypedDict):
    """Asked before something is shown; ``because`` comes with the answer."""

    ask: str
    choices: list[str]
    answer: str
    because: str


class LessonBlockView(TypedDict):
    """One of these is not null. ``panel`` is a tab of the page, as pane/tab, and ``title`` its title."""

    text: str | None
    panel: str | None
    title: str | None
    predict: LessonPredictionView | None
    task: LessonTaskView | None


class LessonView(TypedDict):
    id: str
    number: int
    title: str
    goal: str
    minutes: int
    needs: list[str]
    blocks: list[LessonBlockView]


class FactView(TypedDict):
    """``value`` is null where the plan has no such fact, for ``why``."""

    fact: str
    value: FactValue | None
    unit: str
    summary: str
    why: str | None


class CheckView(TypedDict):
    """``data`` counts from 0, which is what the student sees; others are hidden data sets."""

    check: str
    say: str | None
    passed: bool
    facts: list[FactView]
    why: str | None
    data: int


class TaskResultView(TypedDict):
    """What became of a submission. ``hints`` help in exactly this state, one at a time."""

    lesson: str
    task: str
    passed: bool
    checks: list[CheckView]
    hints: list[str]
    medals: list[Literal["bronze", "silver", "gold"]]
    diagnostics: list[DiagnosticView]
    after: str | None
