"""POST /trace and POST /what-if."""

from __future__ import annotations

from fastapi import Response

from heddle.explorer.views.trace.trace_schema import TraceView, WhatIfView
from heddle_server.api.answers import FromJsonAnswer
from heddle_server.api.dependencies import FromServices, plan_of
from heddle_server.api.part import part_of_api
from heddle_server.schema.pictures.trace import TraceRequest, WhatIfRequest
from heddle_server.schema.problem import problems

router = part_of_api("compile")


@router.post("/trace", response_model=TraceView, responses=problems(400, 413, 415, 422, 429, 500, 503))
async def trace_plan(body: TraceRequest, services: FromServices, answer: FromJsonAnswer) -> Response:
    """One run of the plan's kernel on small operands, step by step.

    Operands that are not given are made: the running example of 4 x 6 for the first sparse matrix where it fits. What
    cannot be traced is answered with 200 and diagnostics.
    """
    return await answer(await services.compiles.trace(plan_of(body.plan), body.operands))


@router.post("/what-if", response_model=WhatIfView, responses=problems(400, 413, 415, 422, 429, 500, 503))
async def run_without_guard(body: WhatIfRequest, services: FromServices, answer: FromJsonAnswer) -> Response:
    """The same run without the guard in one line of the code: the fault that it prevents, or the wrong values.

    A line without a guard and a plan that does not compile are answered with 200 and diagnostics.
    """
    return await answer(await services.compiles.what_if(plan_of(body.plan), body.line, body.text, body.operands))
