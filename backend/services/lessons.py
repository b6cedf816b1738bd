"""The course: its lessons, and submissions checked in the compile processes."""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import Any

from backend.lessons.course import course
from backend.lessons.lesson import Lesson, Task
from backend.lessons.places import LessonError
from backend.lessons.views import lesson_view, summary_view
from backend.problem import ProblemError
from backend.schema.lesson import LessonSummary, LessonView, Submission
from backend.services.compile import CompileService
from backend.services.lesson_worker import check_document
from backend.services.packed_answers import Answer
from backend.services.runs import RunService
from compiler.plan import Plan, plan_hash, to_document


class LessonService:
    def __init__(self, compiles: CompileService, runs: RunService) -> None:
        self._compiles, self._runs = compiles, runs

    async def all(self) -> list[LessonSummary]:
        return [summary_view(lesson) for lesson in await self.every()]

    async def one(self, identity: str, seed: int) -> LessonView:
        """In a thread: data of tasks are made for it."""
        return await asyncio.to_thread(lesson_view, await self._lesson(identity), seed)

    async def every(self) -> tuple[Lesson, ...]:
        """Read in a thread: files and YAML would keep everybody else waiting."""
        try:
            return await asyncio.to_thread(course)
        except (LessonError, OSError) as error:
            raise ProblemError(500, "broken-lesson", "A lesson cannot be read", str(error)) from None

    async def _lesson(self, identity: str) -> Lesson:
        found = next((lesson for lesson in await self.every() if lesson.id == identity), None)
        if found is None:
            raise ProblemError(404, "unknown-lesson", "Unknown lesson", f"There is no lesson {identity[:60]!r}.")
        return found

    async def task(self, lesson: str, task: str) -> Task:
        """Raises ProblemError for what is unknown."""
        return self._task(await self._lesson(lesson), task)

    def _task(self, lesson: Lesson, identity: str) -> Task:
        found = lesson.task(identity)
        if found is None:
            names = ", ".join(task.id for task in lesson.tasks)
            detail = f"The lesson {lesson.id} has no task {identity[:60]!r}; it has {names}."
            raise ProblemError(404, "unknown-task", "Unknown task", detail)
        return found

    async def check(self, lesson: str, task: str, plan: Plan, submission: Submission) -> Answer:
        """The JSON of a TaskResultView, under the limits of a compile. Nothing that the page claims is believed: the
        plan is compiled and run here. Raises ProblemError for what is unknown."""
        wanted = await self.task(lesson, task)
        timed = await self._timed(submission.run, plan)
        document = to_document(plan)
        given = json.dumps([document, submission.answers, submission.seed, submission.run], sort_keys=True)
        key = f"lesson-{lesson}-{wanted.id}-{hashlib.sha256(given.encode()).hexdigest()}"
        arguments = (lesson, wanted.id, document, submission.answers, submission.seed, timed)
        return await self._compiles.once(key, plan_hash(plan), "lesson check", plan, check_document, *arguments)

    async def _timed(self, run: str | None, plan: Plan) -> dict[str, Any] | None:
        """The result of a run that the submission names, if it ended and was of this very plan."""
        if run is None:
            return None
        view = await self._runs.get(run)
        if view["state"] != "done" or view["plan_hash"] != plan_hash(plan) or view["result"] is None:
            return None
        return dict(view["result"])
