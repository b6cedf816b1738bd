"""POST /imports."""

from __future__ import annotations

from fastapi import Response

from heddle_server.api.answers import FromJsonAnswer
from heddle_server.api.dependencies import FromServices, plan_of
from heddle_server.api.part import part_of_api
from heddle_server.imports.import_schema import ImportView
from heddle_server.schema.imports import ImportRequest
from heddle_server.schema.problem import problems

router = part_of_api("compile")


@router.post("/imports", response_model=ImportView, responses=problems(400, 413, 415, 422, 429, 500, 503))
async def import_text(body: ImportRequest, services: FromServices, answer: FromJsonAnswer) -> Response:
    """The plan in a text from elsewhere, with a summary of what was taken and what was not.

    The text is a TACO command line, TACO's C++ interface as in the scheduling paper's appendix, mapping options of
    Tensor Comprehensions, schedule commands, or a plan as JSON.

    A text that holds no plan is answered with 200, ``ok`` false and the reason.
    """
    return await answer(await services.compiles.read_text(body.text, plan_of(body.plan)))
