"""GET /events: several runs in one stream."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Header, Query
from fastapi.sse import EventSourceResponse, ServerSentEvent

from heddle_server.api.dependencies import FromServices
from heddle_server.api.part import part_of_api
from heddle_server.api.results.runs import RETRY_MILLISECONDS
from heddle_server.problem import ProblemError
from heddle_server.schema.problem import problems
from heddle_server.services.runs.run_events import cursor_places

router = part_of_api("runs")

MOST_RUNS = 32
RunIds = Annotated[
    list[Annotated[str, Query(max_length=64)]],
    Query(description="The ids of the runs to follow.", min_length=1, max_length=MOST_RUNS),
]


async def known_runs(
    run: RunIds,
    services: FromServices,
    last: Annotated[str | None, Header(alias="Last-Event-ID", max_length=8192)] = None,
) -> dict[str, int]:
    """Where each run's events go on. A dependency, because it must fail before the stream's headers are sent."""
    try:
        places = cursor_places(last or "")
    except ValueError:
        detail = "Last-Event-ID must be the id of an event that this stream sent."
        raise ProblemError(422, "invalid-request", "The request is not valid", detail) from None
    for run_id in run:
        await services.running.runs.exists(run_id)
    return {run_id: places.get(run_id, 0) for run_id in run}


@router.get("/events", response_class=EventSourceResponse, responses=problems(404, 422))
async def follow_runs(
    after: Annotated[dict[str, int], Depends(known_runs)], services: FromServices
) -> AsyncIterator[ServerSentEvent]:
    """The events of several runs in one stream, so that a page needs one connection: as those of one run, each with
    the `run` that it is of. The stream ends when all of them have ended."""
    async for cursor, event, data in services.running.events.many(after):
        yield ServerSentEvent(event=event, data=data, id=cursor, retry=RETRY_MILLISECONDS)
