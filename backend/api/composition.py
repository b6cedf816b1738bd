"""POST /composition."""

from __future__ import annotations

from fastapi import APIRouter, Response

from backend.api.answers import FromJsonAnswer
from backend.api.dependencies import FromServices
from backend.schema.composition import CompositionRequest
from backend.schema.problem import problems
from backend.services.storage import divide_into_parts
from compiler.views.composition.composition_schema import CompositionView

router = APIRouter(tags=["compile"])


@router.post("/composition", response_model=CompositionView, responses=problems(400, 413, 422, 429, 500))
async def show_composition(body: CompositionRequest, services: FromServices, answer: FromJsonAnswer) -> Response:
    """A tensor stored as a sum of parts: what lies in each, its places, padding and bytes, how long rows and pieces
    are, how the work is shared out, and the same data in one part.

    Of large tensors the entries are counted in a raster. What cannot be stored in that way is answered with 200 and
    diagnostics.
    """
    return await answer(await divide_into_parts(services.compiles, services.datasets, body))
