"""GET and PUT /datasets, DELETE /datasets/{id}."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query, Request

from heddle_server.api.dependencies import FromServices, FromVisitor
from heddle_server.api.part import part_of_api
from heddle_server.http.audit import wrote
from heddle_server.schema.dataset import DatasetView
from heddle_server.schema.problem import problems

router = part_of_api("datasets")

UPLOAD_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.get("/datasets", response_model=list[DatasetView])
async def list_datasets(services: FromServices) -> list[DatasetView]:
    """The built-in matrices and tensors, then the uploads, newest first."""
    return await services.data.datasets.everything()


@router.put(
    "/datasets",
    status_code=201,
    response_model=DatasetView,
    responses=problems(413, 415, 422, 429, 500, 503, 507),
    openapi_extra=UPLOAD_BODY,
)
async def upload_dataset(
    request: Request,
    services: FromServices,
    visitor: FromVisitor,
    name: Annotated[str, Query(description="The file's name; ends in .mtx, .tns or .smtx, perhaps with .gz.")],
) -> DatasetView:
    """Keep a file, sent as the raw body. The same bytes are one dataset, whatever their name."""
    view = await services.data.datasets.upload(name, request.stream(), visitor)
    wrote(view["id"])
    return view


@router.delete("/datasets/{id}", response_model=DatasetView, responses=problems(403, 404, 409, 422))
async def delete_upload(
    id: Annotated[str, Path(description="The id of an upload.", pattern=r"^sha256:[0-9a-f]{64}$")],
    services: FromServices,
    visitor: FromVisitor,
) -> DatasetView:
    """Delete data that nobody else has uploaded or uses. Results that were measured with them stay."""
    view = await services.data.datasets.delete(id, visitor)
    wrote(id)
    return view
