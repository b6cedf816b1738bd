"""What happens to runs, as streams of events that go on where they were cut."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from backend.schema.run import FINAL_STATES
from backend.services.dispatch import Dispatcher
from backend.services.notices import Notices
from backend.store import queue
from backend.store import runs as store
from backend.store.database import Database


@dataclass(slots=True)
class Watched:
    """How far one run has been told: ``after`` is the last stored event, ``position`` the last place in the queue."""

    after: int
    position: int | None = None
    ended: bool = False


@dataclass(frozen=True, slots=True)
class RunEvents:
    database: Database
    notices: Notices
    dispatcher: Dispatcher

    async def one(self, run_id: str, after: int) -> AsyncIterator[tuple[int | None, str, dict[str, Any]]]:
        """(sequence, event, data) from ``after`` on, to the ``end`` event or until the server stops."""
        watched = Watched(after)
        with self.notices.subscribe(run_id) as bell:
            while not self.notices.stopping:
                bell.clear()
                for item in await self._news(run_id, watched):
                    yield item
                if watched.ended:
                    return
                await bell.wait()

    async def many(self, after: Mapping[str, int]) -> AsyncIterator[tuple[str, str, dict[str, Any]]]:
        """(cursor, event, data with the ``run``) of all the runs in one stream, until all have ended."""
        watched = {run_id: Watched(sequence) for run_id, sequence in after.items()}
        with ExitStack() as stack:
            bell = stack.enter_context(self.notices.subscribe(*watched))
            while not self.notices.stopping:
                bell.clear()
                for run_id, one in watched.items():
                    if one.ended:
                        continue
                    told = one.after
                    for sequence, event, data in await self._news(run_id, one):
                        told = sequence if sequence is not None else told
                        places = {name: told if name == run_id else other.after for name, other in watched.items()}
                        yield cursor_text(places), event, {"run": run_id, **data}
                if all(one.ended for one in watched.values()):
                    return
                await bell.wait()

    async def _news(self, run_id: str, watched: Watched) -> list[tuple[int | None, str, dict[str, Any]]]:
        """What is new since ``watched``, which moves on.

        A new place in the queue comes as a ``state`` event without a sequence: it is not stored.
        """
        async with self.database.read() as session:
            run = await store.find(session, run_id)
            if run is None:
                watched.ended = True
                return []
            news = await store.events_after(session, run_id, watched.after)
            place = await queue.place_of(session, run)
            state = await store.state_data(session, run)
        if not news and run.state in FINAL_STATES:
            # Asked again after the end, as a browser does whose connection broke just then.
            watched.ended = True
            return [(watched.after, "end", {"state": run.state, "problem": run.problem})]
        told: list[tuple[int | None, str, dict[str, Any]]] = []
        for item in news:
            watched.after = item.sequence
            told.append((item.sequence, item.event, item.data))
            if item.event == "end":
                watched.ended = True
                return told
        if not news and place is not None and place.position != watched.position:
            told.append((None, "state", {**state, "expected_wait_seconds": self.dispatcher.expected_wait(place)}))
        watched.position = place.position if place is not None else None
        return told


def cursor_text(places: Mapping[str, int]) -> str:
    """``run:sequence`` of every run: the id of an event of several runs, from which a cut stream goes on."""
    return ",".join(f"{run_id}:{sequence}" for run_id, sequence in places.items())


def cursor_places(text: str) -> dict[str, int]:
    """Raises ValueError for a text that is no cursor."""
    places: dict[str, int] = {}
    for part in text.split(",") if text else ():
        run_id, _, sequence = part.rpartition(":")
        if not run_id or not sequence.isascii() or not sequence.isdigit() or len(sequence) > 9:
            raise ValueError(part)
        places[run_id] = int(sequence)
    return places
