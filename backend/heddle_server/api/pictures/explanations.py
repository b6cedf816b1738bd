"""POST /explanations."""

from __future__ import annotations

from fastapi import Response

from heddle.explorer.cost_report.comparison_schema import ExplanationView
from heddle_server.api.answers import FromJsonAnswer
from heddle_server.api.dependencies import FromServices, plan_of
from heddle_server.api.part import part_of_api
from heddle_server.schema.pictures.explanation import ExplanationRequest
from heddle_server.schema.problem import problems

router = part_of_api("compile")


@router.post("/explanations", response_model=ExplanationView, responses=problems(400, 413, 415, 422, 429, 500, 503))
async def explain_plan(body: ExplanationRequest, services: FromServices, answer: FromJsonAnswer) -> Response:
    """Why a plan is faster or slower than another, or than without its schedule: the work of each share, the bytes
    moved, and one sentence, with the account of the plan.

    Both are counted in one run each of the checked interpreter, on the same data: a part of the plan's own inputs, or
    the operands that a trace runs on. Tiles of the parallel loop are cut down to the data. What cannot be counted is
    answered with 200 and diagnostics.
    """
    plan = plan_of(body.plan)
    before = None if body.before is None else plan_of(body.before)
    if body.data == "operands":
        return await answer(await services.compiles.explain(plan, before, body.operands, {}, body.tiles))
    paths = await services.data.datasets.paths(plan)
    return await answer(await services.compiles.explain(plan, before, None, paths, body.tiles))
