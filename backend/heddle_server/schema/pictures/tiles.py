"""What a person may ask of a cut: the data as for a storage picture, and how to cut it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictInt

from heddle.explorer.views.data.tiles_schema import CutKind
from heddle.plan.limits import MAX_DIMENSION, MAX_ORDER
from heddle_server.schema.pictures.storage import Dtype


class TilesRequest(BaseModel):
    """``input`` as a plan's: a dataset, an upload, or a generator with a shape; without it, the running example.

    ``dimension`` (0-based) belongs to cuts by coordinate. ``size`` is the extent of a tile.
    """

    model_config = ConfigDict(extra="forbid")

    tensor: str = Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}$")
    order: StrictInt = Field(ge=1, le=MAX_ORDER)
    format: str = Field(max_length=4096)
    dtype: Dtype = "float64"
    input: dict[str, Any] | None = None
    cut: CutKind
    dimension: StrictInt = Field(default=0, ge=0, lt=MAX_ORDER)
    size: Annotated[StrictInt, Field(ge=1, le=MAX_DIMENSION)]
