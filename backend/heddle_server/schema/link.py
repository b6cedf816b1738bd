"""Permanent links."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from heddle_server.schema.decomposition import AlgorithmDocument, DecompositionView, DocumentBody
from heddle_server.schema.plan import PlanDocument
from heddle_server.schema.run import RunView


class LinkRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    plan: DocumentBody
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


class DecompositionLinkView(TypedDict):
    """The same for a document that has an ``algorithm``; ``run`` is the latest that came to its end, where none was
    shared."""

    id: str
    plan: AlgorithmDocument
    created: str
    run: DecompositionView | None


class EmbedDescription(TypedDict):
    """The names are those of oEmbed 1.0; ``html`` is a frame of ``width`` times ``height`` pixels."""

    version: Literal["1.0"]
    type: Literal["rich"]
    provider_name: str
    provider_url: str
    title: str
    html: str
    width: int
    height: int
