"""Wakes the event streams of this process when there is something new to read in the database."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Notices:
    """One bell per open stream. ``stopping`` tells the streams to end, so that the server can."""

    def __init__(self) -> None:
        self._bells: dict[str, set[asyncio.Event]] = {}
        self.stopping = False

    @contextmanager
    def subscribe(self, *run_ids: str) -> Iterator[asyncio.Event]:
        """Clear the bell, read, wait for the bell, in this order: then nothing is missed."""
        bell = asyncio.Event()
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
        for bell in self._bells.get(run_id, ()):
            bell.set()

    def ring_all(self) -> None:
        """The queue moved: every waiting run has a new position."""
        for bells in self._bells.values():
            for bell in bells:
                bell.set()

    def stop(self) -> None:
        self.stopping = True
        self.ring_all()
