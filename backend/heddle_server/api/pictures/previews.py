"""POST /previews."""

from __future__ import annotations

from fastapi import Response

from heddle.explorer.views.data.preview_schema import PreviewView
from heddle_server.api.answers import FromJsonAnswer
from heddle_server.api.dependencies import FromServices
from heddle_server.api.part import part_of_api
from heddle_server.schema.pictures.preview import PreviewRequest
from heddle_server.schema.problem import problems
from heddle_server.services.compiling.storage import preview

router = part_of_api("datasets")


@router.post("/previews", response_model=PreviewView, responses=problems(400, 413, 415, 422, 429, 500, 503))
async def show_preview(body: PreviewRequest, services: FromServices, answer: FromJsonAnswer) -> Response:
    """Where the nonzeros of an input lie, and how many each row, column, … has.

    Data that cannot be shown is answered with 200 and diagnostics.
    """
    return await answer(await preview(services.compiles, services.data.datasets, body))
