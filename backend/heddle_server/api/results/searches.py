"""POST /searches and GET /searches/{id}: searches for schedules. They are followed and cancelled as runs."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Body, Path

from heddle_server.api.dependencies import FromServices, FromVisitor, PlanFromBody, plan_of
from heddle_server.api.part import part_of_api
from heddle_server.http.audit import wrote
from heddle_server.schema.plan import PLAN_BODY
from heddle_server.schema.problem import problems
from heddle_server.schema.search import SearchRequest, SearchView
from heddle_server.schema.tuned import KeptOutView, KnownView, LookupView

router = part_of_api("searches")


@router.post(
    "/searches",
    status_code=202,
    response_model=SearchView,
    responses=problems(400, 404, 409, 413, 415, 422, 429, 500, 503),
)
async def start_search(request: SearchRequest, services: FromServices, visitor: FromVisitor) -> SearchView:
    """Search for a faster schedule of the plan. It waits in the queue of the runs, again for each of its slices, so
    that others' runs come between. What it finds is kept for everybody who asks for the same program."""
    view = await services.running.searches.submit(plan_of(request.plan), request, visitor)
    wrote(view["run"]["id"])
    return view


@router.get("/searches/{id}", response_model=SearchView, responses=problems(404))
async def get_search(
    id: Annotated[str, Path(description="The id of a search.", max_length=64)], services: FromServices
) -> SearchView:
    """The search with its whole log, from which it can be drawn without running it."""
    return await services.running.searches.get(id)


@router.get("/tuned", response_model=list[KnownView])
async def list_tuned(services: FromServices) -> list[KnownView]:
    """What searches found here, by canonical form."""
    return await services.running.searches.known()


@router.post(
    "/tuned/lookup",
    response_model=LookupView,
    responses=problems(400, 413, 415, 422, 429, 500, 503),
    openapi_extra=PLAN_BODY,
)
async def lookup_tuned(plan: PlanFromBody, services: FromServices) -> LookupView:
    """What is known of the plan, whatever its names: each schedule compiles here, and the rest is kept out with its
    reason."""
    return await services.running.searches.lookup(plan, await services.data.datasets.paths(plan))


@router.post("/tuned", response_model=list[KeptOutView], responses=problems(400, 401, 413, 415, 422, 429, 500, 503))
async def import_tuned(document: Annotated[Any, Body()], services: FromServices) -> list[KeptOutView]:
    """Join a file of `./heddle tuned export`. The answer is what was kept out, with the reasons. For the operator alone
    (`Authorization: Bearer <operator token>`), since all visitors are shown what is in it as measured; on the server's
    own machine `./heddle tuned import` does the same."""
    return await services.running.searches.import_file(document)
