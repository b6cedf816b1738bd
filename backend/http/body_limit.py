"""Caps the body of every request, whether or not it announces its length."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.http.drain import drain
from backend.http.refuse import refuse


class BodyLimit:
    """``limits`` maps a path to its own cap in bytes; every other path has ``default``."""

    def __init__(self, app: ASGIApp, default: int, limits: dict[str, int]) -> None:
        self.app = app
        self.default = default
        self.limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = self.limits.get(scope["path"], self.default)
        announced = Headers(scope=scope).get("content-length", "")
        if announced.isdigit() and int(announced) > limit:
            await drain(receive, 4 * limit)
            await refuse(send, 413, "content-too-large", "Content Too Large", too_large(limit))
            return
        received = 0

        async def receive_within_limit() -> Message:
            nonlocal received
            message = await receive()
            if message["type"] == "http.request":
                received += len(message.get("body", b""))
                if received > limit:
                    await drain(receive, 4 * limit)
                    # FastAPI passes an HTTPException on from the reading of a body; any other type would become a 400.
                    raise HTTPException(413, too_large(limit), headers={"Connection": "close"})
            return message

        await self.app(scope, receive_within_limit, send)


def too_large(limit: int) -> str:
    return f"This address accepts at most {limit:,} bytes, and the body is larger."
