"""Wakes the event streams of this process when there is something new to read in the database."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Bell:
    """Wakes one stream. ``news``: something was stored for a run of it; otherwise only the queue moved."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()
        self._news = True

    def ring(self, news: bool) -> None:
        self._news = self._news or news
        self._rung.set()

    def take(self) -> bool:
        """Whether there may be news since the last time; from now on it counts again."""
        news, self._news = self._news, False
        self._rung.clear()
        return news

    async def wait(self) -> None:
        await self._rung.wait()


class Notices:
    """One bell per open stream. ``stopping`` tells the streams to end, so that the server can; ``moves`` counts how
    often the queue has moved."""

    def __init__(self) -> None:
        self._bells: dict[str, set[Bell]] = {}
        self.stopping = False
        self.moves = 0

    @contextmanager
    def subscribe(self, *run_ids: str) -> Iterator[Bell]:
        """Take the bell, read, wait for the bell, in this order: then nothing is missed."""
        bell = Bell()
        for run_id in run_ids:
            self._bells.setdefault(run_id, set()).add(bell)
        try:
            yield bell
        finally:
            for run_id in run_ids:
                bells = self._bells[run_id]
                bells.discard(bell)
                if not bells:
                    del self._bells[run_id]

    @property
    def streams(self) -> int:
        return len({bell for bells in self._bells.values() for bell in bells})

    def ring(self, run_id: str) -> None:
        """Something was stored for this run."""
        for bell in self._bells.get(run_id, ()):
            bell.ring(news=True)

    def queue_moved(self, *run_ids: str) -> None:
        """Something was stored for these runs, and every waiting run may have a new position."""
        self.moves += 1
        for run_id in run_ids:
            self.ring(run_id)
        self._ring_all()

    def stop(self) -> None:
        self.stopping = True
        self._ring_all()

    def _ring_all(self) -> None:
        for bells in self._bells.values():
            for bell in bells:
                bell.ring(news=False)
