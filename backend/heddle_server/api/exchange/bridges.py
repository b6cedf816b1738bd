"""POST /bridge."""

from __future__ import annotations

from fastapi import Response

from heddle_server.api.answers import FromJsonAnswer
from heddle_server.api.dependencies import FromServices, PlanFromBody
from heddle_server.api.part import part_of_api
from heddle_server.schema.bridge import BridgeView
from heddle_server.schema.plan import PLAN_BODY
from heddle_server.schema.problem import problems

router = part_of_api("compile")


@router.post(
    "/bridge", response_model=BridgeView, responses=problems(400, 413, 415, 422, 429, 500, 503), openapi_extra=PLAN_BODY
)
async def bridge_plan(plan: PlanFromBody, services: FromServices, answer: FromJsonAnswer) -> Response:
    """A plan of patterns in index notation, and one of index notation in patterns, where that means the same; with the
    steps of the derivation.

    A plan without a counterpart is answered with 200, ``ok`` false and the reason.
    """
    return await answer(await services.compiles.bridge(plan))
