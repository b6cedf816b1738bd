"""POST /runs, GET and DELETE /runs/{id}, its events and its figures."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import Depends, Header, Path, Query, Response
from fastapi.responses import FileResponse, StreamingResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent

from heddle_server.api.dependencies import DocumentFromBody, FromCanceller, FromServices, FromVisitor, PlanFromBody
from heddle_server.api.part import part_of_api
from heddle_server.http.audit import wrote
from heddle_server.problem import ProblemError
from heddle_server.schema.decomposition import DOCUMENT_BODY, DecompositionView, ScoreView
from heddle_server.schema.plan import PLAN_BODY
from heddle_server.schema.problem import problems
from heddle_server.schema.run import Figure, RunView
from heddle_server.services.figures import run_figure

router = part_of_api("runs")

RunId = Annotated[str, Path(description="The id of a run.", max_length=64)]
RETRY_MILLISECONDS = 1000
MODEL = "application/zip"


@router.post(
    "/runs",
    status_code=202,
    response_model=RunView | DecompositionView,
    responses=problems(400, 404, 409, 413, 415, 422, 429, 500, 503),
    openapi_extra=DOCUMENT_BODY,
)
async def start_run(
    document: DocumentFromBody,
    services: FromServices,
    visitor: FromVisitor,
    fresh: Annotated[
        bool, Query(description="Measure again, even when this machine has already measured this plan.")
    ] = False,
    resume: Annotated[
        str | None,
        Query(
            description="The id of a run of the same decomposition, from whose end this one goes on, with more sweeps.",
            max_length=64,
        ),
    ] = None,
) -> RunView:
    """Queue a run of the plan: build, verify, and time in alternation with the baselines.

    A plan that this machine has measured already, on the same data and with the same versions, is answered at once by
    that measurement, which `measured_by` names. White space is no part of a plan. A noisy measurement answers nobody
    who asks later.

    The document of an algorithm, with `algorithm` in place of `expression`, is a decomposition: its sweeps come as
    events, it can be stopped, and its kernels are compared with NumPy before the first sweep. With `resume` it goes on
    from the end of another run, with the same bits as one that never ended; only how long it lasts may be another.
    """
    view = await services.running.runs.submit(document, visitor, fresh=fresh, resume=resume)
    wrote(view["id"])
    return view


@router.post(
    "/runs/measured",
    response_model=RunView | None,
    responses=problems(400, 413, 415, 422, 500, 503),
    openapi_extra=PLAN_BODY,
)
async def find_measured_run(plan: PlanFromBody, services: FromServices) -> RunView | None:
    """The latest measurement of the plan by this machine, on the same data and with the same versions; null for none.
    A noisy one only where there is no other.

    Nothing is queued.
    """
    return await services.running.runs.find_measured(plan)


@router.get("/runs/{id}", response_model=RunView | DecompositionView, responses=problems(404))
async def get_run(id: RunId, services: FromServices) -> RunView:
    """A run: its plan, its state, and its result once it has ended."""
    return await services.running.runs.get(id)


@router.delete("/runs/{id}", response_model=RunView | DecompositionView, responses=problems(403, 404))
async def cancel_run(id: RunId, services: FromServices, canceller: FromCanceller) -> RunView:
    """End the run within two seconds; one that has ended stays as it is. For the browser that asked for the run, and
    for the operator."""
    return await services.running.runs.cancel(id, canceller)


@router.post(
    "/runs/{id}/stop",
    response_model=RunView | DecompositionView,
    responses=problems(403, 404, 409, 415),
    openapi_extra={"requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}}},
)
async def stop_run(id: RunId, services: FromServices, canceller: FromCanceller) -> RunView:
    """Let a decomposition end behind its sweep and keep what is there; one that has ended stays as it is, and one that
    waits for its first sweep ends as cancelled. For the browser that asked for the run, and for the operator. The body
    may be left out, and its content type may not."""
    view = await services.running.runs.stop(id, canceller)
    wrote(id)
    return view


@router.get(
    "/runs/{id}/model",
    response_class=FileResponse,
    responses={
        **problems(404, 409),
        200: {
            "content": {
                MODEL: {"schema": {"type": "string", "format": "binary"}},
                "application/json": {"schema": {"type": "object"}},
            }
        },
    },
)
async def get_model(
    id: RunId,
    services: FromServices,
    format: Annotated[Literal["npz", "json"], Query(description="A file of NumPy, or one JSON text.")] = "npz",
) -> Response:
    """What a decomposition found, as an `.npz` file of NumPy: `weights`, and `factor_0`, `factor_1`, … with columns of
    norm 1; or as JSON: the whole result, with `weights` and a list of rows for each of `factors`."""
    if format == "npz":
        return FileResponse(
            await services.running.models.file(id), media_type=MODEL, filename=f"decomposition-{id}.npz"
        )
    name = f'attachment; filename="decomposition-{id}.json"'
    pieces = await services.running.models.report(id)
    return StreamingResponse(pieces, media_type="application/json", headers={"Content-Disposition": name})


@router.get("/runs/{id}/score", response_model=ScoreView, responses=problems(404, 409))
async def score_models(
    id: RunId,
    other: Annotated[str, Query(description="The id of another decomposition.", max_length=64)],
    services: FromServices,
) -> ScoreView:
    """How alike the models of two decompositions are, 1 for the same up to order, scale and sign of components."""
    return await services.running.models.score(id, other)


async def known_run(id: RunId, services: FromServices) -> str:
    # A dependency, because it must fail before the stream's headers are sent.
    await services.running.runs.exists(id)
    return id


async def last_event_id(header: Annotated[str | None, Header(alias="Last-Event-ID")] = None) -> int:
    if header is None or header == "":
        return 0
    if not header.isascii() or not header.isdigit() or len(header) > 9:
        detail = "Last-Event-ID must be the id of an event that this run sent: a whole number."
        raise ProblemError(422, "invalid-request", "The request is not valid", detail)
    return int(header)


@router.get("/runs/{id}/events", response_class=EventSourceResponse, responses=problems(404, 422))
async def follow_run(
    run_id: Annotated[str, Depends(known_run)], after: Annotated[int, Depends(last_event_id)], services: FromServices
) -> AsyncIterator[ServerSentEvent]:
    """What happens to the run, as server-sent events, from its beginning or after Last-Event-ID.

    - `state` {state, queue_position, started, finished, problem}
    - `progress` {phase, fraction, message}
    - `sweeps` {records} of a decomposition; one with a number that came before is the same step again
    - `result` a RunResult or a DecompositionResult
    - `end` {state, problem}, the last one
    """
    async for sequence, event, data in services.running.events.follow(run_id, after):
        identity = str(sequence) if sequence is not None else None
        yield ServerSentEvent(event=event, data=data, id=identity, retry=RETRY_MILLISECONDS)


@router.get("/runs/{id}/figures/{name}", response_model=Figure, responses=problems(404))
async def get_figure(
    id: RunId, name: Annotated[str, Path(description="One of the run's figures.")], services: FromServices
) -> Figure:
    """A Plotly figure of the run's result."""
    return await run_figure(await services.running.runs.get(id), name)
