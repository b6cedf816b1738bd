"""A plan in another form."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict
from typing_extensions import TypedDict

from heddle.targets import CodeLanguageName
from heddle_server.schema.plan import PlanBody

ExportKind = Literal["plan", CodeLanguageName, "python", "taco", "bibtex"]


class ExportRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    plan: PlanBody
    kind: ExportKind


class ExportView(TypedDict):
    """``text`` is the whole file."""

    name: str
    media_type: str
    text: str
