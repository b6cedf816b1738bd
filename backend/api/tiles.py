"""POST /tiles."""

from __future__ import annotations

from fastapi import Response

from backend.api.answers import FromJsonAnswer
from backend.api.dependencies import FromServices
from backend.api.part import part_of_api
from backend.schema.problem import problems
from backend.schema.tiles import TilesRequest
from backend.services.storage import cut_into_tiles
from compiler.views.data.tiles_schema import TilesView

router = part_of_api("compile")


@router.post("/tiles", response_model=TilesView, responses=problems(400, 413, 422, 429, 500))
async def show_tiles(body: TilesRequest, services: FromServices, answer: FromJsonAnswer) -> Response:
    """Real data cut by coordinates or by positions: the nonzeros of each tile, those shared by tiles, a raster of the
    whole, and a window small enough for a trace.

    Data that cannot be cut in that way is answered with 200 and diagnostics.
    """
    return await answer(await cut_into_tiles(services.compiles, services.datasets, body))
