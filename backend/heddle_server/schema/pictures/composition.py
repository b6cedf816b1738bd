"""What a person may ask of a composition: the data as for a storage picture, and how many workers share the loops."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictInt

from heddle.explorer.views.composition.load import MAX_WORKERS
from heddle_server.schema.pictures.storage import StorageRequest


class CompositionRequest(StorageRequest):
    """The data as in a StorageRequest; ``format`` may be a sum of parts."""

    workers: Annotated[StrictInt, Field(ge=1, le=MAX_WORKERS)] = 4
