"""What a person may ask of a preview: the data as an input of a plan, and the tensor that it is for."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from heddle.plan.limits import MAX_ORDER


class PreviewRequest(BaseModel):
    """``input`` as a plan's: a dataset, an upload, or a generator with a shape."""

    model_config = ConfigDict(extra="forbid")

    tensor: str = Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}$")
    order: int = Field(ge=1, le=MAX_ORDER)
    input: dict[str, Any]
