"""GET /comparisons/{name}: one figure over several runs."""

from __future__ import annotations

import asyncio
from typing import Literal

from backend.api.dependencies import FromServices
from backend.api.events import RunIds
from backend.api.part import part_of_api
from backend.figures.comparisons import COMPARISONS
from backend.figures.theme import timed
from backend.problem import ProblemError
from backend.schema.problem import problems
from backend.schema.run import Figure

router = part_of_api("runs")

Name = Literal["scaling", "performance-profile"]


@router.get("/comparisons/{name}", response_model=Figure, responses=problems(404, 409, 422))
async def compare_runs(name: Name, run: RunIds, services: FromServices) -> Figure:
    """A Plotly figure over finished runs: times by threads, or the performance profile of the contenders."""
    results = []
    for run_id in run:
        result = (await services.runs.get(run_id))["result"]
        if result is None or not timed(result):
            raise ProblemError(409, "not-measured", "A run has no times", f"Run {run_id} has no times to compare.")
        results.append(result)
    return await asyncio.to_thread(COMPARISONS[name], results)
