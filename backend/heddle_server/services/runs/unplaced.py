"""Queued runs that no connected worker can do: they wait for one that can, but not forever."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from heddle.runtime.checkout import PROGRAM
from heddle_server.engine.cluster.resources import RESOURCE_OF_TARGET
from heddle_server.schema.run import FINAL_STATES, Lack
from heddle_server.services.runs.notices import Notices
from heddle_server.services.runs.run_views import run_problem
from heddle_server.settings import Settings
from heddle_server.store import queue
from heddle_server.store import runs as store
from heddle_server.store.database import Database, iso, now


@dataclass(frozen=True, slots=True)
class Wait:
    """For a resource that no connected worker offers: since ``began`` in UTC, ``since`` by the monotonic clock."""

    resource: str
    began: datetime
    since: float


class Waits:
    """How long each queued run has waited for a worker that can do it, by the monotonic clock."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._waits: dict[str, Wait] = {}

    def update(self, lacking: Mapping[str, str]) -> bool:
        """The resource that is lacking for each run now; True when that has changed."""
        before = self._waits
        self._waits = {
            run_id: before.get(run_id, Wait(resource, now(), self._clock())) for run_id, resource in lacking.items()
        }
        return self._waits != before

    def over(self) -> list[str]:
        """The runs that have waited long enough."""
        until = self._clock() - self._seconds
        return [run_id for run_id, wait in self._waits.items() if wait.since <= until]

    def lack(self, run_id: str) -> Lack | None:
        """None for a run that some connected worker can do."""
        wait = self._waits.get(run_id)
        if wait is None:
            return None
        until = wait.began + timedelta(seconds=self._seconds)
        return {"resource": wait.resource, "since": iso(wait.began), "until": iso(until)}

    def __getitem__(self, run_id: str) -> Wait:
        return self._waits[run_id]


class Unplaced:
    """Watches them, and ends those that have waited for ``run_unplaced_seconds``."""

    def __init__(self, settings: Settings, database: Database, notices: Notices) -> None:
        self._scheduler = settings.scheduler
        self._database = database
        self._notices = notices
        self._waits = Waits(settings.run_unplaced_seconds)

    def lack(self, run_id: str) -> Lack | None:
        return self._waits.lack(run_id)

    async def look(self, targets: tuple[str, ...]) -> None:
        """``targets`` are those that connected workers can do now."""
        lacking = [target for target in RESOURCE_OF_TARGET if target not in targets]
        async with self._database.read() as session:
            waiting = await queue.queued_for(session, lacking)
        if self._waits.update({run_id: RESOURCE_OF_TARGET[target] for run_id, target in waiting.items()}):
            self._notices.queue_moved()
        for run_id in self._waits.over():
            await self._refuse(run_id, targets)

    async def _refuse(self, run_id: str, targets: tuple[str, ...]) -> None:
        wait = self._waits[run_id]
        detail = no_worker_text(wait, self._scheduler, targets)
        async with self._database.write() as session:
            run = await store.find(session, run_id)
            if run is None or run.state in FINAL_STATES:
                return
            problem = run_problem("refused", "No worker can do this run", detail)
            await store.finish(session, run, "refused", problem=problem)
        self._notices.queue_moved(run_id)


def no_worker_text(wait: Wait, scheduler: str | None, targets: tuple[str, ...]) -> str:
    """What was waited for, and what to do."""
    waited = f"No worker with the resource {wait.resource} has been connected since {wait.began:%Y-%m-%d %H:%M} UTC."
    remedy = (
        f"Start one on a machine that has it ('{PROGRAM} worker {scheduler}'), and run again."
        if scheduler is not None
        else "This server times runs on its own machine: start it on one that has it, or with --scheduler and workers."
    )
    others = f" Runs for these targets can start now: {', '.join(targets)}." if targets else ""
    return f"{waited} {remedy}{others}"
