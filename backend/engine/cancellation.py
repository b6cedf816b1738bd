"""Telling a task that somebody cancels from one that merely awaits something that was cancelled."""

from __future__ import annotations

import asyncio


def being_cancelled() -> bool:
    """Whether somebody asked the current task to end. A ``CancelledError`` without that comes from what it awaited,
    such as a connection that was closed, and is a failure like any other."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
