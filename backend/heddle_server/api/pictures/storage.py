"""POST /storage."""

from __future__ import annotations

from fastapi import Response

from heddle.explorer.views.storage.storage_schema import StorageView
from heddle_server.api.answers import FromJsonAnswer
from heddle_server.api.dependencies import FromServices
from heddle_server.api.part import part_of_api
from heddle_server.schema.pictures.storage import StorageRequest
from heddle_server.schema.problem import problems
from heddle_server.services.compiling.storage import store_picture

router = part_of_api("compile")


@router.post("/storage", response_model=StorageView, responses=problems(400, 413, 415, 422, 429, 500, 503))
async def show_storage(body: StorageRequest, services: FromServices, answer: FromJsonAnswer) -> Response:
    """How a tensor lies in memory in one format: the tree of its levels, its arrays and their bytes, with the
    bytes of the other formats.

    Of large tensors the first positions are shown, and their entries are counted in a raster. What cannot be stored in
    that way is answered with 200 and diagnostics.
    """
    return await answer(await store_picture(services.compiles, services.data.datasets, body))
