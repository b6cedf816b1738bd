"""POST /bridge."""

from __future__ import annotations

from fastapi import Response

from backend.api.answers import FromJsonAnswer
from backend.api.dependencies import FromServices, PlanFromBody
from backend.api.part import part_of_api
from backend.schema.bridge import BridgeView
from backend.schema.plan import PLAN_BODY
from backend.schema.problem import problems

router = part_of_api("compile")


@router.post(
    "/bridge", response_model=BridgeView, responses=problems(400, 413, 415, 422, 429, 500), openapi_extra=PLAN_BODY
)
async def bridge_plan(plan: PlanFromBody, services: FromServices, answer: FromJsonAnswer) -> Response:
    """A plan of patterns in index notation, and one of index notation in patterns, where that means the same; with the
    steps of the derivation.

    A plan without a counterpart is answered with 200, ``ok`` false and the reason.
    """
    return await answer(await services.compiles.bridge(plan))
