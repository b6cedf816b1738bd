"""POST /links, GET /links/{id}."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from backend.api.dependencies import FromServices, plan_of
from backend.http.audit import wrote
from backend.schema.link import LinkCreated, LinkRequest, LinkView
from backend.schema.problem import problems

router = APIRouter(tags=["links"])


@router.post("/links", status_code=201, response_model=LinkCreated, responses=problems(400, 404, 409, 413, 422))
async def create_link(body: LinkRequest, services: FromServices) -> LinkCreated:
    """A permanent link to the plan; the same plan has the same link."""
    created = await services.links.create(plan_of(body.plan), body.run_id)
    wrote(created["id"])
    return created


@router.get("/links/{id}", response_model=LinkView, responses=problems(404))
async def get_link(id: Annotated[str, Path(max_length=64)], services: FromServices) -> LinkView:
    """The plan behind a link, with its stored result."""
    return await services.links.get(id)
