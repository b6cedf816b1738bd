"""Tensors that a Plan can name as inputs: built-in files, uploads and generators."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict


class DatasetView(TypedDict):
    """``id`` is the name of a built-in, ``sha256:<hex>`` of an upload, or ``collection:name`` of a download.

    ``nnz`` counts stored nonzeros. ``own``: whether who asks may delete it. ``kept_days``:
    after so many days an upload goes that no run and no link names; null for what stays.
    """

    id: str
    name: str
    origin: Literal["builtin", "upload", "collection"]
    shape: list[int]
    nnz: int
    summary: str
    bytes: int
    own: bool
    kept_days: float | None


class GeneratorParameterView(TypedDict):
    name: str
    title: str
    kind: Literal["integer", "number", "boolean"]
    default: float
    minimum: float
    maximum: float


class GeneratorView(TypedDict):
    """``order`` is the only tensor order that the generator makes; null when it makes any."""

    name: str
    title: str
    summary: str
    order: int | None
    parameters: list[GeneratorParameterView]
