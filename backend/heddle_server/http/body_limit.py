"""Caps the body of every request, whether or not it announces its length, and those that are in memory together."""

from __future__ import annotations

from collections import Counter

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heddle_server.http.drain import drain
from heddle_server.http.networks import UNKNOWN, network_of
from heddle_server.http.refuse import refuse

# Of bodies that are read into memory, at a time: of all requests, and of those of one network.
MOST_HELD = 16 << 20
MOST_HELD_OF_NETWORK = 8 << 20
ALWAYS_HELD = 8 << 10
"""Bytes of each body that find room whatever else is held: as many as most plans have. Connections bound their sum."""


class BodyLimit:
    """``limits`` maps a path to its own cap in bytes, and streams its bodies; every other path has ``default``, and is
    answered once its body is in memory."""

    def __init__(self, app: ASGIApp, default: int, limits: dict[str, int]) -> None:
        self.app = app
        self.default = default
        self.limits = limits
        self.held: Counter[str] = Counter()

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
        streamed = scope["path"] in self.limits
        network = network_of(scope["client"][0]) if scope.get("client") else UNKNOWN
        received = held = 0

        async def receive_within_limit() -> Message:
            nonlocal received, held
            message = await receive()
            if message["type"] == "http.request":
                received += len(message.get("body", b""))
                if received > limit:
                    await drain(receive, 4 * limit)
                    # FastAPI passes an HTTPException on from the reading of a body; any other type would become a 400.
                    raise HTTPException(413, too_large(limit), headers={"Connection": "close"})
                more = max(0, received - ALWAYS_HELD) - held
                if not streamed and more > 0:
                    held += more
                    self.held[network] += more
                    if self.held.total() > MOST_HELD or self.held[network] > MOST_HELD_OF_NETWORK:
                        raise HTTPException(503, TOO_MUCH_AT_ONCE, headers={"Connection": "close", "Retry-After": "5"})
            return message

        try:
            await self.app(scope, receive_within_limit, send)
        finally:
            self.held[network] -= held
            if self.held[network] <= 0:
                del self.held[network]


TOO_MUCH_AT_ONCE = "The server is receiving too much at once. Try again in a moment."


def too_large(limit: int) -> str:
    return f"This address accepts at most {limit:,} bytes, and the body is larger."
