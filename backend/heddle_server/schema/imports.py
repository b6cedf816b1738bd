"""A text from elsewhere, in which there may be a plan."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from heddle_server.schema.plan import PlanBody

MAX_TEXT = 1 << 15


class ImportRequest(BaseModel):
    """``plan`` is the one that is open: a text without an expression changes its schedule or its formats."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(max_length=MAX_TEXT)
    plan: PlanBody
