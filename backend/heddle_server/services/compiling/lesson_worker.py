"""What runs in a compile process: a submission in, the JSON of its verdict out."""

from __future__ import annotations

import json
from typing import Any

from heddle.plan import parse_plan
from heddle_server.lessons.course import SEEDS, course, lesson_named, read_homework
from heddle_server.lessons.judge import judge
from heddle_server.lessons.lesson import Lesson
from heddle_server.lessons.places import LessonError
from heddle_server.lessons.prove import problems_of
from heddle_server.lessons.views import verdict_view


def check_document(
    lesson: str,
    task: str,
    document: dict[str, Any],
    answers: dict[str, str | float],
    seed: int,
    timed: dict[str, Any] | None,
    text: str | None = None,
) -> bytes:
    """The TaskResultView as JSON bytes. ``text`` is the file of a lesson that is not of the course, which ``lesson``
    names as ``CODE.NAME``."""
    named_lesson = lesson_named(lesson) if text is None else _of_class(lesson, text)
    assert named_lesson is not None
    wanted = named_lesson.task(task)
    assert wanted is not None
    verdict = judge(wanted, parse_plan(document), answers, seed, timed)
    return json.dumps(verdict_view(named_lesson, wanted, verdict), separators=(",", ":"), allow_nan=False).encode()


def _of_class(identity: str, text: str) -> Lesson:
    return read_homework(text, identity.rpartition(".")[0])


def problems_document(text: str) -> bytes:
    """All that is wrong with the lesson of a class, as JSON: a list of lines and texts."""
    try:
        lesson = read_homework(text)
    except LessonError as error:
        return json.dumps(error.problems).encode()
    known = frozenset(each.id for each in course())
    unknown = [need for need in lesson.needs if need not in known]
    problems = [(1, f"needs {', '.join(unknown)}: there is no such lesson in the course")] if unknown else []
    return json.dumps(problems + problems_of(lesson, known | {lesson.id}, SEEDS)).encode()
