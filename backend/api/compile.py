"""POST /compile."""

from __future__ import annotations

from fastapi import APIRouter, Response

from backend.api.dependencies import FromServices, PlanFromBody
from backend.schema.plan import PLAN_BODY
from backend.schema.problem import problems
from compiler.views.schema import CompileView

router = APIRouter(tags=["compile"])


@router.post(
    "/compile", response_model=CompileView, responses=problems(400, 413, 415, 422, 429, 500), openapi_extra=PLAN_BODY
)
async def compile_plan(plan: PlanFromBody, services: FromServices) -> Response:
    """Stages, graphs, lattices, code and diagnostics of a plan.

    A plan whose expression, formats or schedule are wrong is answered with 200 and diagnostics; a document that is no
    plan with 400.
    """
    return Response(await services.compiles.compile(plan), media_type="application/json")
