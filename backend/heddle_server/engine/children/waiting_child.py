"""Keeps one child process waiting for the next run, with everything loaded: a run begins a second sooner."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Iterator
from pathlib import Path

from heddle_server.engine.children.started_child import StartedChild, start

logger = logging.getLogger("heddle.worker")

# A person looks at a result before running the next plan; until then nothing competes with showing it.
REST_SECONDS = 0.5
# The server and its pages start first.
SETTLE_SECONDS = 2.0


class WaitingChild:
    """``module`` is what it loads, while no round is timed on the machine of that lock. Children begin in the thread of
    ``loop``, for each ends with the thread that started it."""

    def __init__(self, module: str, timing_lock: Path, loop: asyncio.AbstractEventLoop) -> None:
        self._loading = (str(timing_lock.resolve()), module)
        self._loop = loop
        self._lock = threading.Lock()
        self._child: StartedChild | None = None
        self._runs = 0
        self._closed = False

    @property
    def child(self) -> StartedChild | None:
        """The one that waits."""
        return self._child

    @contextlib.contextmanager
    def taken(self) -> Iterator[StartedChild | None]:
        """For a run, which lasts as long as the context: the one that waits, from now on the caller's to end, or None.
        Another one begins when the run has ended."""
        with self._lock:
            self._runs += 1
            child, self._child = self._child, None
        try:
            yield child
        finally:
            with self._lock:
                self._runs -= 1
            self.begin_in(REST_SECONDS)

    def begin_in(self, seconds: float) -> None:
        """Called from any thread."""
        with contextlib.suppress(RuntimeError):  # The worker ends, and its loop has.
            self._loop.call_soon_threadsafe(self._loop.call_later, seconds, self._begin)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            child, self._child = self._child, None
        if child is not None:
            child.end()

    def _begin(self) -> None:
        with self._lock:
            # One that ended by itself has been collected by nobody.
            ended = self._child if self._child is not None and not self._child.usable else None
            if ended is not None:
                self._child = None
            if self._child is None and not self._runs and not self._closed:
                try:
                    self._child = start(self._loading)
                except OSError as error:
                    logger.warning("no process can wait for the next run: %r", error)
        if ended is not None:
            ended.end()
