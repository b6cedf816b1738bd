"""Problem documents (RFC 9457) in the API description."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from heddle.explorer.views.diagnostics_schema import DiagnosticView

# The names of RFC 9110; Python's own differ between its versions.
TITLES = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    409: "Conflict",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    422: "Unprocessable Content",
    429: "Too Many Requests",
    500: "Internal Server Error",
    503: "Service Unavailable",
    507: "Insufficient Storage",
}


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
        status: {"description": TITLES[status], "content": {"application/problem+json": {"schema": schema}}}
        for status in statuses
    }
