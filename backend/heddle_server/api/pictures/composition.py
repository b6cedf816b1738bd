"""POST /composition and POST /fusion."""

from __future__ import annotations

from fastapi import Response

from heddle.explorer.views.composition.composition_schema import CompositionView
from heddle.explorer.views.trace.fusion_schema import FusionView
from heddle_server.api.answers import FromJsonAnswer
from heddle_server.api.dependencies import FromServices, PlanFromBody
from heddle_server.api.part import part_of_api
from heddle_server.schema.pictures.composition import CompositionRequest
from heddle_server.schema.plan import PLAN_BODY
from heddle_server.schema.problem import problems
from heddle_server.services.compiling.storage import divide_into_parts

router = part_of_api("compile")


@router.post("/composition", response_model=CompositionView, responses=problems(400, 413, 415, 422, 429, 500, 503))
async def show_composition(body: CompositionRequest, services: FromServices, answer: FromJsonAnswer) -> Response:
    """A tensor stored as a sum of parts: what lies in each, its places, padding and bytes, how long rows and pieces
    are, how the work is shared out, and the same data in one part.

    Of large tensors the entries are counted in a raster. What cannot be stored in that way is answered with 200 and
    diagnostics.
    """
    return await answer(await divide_into_parts(services.compiles, services.data.datasets, body))


@router.post(
    "/fusion", response_model=FusionView, responses=problems(400, 413, 415, 422, 429, 500, 503), openapi_extra=PLAN_BODY
)
async def compare_launches(plan: PlanFromBody, services: FromServices, answer: FromJsonAnswer) -> Response:
    """The launches of a GPU plan whose parts run in one (``concat``), beside those of the same plan with one for each.

    A plan without either is answered with 200 and diagnostics.
    """
    return await answer(await services.compiles.fusion(plan))
