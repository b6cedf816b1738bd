"""Pictures of data: which file it is in, then the work in a compile process, remembered."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from heddle.diagnostics import CompileError
from heddle.plan.inputs import read_input
from heddle.plan.reader import Reader
from heddle_server.http.packed_answers import Answer
from heddle_server.problem import bad_plan
from heddle_server.schema.pictures.composition import CompositionRequest
from heddle_server.schema.pictures.preview import PreviewRequest
from heddle_server.schema.pictures.storage import StorageRequest
from heddle_server.schema.pictures.tiles import TilesRequest
from heddle_server.services.compiling.compile import CompileService
from heddle_server.services.compiling.composition_worker import composition_document
from heddle_server.services.compiling.preview_worker import preview_document
from heddle_server.services.compiling.storage_worker import storage_document
from heddle_server.services.compiling.tiles_worker import tiles_document
from heddle_server.services.data.datasets import DatasetService


async def store_picture(compiles: CompileService, datasets: DatasetService, request: StorageRequest) -> Answer:
    """The JSON of a StorageView. Raises ProblemError for an input that is none, or data that is not here."""
    return await _look(compiles, datasets, request, "storage", "storage picture", storage_document)


async def divide_into_parts(compiles: CompileService, datasets: DatasetService, request: CompositionRequest) -> Answer:
    """The JSON of a CompositionView. Raises ProblemError as ``store_picture`` does."""
    return await _look(compiles, datasets, request, "composition", "storage picture", composition_document)


async def cut_into_tiles(compiles: CompileService, datasets: DatasetService, request: TilesRequest) -> Answer:
    """The JSON of a TilesView. Raises ProblemError as ``store_picture`` does."""
    return await _look(compiles, datasets, request, "tiles", "cut", tiles_document)


async def preview(compiles: CompileService, datasets: DatasetService, request: PreviewRequest) -> Answer:
    """The JSON of a PreviewView. Raises ProblemError as ``store_picture`` does.

    Of an upload or a download it was made when the file came, for any size; of built-in and generated data it is made
    now.
    """
    identity = request.input.get("dataset", request.input.get("upload"))
    preview = await datasets.preview(identity) if isinstance(identity, str) else None
    if preview is not None:
        return Answer(preview)
    return await _look(compiles, datasets, request, "preview", "preview", preview_document)


async def _look(
    compiles: CompileService,
    datasets: DatasetService,
    request: StorageRequest | TilesRequest | PreviewRequest,
    name: str,
    work: str,
    function: Callable[..., bytes],
) -> Answer:
    document: dict[str, Any] = request.model_dump()
    path = None
    if request.input is not None:
        document["input"] = _check(request.input)
        identity = document["input"].get("dataset", document["input"].get("upload"))
        if isinstance(identity, str):
            path = str(await datasets.path(request.tensor, identity))
    asked = hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
    small = request.input is None  # The running example, or what a person wrote down.
    return await compiles.once(f"{name}-{asked}", asked, work, small, function, document, path)


def _check(source: dict[str, Any]) -> dict[str, object]:
    """The input as a plan's reader understands it."""
    reader = Reader()
    checked = read_input(reader, source, "/input")
    try:
        reader.finish()
    except CompileError as error:
        raise bad_plan(error, "This is not a valid input") from None
    return checked
