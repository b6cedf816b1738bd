"""POST /account."""

from __future__ import annotations

from fastapi import Response

from heddle.explorer.cost_report.view_schema import AccountView
from heddle_server.api.answers import FromJsonAnswer
from heddle_server.api.dependencies import FromServices, PlanFromBody
from heddle_server.api.part import part_of_api
from heddle_server.schema.plan import PLAN_BODY
from heddle_server.schema.problem import problems

router = part_of_api("compile")


@router.post(
    "/account",
    response_model=AccountView,
    responses=problems(400, 413, 415, 422, 429, 500, 503),
    openapi_extra=PLAN_BODY,
)
async def account_for(plan: PlanFromBody, services: FromServices, answer: FromJsonAnswer) -> Response:
    """Why a plan is fast or slow: its work as a formula and counted, traffic and reuse of each tensor, simulated
    misses, how the work is shared out, and what costs something, with repairs that were tried.

    Counted in one run of the checked interpreter on small data of the kind that the plan names. What cannot be counted
    is answered with 200 and diagnostics.
    """
    return await answer(await services.compiles.account(plan))
