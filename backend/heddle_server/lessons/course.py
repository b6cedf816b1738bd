"""The lessons of a folder, in their order; what is wrong between several of them; lessons of one class, which teachers
wrote for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from heddle_server.lessons.lesson import Lesson
from heddle_server.lessons.places import LessonError
from heddle_server.lessons.reader import lesson_of, read_lesson
from heddle_server.places import LESSONS
from heddle_server.schema.lesson_views import LONGEST_TEXT

FOLDER = LESSONS
LONGEST_LINE = 4_000
MOST_TASKS = 8
LONGEST_NAME = 38
"""Letters of its id, so that :func:`identity_of` has no more than lessons may have."""
SEEDS = 5
"""Students on whose data the solutions of a class's lesson are tried when it is posted."""


def files(folder: Path = FOLDER) -> list[Path]:
    return sorted(folder.glob("*.md"))


@lru_cache(maxsize=4)
def course(folder: Path = FOLDER) -> tuple[Lesson, ...]:
    """All lessons by their number. Raises LessonError for the first file that is none."""
    return tuple(sorted((read_lesson(file) for file in files(folder)), key=lambda lesson: (lesson.number, lesson.id)))


def lesson_named(identity: str, folder: Path = FOLDER) -> Lesson | None:
    return next((lesson for lesson in course(folder) if lesson.id == identity), None)


def between(lessons: Mapping[Path, Lesson]) -> list[tuple[Path, LessonError]]:
    """Ids that two lessons have, needs that nobody meets, and needs that lead back to themselves."""
    problems: list[tuple[Path, LessonError]] = []
    by_id: dict[str, Path] = {}
    for file, lesson in lessons.items():
        if lesson.id in by_id:
            problems.append((file, LessonError((1, f"{by_id[lesson.id].name} has the id {lesson.id} already"))))
        by_id.setdefault(lesson.id, file)
    needs = {lesson.id: lesson.needs for lesson in lessons.values()}
    for file, lesson in lessons.items():
        unknown = [need for need in lesson.needs if need not in needs]
        if unknown:
            problems.append((file, LessonError((1, f"needs {', '.join(unknown)}: there is no such lesson"))))
        circle = _circle(lesson.id, needs)
        if circle:
            problems.append((file, LessonError((1, f"needs lead in a circle: {' → '.join(circle)}"))))
    return problems


def _circle(identity: str, needs: Mapping[str, Sequence[str]]) -> list[str]:
    """The way from a lesson over what it needs back to it; empty where there is none."""
    pending, seen = [[identity]], set[str]()
    while pending:
        way = pending.pop()
        for need in needs.get(way[-1], ()):
            if need == identity:
                return [*way, identity]
            if need not in seen:
                seen.add(need)
                pending.append([*way, need])
    return []


def identity_of(code: str, name: str) -> str:
    """How routes and receipts name the lesson ``name`` of the class ``code``."""
    return f"{code}.{name}"


@lru_cache(maxsize=64)
def read_homework(text: str, code: str = "") -> Lesson:
    """A lesson of a class, under tighter bounds than those of the course, since strangers send it. Its id is that
    in the class ``code``; without one, that in its file. Raises LessonError."""
    if len(text) > LONGEST_TEXT:
        raise LessonError((1, f"the lesson of a class has at most {LONGEST_TEXT:,} characters, found {len(text):,}"))
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            raise LessonError((number, f"a line has at most {LONGEST_LINE:,} characters, found {len(line):,}"))
    lesson = lesson_of(text)
    if len(lesson.tasks) > MOST_TASKS:
        raise LessonError((1, f"the lesson of a class has at most {MOST_TASKS} tasks, found {len(lesson.tasks)}"))
    if len(lesson.id) > LONGEST_NAME:
        raise LessonError((1, f"the id of a class's lesson has at most {LONGEST_NAME} letters, found {len(lesson.id)}"))
    return replace(lesson, id=identity_of(code, lesson.id)) if code else lesson
