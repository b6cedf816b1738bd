"""Problem documents for answers that are given before a request reaches FastAPI."""

from __future__ import annotations

import json

from starlette.types import Send

from heddle_server.problem import MEDIA_TYPE, ProblemError


async def refuse(
    send: Send, status: int, slug: str, title: str, detail: str, more: dict[str, str] | None = None
) -> None:
    """``more``: further headers."""
    body = json.dumps(ProblemError(status, slug, title, detail).document()).encode()
    headers = [
        (b"content-type", MEDIA_TYPE.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
        *((name.encode(), value.encode()) for name, value in (more or {}).items()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
