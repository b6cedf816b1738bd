"""POST /tiles."""

from __future__ import annotations

from fastapi import Response

from heddle.explorer.views.data.tiles_schema import TilesView
from heddle_server.api.answers import FromJsonAnswer
from heddle_server.api.dependencies import FromServices
from heddle_server.api.part import part_of_api
from heddle_server.schema.pictures.tiles import TilesRequest
from heddle_server.schema.problem import problems
from heddle_server.services.compiling.storage import cut_into_tiles

router = part_of_api("compile")


@router.post("/tiles", response_model=TilesView, responses=problems(400, 413, 415, 422, 429, 500, 503))
async def show_tiles(body: TilesRequest, services: FromServices, answer: FromJsonAnswer) -> Response:
    """Real data cut by coordinates or by positions: the nonzeros of each tile, those shared by tiles, a raster of the
    whole, and a window small enough for a trace.

    Data that cannot be cut in that way is answered with 200 and diagnostics.
    """
    return await answer(await cut_into_tiles(services.compiles, services.data.datasets, body))
