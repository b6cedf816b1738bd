"""Permanent links."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from backend.schema.plan import PlanBody, PlanDocument
from backend.schema.run import RunView


class LinkRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    plan: PlanBody
    run_id: str | None = Field(default=None, pattern=r"^[\w-]{1,64}$")


class LinkCreated(TypedDict):
    """``own``: whether who asked may delete it, since nobody else has made the same."""

    id: str
    url: str
    own: bool


class LinkView(TypedDict):
    """``run`` is the stored result: a finished run of this very plan, null when there is none yet."""

    id: str
    plan: PlanDocument
    created: str
    run: RunView | None
