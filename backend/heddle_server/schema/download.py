"""Data fetched by name from a public collection."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from heddle_server.schema.dataset import DatasetView
from heddle_server.schema.problem import Problem


class CollectionView(TypedDict):
    """``naming`` says what a name looks like; ``examples`` are names, and all of them where ``complete``."""

    id: str
    title: str
    home: str
    kind: Literal["mtx", "tns"]
    naming: str
    examples: list[str]
    complete: bool
    licence: str


class DownloadRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    collection: str = Field(max_length=32)
    name: str = Field(min_length=1, max_length=200)


class DownloadView(TypedDict):
    """``received`` and ``total`` are bytes; ``total`` is null where the collection does not tell it. ``dataset`` is
    there once it is done, ``problem`` when it has failed."""

    id: str
    collection: str
    name: str
    state: Literal["waiting", "receiving", "checking", "done", "failed", "cancelled"]
    received: int
    total: int | None
    dataset: DatasetView | None
    problem: Problem | None
