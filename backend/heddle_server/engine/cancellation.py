"""Ending tasks; and telling one that somebody cancels from one that merely awaits something that was cancelled."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import Any

# Tidying up takes a task less than that, or else it has lost its cancellation.
AGAIN_SECONDS = 1.0


def being_cancelled() -> bool:
    """Whether somebody asked the current task to end. A ``CancelledError`` without that comes from what it awaited,
    such as a connection that was closed, and is a failure like any other."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def end(tasks: Iterable[asyncio.Task[Any]], within_seconds: float) -> set[asyncio.Task[Any]]:
    """Cancels the tasks, and again where they go on: what they await may swallow a cancellation, as Dask's client does
    while it closes. Gives back those that have not ended in that time."""
    pending, until = {task for task in tasks if not task.done()}, time.monotonic() + within_seconds
    while pending and (left := until - time.monotonic()) > 0:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=min(AGAIN_SECONDS, left))
    return pending
