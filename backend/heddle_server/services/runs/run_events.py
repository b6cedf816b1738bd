"""What happens to runs, as streams of events that go on where they were cut."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from heddle_server.schema.run import FINAL_STATES, Lack
from heddle_server.services.runs.dispatch import Dispatcher
from heddle_server.services.runs.notices import Notices
from heddle_server.services.runs.queue_places import QueuePlaces
from heddle_server.store import runs as store
from heddle_server.store.database import Database

Event = tuple[int | None, str, dict[str, Any]]
"""Sequence, name and data; what is not stored has no sequence."""


@dataclass(slots=True)
class Watched:
    """How far one run has been told: ``after`` is the last stored event, ``position`` and ``lack`` how it last
    waited. ``state`` is what was last read of it."""

    after: int
    position: int | None = None
    lack: Lack | None = None
    ended: bool = False
    state: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunEvents:
    database: Database
    notices: Notices
    dispatcher: Dispatcher
    places: QueuePlaces

    async def follow(self, run_id: str, after: int) -> AsyncIterator[tuple[int | None, str, dict[str, Any]]]:
        """(sequence, event, data) from ``after`` on, to the ``end`` event or until the server stops."""
        watched = Watched(after)
        with self.notices.subscribe(run_id) as bell:
            while not self.notices.stopping:
                for item in await self._collect_events(run_id, watched, bell.take()):
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
                news = bell.take()
                for run_id, run in watched.items():
                    if run.ended:
                        continue
                    told = run.after
                    for sequence, event, data in await self._collect_events(run_id, run, news):
                        told = sequence if sequence is not None else told
                        places = {name: told if name == run_id else other.after for name, other in watched.items()}
                        yield cursor_text(places), event, {"run": run_id, **data}
                if all(run.ended for run in watched.values()):
                    return
                await bell.wait()

    async def _collect_events(self, run_id: str, watched: Watched, news: bool) -> list[Event]:
        """What there is to tell since ``watched``, which moves on; the database is asked only where there is ``news``.

        A new place in the queue, and that no worker can do the run, come as a ``state`` event without a sequence: they
        are not stored.
        """
        told = await self._store(run_id, watched) if news else []
        if watched.ended:
            return told
        place = await self.places.of(run_id)
        position = place.position if place is not None else None
        lack = self.dispatcher.unplaced.lack(run_id)
        moved = not told and position != watched.position
        if place is not None and (moved or lack != watched.lack):
            waits = {
                "queue_position": position,
                "expected_wait_seconds": self.dispatcher.expected_wait(place),
                "lack": lack,
            }
            told.append((None, "state", {**watched.state, **waits}))
        watched.position, watched.lack = position, lack
        return told

    async def _store(self, run_id: str, watched: Watched) -> list[Event]:
        """The events that were stored since."""
        async with self.database.read() as session:
            run = await store.find_state(session, run_id)
            if run is None:
                watched.ended = True
                return []
            news = await store.events_after(session, run_id, watched.after)
            watched.state = store.state_data(run, None)
        if not news and run.state in FINAL_STATES:
            # Asked again after the end, as a browser does whose connection broke just then.
            watched.ended = True
            return [(watched.after, "end", {"state": run.state, "problem": run.problem})]
        told: list[Event] = []
        for item in news:
            watched.after = item.sequence
            told.append((item.sequence, item.event, item.data))
            if item.event == "end":
                watched.ended = True
                break
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
