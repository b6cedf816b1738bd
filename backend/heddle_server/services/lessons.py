"""The course: its lessons, and submissions checked in the compile processes."""

from __future__ import annotations

import asyncio
import hashlib
import json
from math import ceil
from typing import Any

from heddle.plan import Plan, plan_hash, to_document
from heddle_server.http.asker import asker
from heddle_server.http.packed_answers import Answer, answer_of
from heddle_server.lessons.course import course
from heddle_server.lessons.lesson import Lesson, Task
from heddle_server.lessons.places import LessonError
from heddle_server.lessons.views import lesson_view, summary_view
from heddle_server.problem import ProblemError, too_many
from heddle_server.schema.lesson import Submission
from heddle_server.schema.lesson_views import LessonSummary, LessonView, TaskResultView
from heddle_server.services.classrooms.homework import HomeworkService
from heddle_server.services.compiling.compile import CompileService
from heddle_server.services.compiling.lesson_worker import check_document
from heddle_server.services.guesses import Guesses, name_of
from heddle_server.services.runs.runs import RunService


class LessonService:
    def __init__(self, compiles: CompileService, runs: RunService, homework: HomeworkService) -> None:
        self._compiles, self._runs, self._homework = compiles, runs, homework
        self._guesses = Guesses()

    async def all(self) -> list[LessonSummary]:
        return [summary_view(lesson) for lesson in await self.every()]

    async def view_lesson(self, identity: str, seed: int) -> LessonView:
        """In a thread: data of tasks are made for it. A question that was answered wrongly too often is another one."""
        lesson, _ = await self._lesson(identity)
        seeds = {task.id: self.asked_seed(lesson.id, task.id, seed) for task in lesson.tasks}
        return await asyncio.to_thread(lesson_view, lesson, seed, seeds)

    def asked_seed(self, lesson: str, task: str, seed: int) -> int:
        """The seed of the data on which a submission of a student with ``seed`` is checked now."""
        return self._guesses.seed((lesson, task), seed)

    async def every(self) -> tuple[Lesson, ...]:
        """Read in a thread: files and YAML would keep everybody else waiting."""
        try:
            return await asyncio.to_thread(course)
        except (LessonError, OSError) as error:
            raise ProblemError(500, "broken-lesson", "A lesson cannot be read", str(error)) from None

    async def _lesson(self, identity: str) -> tuple[Lesson, str | None]:
        """One of the course, or one of a class with its text."""
        named_lesson = next((lesson for lesson in await self.every() if lesson.id == identity), None)
        if named_lesson is not None:
            return named_lesson, None
        homework = await self._homework.find(identity)
        if homework is None:
            raise ProblemError(404, "unknown-lesson", "Unknown lesson", f"There is no lesson {identity[:60]!r}.")
        return homework.lesson, homework.text

    async def task(self, lesson: str, task: str) -> tuple[Task, str | None]:
        """With the text of its lesson where that is of a class. Raises ProblemError for what is unknown."""
        named_lesson, text = await self._lesson(lesson)
        return self._task(named_lesson, task), text

    def _task(self, lesson: Lesson, identity: str) -> Task:
        named_task = lesson.task(identity)
        if named_task is None:
            names = ", ".join(task.id for task in lesson.tasks)
            detail = f"The lesson {lesson.id} has no task {identity[:60]!r}; it has {names}."
            raise ProblemError(404, "unknown-task", "Unknown task", detail)
        return named_task

    async def check(
        self, lesson: str, task: str, plan: Plan, submission: Submission, student: str | None = None
    ) -> Answer:
        """The JSON of a TaskResultView, under the limits of a compile. Nothing that the page claims is believed: the
        plan is compiled and run here. ``student`` names whose answers to a question are counted, else the visitor's.
        Raises ProblemError for what is unknown, and for answers that come faster than they are worked out."""
        wanted, text = await self.task(lesson, task)
        if not wanted.questions or not any(str(answer).strip() for answer in submission.answers.values()):
            return await self._judge(lesson, wanted, text, plan, submission)
        question, who = (lesson, wanted.id), student or name_of(asker())
        if (seconds := self._guesses.begin(who, question)) > 0:
            detail = f"Several answers were wrong. Work it out from the data, and answer again in {ceil(seconds)} s."
            raise too_many("too-many-guesses", "Too many guesses", detail, seconds)
        asked = submission.model_copy(update={"seed": self.asked_seed(*question, submission.seed)})
        passed: bool | None = None
        other = False
        try:
            answer = await self._judge(lesson, wanted, text, plan, asked)
            view: TaskResultView = json.loads(answer.plain())
            judged = view["passed"] or any(check["facts"] for check in view["checks"] if not check["passed"])
            passed = view["passed"] if judged else None
        finally:
            attempt = json.dumps([asked.seed, submission.answers], sort_keys=True)
            other = self._guesses.end(who, question, submission.seed, attempt, passed)
        return answer_of(json.dumps(_with_other_question(view)).encode()) if other else answer

    async def _judge(self, lesson: str, wanted: Task, text: str | None, plan: Plan, submission: Submission) -> Answer:
        timed = await self._time(submission.run, plan)
        document = to_document(plan)
        request = json.dumps([document, submission.answers, submission.seed, submission.run, text], sort_keys=True)
        key = f"lesson-{lesson}-{wanted.id}-{hashlib.sha256(request.encode()).hexdigest()}"
        arguments = (lesson, wanted.id, document, submission.answers, submission.seed, timed, text)
        return await self._compiles.once(key, plan_hash(plan), "lesson check", plan, check_document, *arguments)

    async def _time(self, run: str | None, plan: Plan) -> dict[str, Any] | None:
        """The result of a run that the submission names, if it ended and was of this very plan."""
        if run is None:
            return None
        view = await self._runs.get(run)
        if view["state"] != "done" or view["plan_hash"] != plan_hash(plan) or view["result"] is None:
            return None
        return dict(view["result"])


OTHER_QUESTION = "That was the third wrong answer. The question is asked of other data now: open its plan again."


def _with_other_question(view: TaskResultView) -> TaskResultView:
    """Says at the checks that failed that the data are others from now on."""
    for check in view["checks"]:
        if not check["passed"] and check["why"] is None:
            check["why"] = OTHER_QUESTION
    return view
