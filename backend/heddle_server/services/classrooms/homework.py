"""Lessons that a teacher wrote for one class: kept as text, checked before they are kept, named ``CODE.NAME``.

All routes of lessons take such a name. Whoever knows the code of a class may read and check its lessons, as students
do.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from heddle_server.http.asker import asker
from heddle_server.lessons.course import LONGEST_NAME, course, read_homework
from heddle_server.lessons.lesson import Lesson
from heddle_server.problem import ProblemError
from heddle_server.services.classrooms.code_guesses import CodeGuesses
from heddle_server.services.classrooms.keys import CODE
from heddle_server.services.compiling.compile import CompileService
from heddle_server.services.compiling.lesson_worker import problems_document
from heddle_server.store import classrooms as store
from heddle_server.store.database import Database
from heddle_server.store.tables import ClassLesson, Classroom

NAME = re.compile(rf"([A-Z0-9]{{4}}-[A-Z0-9]{{4}})\.([a-z][a-z0-9-]{{0,{LONGEST_NAME - 1}}})")
SHOWN_PROBLEMS = 12


@dataclass(frozen=True, slots=True)
class Homework:
    """``lesson`` has the name by which routes know it; ``text`` is the file that it was read from."""

    lesson: Lesson
    text: str


class HomeworkService:
    def __init__(self, database: Database, compiles: CompileService, guesses: CodeGuesses) -> None:
        self._database, self._compiles, self._guesses = database, compiles, guesses

    async def find(self, identity: str) -> Homework | None:
        """The lesson of a class with the name ``CODE.NAME``; None for a name of another form. Raises ProblemError for a
        class or a lesson that is none."""
        match = NAME.fullmatch(identity)
        if match is None or CODE.fullmatch(match[1].replace("-", "")) is None:
            return None
        self._guesses.require(asker())
        async with self._database.read() as session:
            row = await session.get(ClassLesson, (match[1], match[2]))
            if row is None and await session.get(Classroom, match[1]) is None:
                self._guesses.count(asker())
        return None if row is None else await _homework(row)

    async def prove(self, text: str) -> Lesson:
        """The lesson in a text, with the name that it has in its file. Its solutions and wrong plans are tried in a
        compile process. Raises ProblemError with all that is wrong, by line."""
        key = f"homework-{hashlib.sha256(text.encode()).hexdigest()}"
        answer = await self._compiles.once(key, key, "lesson", False, problems_document, text)
        problems: list[tuple[int, str]] = json.loads(answer.plain())
        if problems:
            raise _broken(problems)
        lesson = await asyncio.to_thread(read_homework, text)
        if any(lesson.id == other.id for other in await asyncio.to_thread(course)):
            raise _broken([(lesson.line, f"the course has a lesson {lesson.id} already: choose another id")])
        return lesson

    async def lessons_of(self, session: AsyncSession, code: str) -> list[Homework]:
        """By their numbers."""
        rows = await store.lessons_of(session, code)
        homework = [await _homework(each) for each in rows]
        return sorted(homework, key=lambda each: (each.lesson.number, each.lesson.id))


async def _homework(row: ClassLesson) -> Homework:
    """In a thread, as lessons of the course are read."""
    return Homework(await asyncio.to_thread(read_homework, row.text, row.classroom), row.text)


def _broken(problems: list[tuple[int, str]]) -> ProblemError:
    lines = [f"line {line}: {text}" for line, text in problems[:SHOWN_PROBLEMS]]
    more = [f"and {len(problems) - SHOWN_PROBLEMS} more"] if len(problems) > SHOWN_PROBLEMS else []
    return ProblemError(422, "broken-lesson", "This lesson does not hold", "; ".join([*lines, *more]))
