"""POST /previews."""

from __future__ import annotations

from fastapi import Response

from backend.api.answers import FromJsonAnswer
from backend.api.dependencies import FromServices
from backend.api.part import part_of_api
from backend.schema.preview import PreviewRequest
from backend.schema.problem import problems
from backend.services.storage import preview
from compiler.views.data.preview_schema import PreviewView

router = part_of_api("datasets")


@router.post("/previews", response_model=PreviewView, responses=problems(400, 413, 422, 429, 500))
async def show_preview(body: PreviewRequest, services: FromServices, answer: FromJsonAnswer) -> Response:
    """Where the nonzeros of an input lie, and how many each row, column, … has.

    Data that cannot be shown is answered with 200 and diagnostics.
    """
    return await answer(await preview(services.compiles, services.datasets, body))
