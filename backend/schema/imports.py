"""A text from elsewhere, and the plan in it."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from backend.schema.plan import PlanBody
from compiler.views.diagnostics_schema import DiagnosticView

MAX_TEXT = 1 << 15


class ImportRequest(BaseModel):
    """``plan`` is the one that is open: a text without an expression changes its schedule or its formats."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(max_length=MAX_TEXT)
    plan: PlanBody


class LeftOutView(TypedDict):
    """A piece of the text that the plan does not hold, and why."""

    text: str
    why: str


class ImportView(TypedDict):
    """``title`` says what the text is, ``taken`` what the plan has of it. ``notes`` are what was understood in a sense
    that the text does not spell out, or why there is no plan (``ok`` is false). ``diagnostics`` are the plan's."""

    ok: bool
    title: str
    plan: dict[str, Any] | None
    taken: list[str]
    left: list[LeftOutView]
    notes: list[str]
    diagnostics: list[DiagnosticView]
