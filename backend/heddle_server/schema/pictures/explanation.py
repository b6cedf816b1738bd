"""What a person may ask of an explanation: a plan, what to compare it with, and the data to count on."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from heddle_server.schema.pictures.trace import TraceRequest
from heddle_server.schema.plan import PlanBody


class ExplanationRequest(TraceRequest):
    """``before`` is the plan to compare with; without it, the plan without its schedule. ``data``: ``input`` counts on
    a part of the plan's own inputs, ``operands`` on what a trace with these ``operands`` runs on. With ``tiles``
    ``as written`` the counts are those of the plan to the letter, however few shares there are."""

    before: PlanBody | None = None
    data: Literal["input", "operands"] = Field(default="operands")
    tiles: Literal["scaled", "as written"] = Field(default="scaled")
