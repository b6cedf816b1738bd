"""GET /comparisons/verdict: which of two runs is slower. GET /comparisons/{name}: one figure over several runs."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from fastapi import Query

from heddle_server.api.dependencies import FromServices
from heddle_server.api.part import part_of_api
from heddle_server.api.results.events import RunIds
from heddle_server.figures.comparisons import COMPARISONS
from heddle_server.figures.theme import timed_entries
from heddle_server.problem import ProblemError
from heddle_server.schema.problem import problems
from heddle_server.schema.run import Figure, RunResult, RunsVerdict
from heddle_server.services.runs.two_runs import verdict_of
from heddle_server.services.services import Services

router = part_of_api("runs")

Name = Literal["scaling", "performance-profile"]


TwoRuns = Annotated[
    list[Annotated[str, Query(max_length=64)]],
    Query(description="The ids of the two runs.", min_length=2, max_length=2),
]


@router.get("/comparisons/verdict", response_model=RunsVerdict, responses=problems(404, 409, 422))
async def judge_runs(run: TwoRuns, services: FromServices) -> RunsVerdict:
    """Which of two finished runs has the slower kernel, as far as runs that did not take turns tell: each by the
    A/A control of its own rounds, and by whether it had its cores."""
    first, second = [await _timed_result(run_id, services) for run_id in run]
    return verdict_of(first, second)


@router.get("/comparisons/{name}", response_model=Figure, responses=problems(404, 409, 422))
async def compare_runs(name: Name, run: RunIds, services: FromServices) -> Figure:
    """A Plotly figure over finished runs: times by threads, or the performance profile of the contenders."""
    results = [await _timed_result(run_id, services) for run_id in run]
    return await asyncio.to_thread(COMPARISONS[name], results)


async def _timed_result(run_id: str, services: Services) -> RunResult:
    """Raises ProblemError for a run without times."""
    result = (await services.running.runs.get(run_id))["result"]
    if result is None or not timed_entries(result):
        raise ProblemError(409, "not-measured", "A run has no times", f"Run {run_id} has no times to compare.")
    return result
