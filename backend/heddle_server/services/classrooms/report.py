"""What the teacher sees of a class: students by tasks, what they met, and their solutions. Also as CSV."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Any, cast

from heddle_server.lessons.course import identity_of
from heddle_server.lessons.data import document_of
from heddle_server.lessons.lesson import Lesson, Task
from heddle_server.lessons.receipts import receipt_link
from heddle_server.lessons.solution import SHOWN
from heddle_server.schema.classroom import (
    ClassLessonView,
    ClassroomView,
    ClassStudentView,
    ClassTaskView,
    ObstacleView,
    SolutionView,
    StudentWorkView,
)
from heddle_server.spreadsheet import write_table
from heddle_server.store.database import iso
from heddle_server.store.tables import Classroom, Student, Work

MOST_OBSTACLES = 40
HEADER = ("student", "lesson", "task", "result", "medals", "plan", "tries", "minutes", "receipt")
"""Like the table of ``heddle grade``, which reads this one: it has a receipt of each task that was done."""


def classroom_view(
    classroom: Classroom, students: list[Student], works: list[Work], lessons: Iterable[Lesson], days: float
) -> ClassroomView:
    return {
        "code": classroom.code,
        "title": classroom.title,
        "created": iso(classroom.created),
        "until": iso(classroom.used + timedelta(days=days)) if days else None,
        "revision": classroom.revision,
        "students": [_student(student) for student in students],
        "tasks": [
            ClassTaskView(lesson=lesson.id, task=task.id, title=lesson.title, number=lesson.number, place=place)
            for lesson in lessons
            for place, task in enumerate(lesson.tasks, 1)
        ],
        "work": [_work(work) for work in works],
        "obstacles": obstacles(works),
    }


def class_lesson_view(code: str, name: str, lesson: Lesson, *, replaced: bool) -> ClassLessonView:
    """What a teacher is answered who posted a lesson for a class."""
    identity = identity_of(code, name)
    return {
        "name": name,
        "lesson": identity,
        "title": lesson.title,
        "tasks": [task.id for task in lesson.tasks],
        "link": f"/?class={code}&lesson={identity}",
        "replaced": replaced,
    }


def _student(student: Student) -> ClassStudentView:
    return {"number": student.number, "nickname": student.nickname, "joined": iso(student.joined)}


def _work(work: Work) -> StudentWorkView:
    return {
        "student": work.student,
        "lesson": work.lesson,
        "task": work.task,
        "tries": work.tries,
        "solved": work.solved is not None,
        "minutes": minutes(work),
        "medals": cast(Any, work.medals),
    }


def minutes(work: Work) -> float | None:
    return None if work.solved is None else round((work.solved - work.begun).total_seconds() / 60, 1)


def obstacles(works: list[Work]) -> list[ObstacleView]:
    """Those that most students met first."""
    views: dict[tuple[str, str, str | None, str | None], ObstacleView] = {}
    for work in works:
        for code, met in work.refusals.items():
            _meet(views, ("refusal", code, None, None), met)
        for check, met in work.failures.items():
            _meet(views, ("check", check, work.lesson, work.task), met)
    # One student meets the same refusal at several tasks.
    for (kind, code, _, _), obstacle in views.items():
        if kind == "refusal":
            obstacle["students"] = len({work.student for work in works if code in work.refusals})
    most = sorted(views.values(), key=lambda view: (-view["students"], -view["times"], view["code"]))
    return most[:MOST_OBSTACLES]


def _meet(
    view: dict[tuple[str, str, str | None, str | None], ObstacleView],
    key: tuple[str, str, str | None, str | None],
    met: Mapping[str, Any],
) -> None:
    kind, code, lesson, task = key
    new: ObstacleView = {
        "kind": cast(Any, kind), "code": code, "says": met["says"], "lesson": lesson, "task": task, "students": 0,
        "times": 0,
    }  # fmt: skip
    obstacle = view.setdefault(key, new)
    obstacle["students"] += 1
    obstacle["times"] += met["times"]
    obstacle["says"] = met["says"]


def solutions(task: Task, works: list[Work], students: list[Student]) -> list[SolutionView]:
    """The groups of equal plans, the largest first."""
    who = {student.number: student for student in students}
    groups: dict[str, list[Work]] = {}
    for work in works:
        if work.plan is not None and work.student in who:
            groups.setdefault(work.solution, []).append(work)
    largest = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    return [_solution(task, name, group, who) for name, group in largest]


def _solution(task: Task, name: str, group: list[Work], who: Mapping[int, Student]) -> SolutionView:
    first = group[0]
    names = sorted((who[work.student] for work in group), key=lambda student: student.folded)
    medals = {medal for work in group for medal in work.medals}
    return {
        "solution": name,
        "plan": {**(first.plan or {}), "inputs": document_of(task, who[first.student].seed)["inputs"]},
        "students": [student.nickname for student in names],
        "medals": cast(Any, [medal for medal in ("bronze", "silver", "gold") if medal in medals]),
    }


def csv_of(students: list[Student], works: list[Work], origin: str) -> str:
    """A row for each student and task that was tried; one without a task for a student who has tried none. Receipts are
    links to ``origin``."""
    text = io.StringIO()
    write_table(text, HEADER, _rows(students, works, origin), "\r\n")
    return text.getvalue()


def _rows(students: list[Student], works: list[Work], origin: str) -> Iterator[tuple[str | float, ...]]:
    for student in students:
        student_works = [work for work in works if work.student == student.number]
        for work in sorted(student_works, key=lambda attempt: (attempt.lesson, attempt.task)):
            result = "failed" if work.solved is None else "passed"
            took = minutes(work)
            cells = (student.nickname, work.lesson, work.task, result, " ".join(work.medals), work.solution[:SHOWN])
            yield (*cells, work.tries, "" if took is None else took, _receipt(student, work, origin))
        if not student_works:
            yield (student.nickname, *[""] * (len(HEADER) - 1))


def _receipt(student: Student, work: Work, origin: str) -> str:
    """Of the latest plan that passed. Tasks that were done before answers were kept have a receipt without any."""
    if work.plan is None:
        return ""
    seed = student.seed if work.seed is None else work.seed
    return receipt_link(origin, work.lesson, work.task, seed, work.answers or {}, work.plan)
