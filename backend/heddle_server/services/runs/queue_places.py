"""The places of all waiting runs, read once for each move of the queue: a hundred streams ask at the same time."""

from __future__ import annotations

import asyncio

from heddle_server.services.runs.notices import Notices
from heddle_server.store import queue
from heddle_server.store.database import Database
from heddle_server.store.queue import Place


class QueuePlaces:
    def __init__(self, database: Database, notices: Notices) -> None:
        self._database, self._notices = database, notices
        self._places: dict[str, Place] = {}
        self._move = -1
        self._reading = asyncio.Lock()

    async def of(self, run_id: str) -> Place | None:
        """None when the run is not in the queue."""
        async with self._reading:
            move = self._notices.moves
            if self._move != move:
                async with self._database.read() as session:
                    self._places = await queue.places(session)
                self._move = move
        return self._places.get(run_id)
