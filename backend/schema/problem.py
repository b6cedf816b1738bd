"""Problem documents (RFC 9457) in the API description."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, NotRequired

from typing_extensions import TypedDict

from compiler.views.schema import DiagnosticView


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    instance: str | None
    diagnostics: NotRequired[list[DiagnosticView]]


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The error answers of one operation, for FastAPI's ``responses``."""
    schema = {"$ref": "#/components/schemas/Problem"}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": {"application/problem+json": {"schema": schema}}}
        for status in statuses
    }
