"""The lessons of a folder, in their order; what is wrong between several of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from heddle_server.lessons.lesson import Lesson
from heddle_server.lessons.places import LessonError
from heddle_server.lessons.reader import read_lesson
from heddle_server.places import LESSONS

FOLDER = LESSONS


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
