"""POST /links; GET and DELETE /links/{id}."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path

from heddle_server.api.dependencies import FromServices, FromVisitor, document_of
from heddle_server.api.part import part_of_api
from heddle_server.http.audit import wrote
from heddle_server.schema.link import DecompositionLinkView, LinkCreated, LinkRequest, LinkView
from heddle_server.schema.problem import problems

router = part_of_api("links")

LinkId = Annotated[str, Path(max_length=64)]


@router.post(
    "/links", status_code=201, response_model=LinkCreated, responses=problems(400, 404, 409, 413, 415, 422, 429, 507)
)
async def create_link(body: LinkRequest, services: FromServices, visitor: FromVisitor) -> LinkCreated:
    """A permanent link to the plan, or to the document of an algorithm; the same one has the same link.

    A plan that does not compile has one too, as long as it is small.
    """
    created = await services.links.create(document_of(body.plan), body.run_id, visitor)
    wrote(created["id"])
    return created


@router.get("/links/{id}", response_model=LinkView | DecompositionLinkView, responses=problems(404))
async def get_link(id: LinkId, services: FromServices) -> LinkView:
    """The plan or the algorithm behind a link, with its stored result."""
    return await services.links.get(id)


@router.delete("/links/{id}", response_model=LinkCreated, responses=problems(403, 404))
async def delete_link(id: LinkId, services: FromServices, visitor: FromVisitor) -> LinkCreated:
    """Forget a link that nobody else has made. Whoever has its address finds nothing there."""
    view = await services.links.delete(id, visitor)
    wrote(id)
    return view
