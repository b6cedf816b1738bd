"""GET /lessons, GET /lessons/{lesson} and POST /lessons/{lesson}/tasks/{task}/check."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response

from heddle_server.api.answers import FromJsonAnswer
from heddle_server.api.dependencies import FromServices, plan_of
from heddle_server.api.part import part_of_api
from heddle_server.schema.lesson import LARGEST_SEED, Submission
from heddle_server.schema.lesson_views import LessonSummary, LessonView, TaskResultView
from heddle_server.schema.problem import problems

router = part_of_api("lessons")


@router.get("/lessons", response_model=list[LessonSummary])
async def list_lessons(services: FromServices) -> list[LessonSummary]:
    """The course, in its order."""
    return await services.teaching.lessons.all()


@router.get("/lessons/{lesson}", response_model=LessonView, responses=problems(404, 422))
async def get_lesson(
    lesson: str, services: FromServices, seed: Annotated[int, Query(ge=0, le=LARGEST_SEED)] = 0
) -> LessonView:
    """One lesson. ``seed`` is the student's: the plans of its tasks name data of their own for each."""
    return await services.teaching.lessons.view_lesson(lesson, seed)


@router.post(
    "/lessons/{lesson}/tasks/{task}/check",
    response_model=TaskResultView,
    responses=problems(400, 404, 413, 415, 422, 429, 500, 503),
)
async def check_task(
    lesson: str, task: str, body: Submission, services: FromServices, answer: FromJsonAnswer
) -> Response:
    """Whether a plan does what the task asks for: it is compiled and run by the checked interpreter on the student's
    data. A plan that is wrong is answered with 200, what it fails at, and hints."""
    return await answer(await services.teaching.lessons.check(lesson, task, plan_of(body.plan), body))
