"""Lessons and verdicts -> JSON. Solutions and wrong plans stay on the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from heddle.explorer.views.diagnostics import diagnostic_view
from heddle_server.lessons.condition import Value
from heddle_server.lessons.data import document_of, operands_of
from heddle_server.lessons.judge import Outcome, Verdict
from heddle_server.lessons.lesson import Block, Lesson, Panel, Prediction, Task, Text
from heddle_server.lessons.panels import PANELS
from heddle_server.schema.lesson_views import (
    CheckView,
    FactValue,
    FactView,
    LessonBlockView,
    LessonPredictionView,
    LessonQuestionView,
    LessonSummary,
    LessonTaskView,
    LessonView,
    TaskResultView,
)

MOST_SHOWN = 5000
"""Elements of the operands of a task that the pictures of the page are drawn with."""


def summary_view(lesson: Lesson) -> LessonSummary:
    return {
        "id": lesson.id,
        "number": lesson.number,
        "title": lesson.title,
        "goal": lesson.goal,
        "minutes": lesson.minutes,
        "needs": list(lesson.needs),
        "tasks": [task.id for task in lesson.tasks],
    }


def lesson_view(lesson: Lesson, seed: int, seeds: Mapping[str, int] | None = None) -> LessonView:
    """``seed`` is the student's, whose data the plans of the tasks name; ``seeds`` has another one for tasks that are
    asked of other data."""
    return {
        "id": lesson.id,
        "number": lesson.number,
        "title": lesson.title,
        "goal": lesson.goal,
        "minutes": lesson.minutes,
        "needs": list(lesson.needs),
        "blocks": [_block(block, seed, seeds or {}) for block in lesson.blocks],
    }


def _block(block: Block, seed: int, seeds: Mapping[str, int]) -> LessonBlockView:
    view: LessonBlockView = {"text": None, "panel": None, "title": None, "predict": None, "task": None}
    match block:
        case Text(markdown=markdown):
            view["text"] = markdown
        case Panel(where=where):
            view["panel"], view["title"] = where, PANELS[where]
        case Prediction(ask=ask, choices=choices, answer=answer, because=because):
            view["predict"] = LessonPredictionView(ask=ask, choices=list(choices), answer=answer, because=because)
        case Task():
            view["task"] = _task(block, seeds.get(block.id, seed))
        case _:
            raise TypeError(f"unexpected block {block!r}")
    return view


def _task(task: Task, seed: int) -> LessonTaskView:
    return {
        "id": task.id,
        "say": task.say,
        "plan": document_of(task, seed),
        "seed": seed,
        "data": _shown_data(task, seed),
        "free": list(task.free),
        "questions": [
            LessonQuestionView(name=question.name, say=question.say, choices=list(question.choices))
            for question in task.questions
        ],
        "checks": [check.say or check.text for check in task.checks],
        "medals": {name: check.say or check.text for name, check in task.medals.items()},
    }


def _shown_data(task: Task, seed: int) -> dict[str, object] | None:
    """Whoever is asked about data must find them in the pictures of the page."""
    if not task.questions:
        return None
    arrays = operands_of(task, seed)[0]
    if not arrays or sum(array.size for array in arrays.values()) > MOST_SHOWN:
        return None
    return {name: array.tolist() for name, array in arrays.items()}


def verdict_view(lesson: Lesson, task: Task, verdict: Verdict) -> TaskResultView:
    return {
        "lesson": lesson.id,
        "task": task.id,
        "passed": verdict.passed,
        "checks": [_outcome(outcome) for outcome in verdict.outcomes],
        "hints": list(verdict.hints),
        "medals": cast(list[str], list(verdict.medals)),  # type: ignore[typeddict-item]
        "diagnostics": [diagnostic_view(diagnostic) for diagnostic in verdict.diagnostics],
        "after": task.after if verdict.passed else None,
    }


def _outcome(outcome: Outcome) -> CheckView:
    return {
        "check": outcome.text,
        "say": outcome.say,
        "passed": outcome.passed,
        "facts": [
            FactView(fact=fact.fact, value=_value(fact.value), unit=fact.unit, summary=fact.summary, why=fact.why)
            for fact in outcome.facts
        ],
        "why": outcome.why,
        "data": outcome.data,
    }


def _value(value: Value | None) -> FactValue | None:
    if isinstance(value, tuple):
        return [element if isinstance(element, str | float) else str(element) for element in value]
    return float(f"{value:.12g}") if isinstance(value, float) else value
