"""Classes of the course: POST /classrooms, and what its teacher and students do under /classrooms/{code}."""

from __future__ import annotations

from typing import Annotated

from fastapi import Header, Path, Query, Request, Response

from heddle_server.api.answers import FromJsonAnswer
from heddle_server.api.dependencies import FromServices, FromVisitor, plan_of, require_text
from heddle_server.api.part import part_of_api
from heddle_server.http.audit import wrote
from heddle_server.schema.classroom import (
    ClassLessonRequest,
    ClassLessonView,
    ClassroomCreated,
    ClassroomRequest,
    ClassroomView,
    ClassSubmission,
    DeletedLessonView,
    DeletedView,
    JoinRequest,
    Known,
    SolutionView,
    StudentCreated,
)
from heddle_server.schema.lesson_views import LessonSummary, TaskResultView
from heddle_server.schema.problem import problems

router = part_of_api("classrooms")

Code = Annotated[str, Path(max_length=40, description="The code of a class, as its teacher tells it.")]
Key = Annotated[
    str | None, Header(alias="Heddle-Key", max_length=64, description="The key of the class's teacher or a student.")
]
LessonName = Annotated[str, Path(max_length=48, description="The id in the front matter of the lesson.")]
StudentNumber = Annotated[int, Path(ge=0, le=2**31 - 1)]


@router.post(
    "/classrooms",
    status_code=201,
    response_model=ClassroomCreated,
    responses=problems(400, 401, 413, 415, 422, 429, 507),
)
async def create_classroom(body: ClassroomRequest, services: FromServices, visitor: FromVisitor) -> ClassroomCreated:
    """Make a class. Its code is for the students, its key for the teacher alone."""
    require_text(body.title)
    created = await services.teaching.classrooms.create(body.title, visitor)
    wrote(created["code"])
    return created


@router.get("/classrooms/{code}", response_model=ClassroomView | None, responses=problems(401, 404, 422, 429))
async def get_classroom(
    code: Code, services: FromServices, heddle_key: Key = None, known: Annotated[Known | None, Query()] = None
) -> ClassroomView | None:
    """What the teacher sees: students by tasks, and what they met. Null where nothing has changed since the revision
    ``known``."""
    return await services.teaching.classrooms.view(code, heddle_key, known)


@router.delete("/classrooms/{code}", response_model=DeletedView, responses=problems(401, 404, 422, 429))
async def delete_classroom(code: Code, services: FromServices, heddle_key: Key = None) -> DeletedView:
    """Delete a class, with all that is kept of its students."""
    return await services.teaching.classrooms.delete(code, heddle_key)


@router.get("/classrooms/{code}/solutions", response_model=list[SolutionView], responses=problems(401, 404, 422, 429))
async def get_solutions(
    code: Code,
    services: FromServices,
    lesson: Annotated[str, Query(max_length=48)],
    task: Annotated[str, Query(max_length=48)],
    heddle_key: Key = None,
) -> list[SolutionView]:
    """The plans that passed a task, equal ones together, the most frequent first."""
    return await services.teaching.classrooms.solutions(code, heddle_key, lesson, task)


@router.get(
    "/classrooms/{code}/table.csv",
    response_class=Response,
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}, **problems(401, 404, 422, 429)},
)
async def get_table(code: Code, request: Request, services: FromServices, heddle_key: Key = None) -> Response:
    """Who did what, as a table for spreadsheets, with a receipt of each task that was done: ``heddle grade`` reads it
    as it is."""
    text = await services.teaching.classrooms.table(code, heddle_key, str(request.base_url).rstrip("/"))
    name = {"Content-Disposition": 'attachment; filename="class.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=name)


@router.post(
    "/classrooms/{code}/lessons",
    status_code=201,
    response_model=ClassLessonView,
    responses=problems(400, 401, 404, 409, 413, 415, 422, 429, 500, 503, 507),
)
async def post_class_lesson(
    code: Code, body: ClassLessonRequest, services: FromServices, heddle_key: Key = None
) -> ClassLessonView:
    """Give a class a lesson of the teacher's own: a lesson's file, whose solutions and wrong plans are tried before it
    is kept. One with the same id takes the place of the earlier one, and what students did stays. Routes of lessons
    and submissions know it by the ``lesson`` in the answer."""
    return await services.teaching.classrooms.post_lesson(code, heddle_key, body.text)


@router.get("/classrooms/{code}/lessons", response_model=list[LessonSummary], responses=problems(404, 422, 429, 500))
async def list_class_lessons(code: Code, services: FromServices) -> list[LessonSummary]:
    """The lessons that the teacher of a class wrote for it. They are open to whoever has the code."""
    return await services.teaching.classrooms.lessons(code)


@router.get(
    "/classrooms/{code}/lessons/{name}",
    response_class=Response,
    responses={200: {"content": {"text/markdown": {"schema": {"type": "string"}}}}, **problems(401, 404, 422, 429)},
)
async def get_class_lesson(code: Code, name: LessonName, services: FromServices, heddle_key: Key = None) -> Response:
    """The file of a lesson as it was posted, with its solutions: for the teacher."""
    text = await services.teaching.classrooms.lesson_text(code, heddle_key, name)
    return Response(text, media_type="text/markdown; charset=utf-8")


@router.delete(
    "/classrooms/{code}/lessons/{name}", response_model=DeletedLessonView, responses=problems(401, 404, 422, 429)
)
async def delete_class_lesson(
    code: Code, name: LessonName, services: FromServices, heddle_key: Key = None
) -> DeletedLessonView:
    """Delete a lesson of a class, with all that its students did in it."""
    return await services.teaching.classrooms.delete_lesson(code, heddle_key, name)


@router.post(
    "/classrooms/{code}/students",
    status_code=201,
    response_model=StudentCreated,
    responses=problems(400, 401, 404, 409, 413, 415, 422, 429, 507),
)
async def join_classroom(code: Code, body: JoinRequest, services: FromServices, visitor: FromVisitor) -> StudentCreated:
    """Join a class with a nickname, of which nothing but that is kept."""
    require_text(body.nickname)
    return await services.teaching.classrooms.join(code, body.nickname, visitor)


@router.delete(
    "/classrooms/{code}/students/{number}", response_model=DeletedView, responses=problems(401, 404, 422, 429)
)
async def remove_student(
    code: Code, number: StudentNumber, services: FromServices, heddle_key: Key = None
) -> DeletedView:
    """Leave a class, or take a student out of it: all that is kept of them is deleted."""
    return await services.teaching.classrooms.remove(code, heddle_key, number)


@router.post(
    "/classrooms/{code}/submissions",
    response_model=TaskResultView,
    responses=problems(400, 401, 404, 413, 415, 422, 429, 500, 503, 507),
)
async def submit(
    code: Code, body: ClassSubmission, services: FromServices, answer: FromJsonAnswer, heddle_key: Key = None
) -> Response:
    """A student's plan for a task, checked as in POST /lessons/{lesson}/tasks/{task}/check on the student's data, and
    kept for the teacher."""
    return await answer(await services.teaching.classrooms.submit(code, heddle_key, body, plan_of(body.plan)))
