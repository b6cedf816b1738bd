"""Bodies in memory at a time: the large ones are bounded together, a small one always finds room."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.exceptions import HTTPException
from starlette.types import Message, Receive, Scope, Send

from heddle_server.http.body_limit import ALWAYS_HELD, MOST_HELD_OF_NETWORK, BodyLimit

MEBIBYTE = 1 << 20


class Reader:
    """Reads each body whole, and holds it until it is told to answer."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.read = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive()).get("more_body"):
            pass
        self.read += 1
        await self.go.wait()


async def sent(layer: BodyLimit, size: int, path: str = "/api/v1/compile") -> None:
    pieces = [b" " * min(65_536, size - start) for start in range(0, size, 65_536)]
    messages = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
    waiting = iter([*messages, {"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> Message:
        return next(waiting)

    async def send(message: Message) -> None:
        raise AssertionError(message)

    scope: dict[str, Any] = {"type": "http", "path": path, "headers": [], "client": ("10.0.0.1", 1)}
    await layer(scope, receive, send)


async def test_a_small_body_finds_room_beside_as_many_large_ones_as_there_may_be() -> None:
    reader = Reader()
    layer = BodyLimit(reader, MEBIBYTE, {})
    full = MOST_HELD_OF_NETWORK // MEBIBYTE
    held = [asyncio.create_task(sent(layer, MEBIBYTE)) for _ in range(full)]
    rest = MOST_HELD_OF_NETWORK - full * (MEBIBYTE - ALWAYS_HELD)
    held.append(asyncio.create_task(sent(layer, rest + ALWAYS_HELD)))
    while reader.read < full + 1:
        await asyncio.sleep(0)
    assert layer.held.total() == MOST_HELD_OF_NETWORK
    with pytest.raises(HTTPException, match="too much at once"):
        await sent(layer, ALWAYS_HELD + 1)
    held.append(asyncio.create_task(sent(layer, ALWAYS_HELD)))
    while reader.read < full + 2:
        await asyncio.sleep(0)
    reader.go.set()
    await asyncio.gather(*held)
    assert not layer.held


async def test_streamed_bodies_are_not_held() -> None:
    reader = Reader()
    layer = BodyLimit(reader, MEBIBYTE, {"/upload": 64 * MEBIBYTE})
    reader.go.set()
    await sent(layer, 32 * MEBIBYTE, "/upload")
    assert not layer.held
