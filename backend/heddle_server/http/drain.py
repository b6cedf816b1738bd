"""Lets a client finish saying what is refused, so that it reads the answer instead of a broken connection."""

from __future__ import annotations

import asyncio
import contextlib

from starlette.types import Receive

SECONDS = 2.0


async def drain(receive: Receive, limit: int) -> None:
    """Reads and forgets the body, up to ``limit`` bytes and for a short while."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(SECONDS):
            while limit > 0:
                message = await receive()
                if message["type"] != "http.request" or not message.get("more_body", False):
                    return
                limit -= len(message.get("body", b""))
