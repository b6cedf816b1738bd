"""GET /collections; POST, GET and DELETE /downloads."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path

from heddle_server.api.dependencies import FromCanceller, FromServices
from heddle_server.api.part import part_of_api
from heddle_server.http.audit import wrote
from heddle_server.schema.download import CollectionView, DownloadRequest, DownloadView
from heddle_server.schema.problem import problems

router = part_of_api("datasets")

DownloadId = Annotated[str, Path(description="The id of a download.", max_length=64)]


@router.get("/collections", response_model=list[CollectionView])
async def list_collections(services: FromServices) -> list[CollectionView]:
    """Public collections from which the service fetches matrices and tensors by name."""
    return services.data.downloads.collections()


@router.post(
    "/downloads", status_code=202, response_model=DownloadView, responses=problems(400, 404, 413, 415, 422, 429, 507)
)
async def start_download(body: DownloadRequest, services: FromServices, waiting: FromCanceller) -> DownloadView:
    """Fetch a matrix or tensor. One that is here already is done at once; two requests for one share a download."""
    view = await services.data.downloads.start(body.collection, body.name, waiting.browser)
    wrote(view["id"])
    return view


@router.get("/downloads/{id}", response_model=DownloadView, responses=problems(404))
async def show_download(id: DownloadId, services: FromServices, waiting: FromCanceller) -> DownloadView:
    """How far a download is; for a browser that cancelled it, cancelled."""
    return services.data.downloads.view(id, waiting.browser)


@router.delete("/downloads/{id}", response_model=DownloadView, responses=problems(403, 404))
async def cancel_download(id: DownloadId, services: FromServices, canceller: FromCanceller) -> DownloadView:
    """Wait for a download no longer. It stops when nobody is left who waits, or when the operator says so; then nothing
    of it is kept. One that has ended stays as it is."""
    return await services.data.downloads.cancel(id, canceller)
