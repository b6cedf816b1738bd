"""Runs as a person sees them: ask for one, look at it, cancel it. ``run_events.py`` follows them."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from heddle.plan import Plan, plan_hash, to_document
from heddle_server.http.visitor import Visitor
from heddle_server.problem import ProblemError, missing_error, too_many
from heddle_server.schema.run import FINAL_STATES, RunView
from heddle_server.services.compiling.compile import CompileService
from heddle_server.services.data.datasets import DatasetService
from heddle_server.services.data.free_disk import require_disk
from heddle_server.services.decompositions.models import Models
from heddle_server.services.decompositions.records import require_decomposition
from heddle_server.services.decompositions.resuming import checkpoint_of
from heddle_server.services.machine import MachineService
from heddle_server.services.ownership import NOBODY, Canceller
from heddle_server.services.runs.content_key import content_key
from heddle_server.services.runs.dispatch import Dispatcher
from heddle_server.services.runs.documents import Document, hash_of, json_of, target_of_document
from heddle_server.services.runs.notices import Bell, Notices
from heddle_server.services.runs.run_views import cancelled_problem, is_conclusive, run_view
from heddle_server.settings import Settings
from heddle_server.store import queue, searches
from heddle_server.store import runs as store
from heddle_server.store.database import Database, now
from heddle_server.store.tables import Run

CANCEL_SECONDS = 1.5
HINT = "Runs are made with POST /api/v1/runs."
MOST_PLAN_BYTES = 16 * 1024
"""Of a plan as it is stored with its run: commands of the length that each may have take ten times as much."""


class RunService:
    def __init__(
        self,
        settings: Settings,
        database: Database,
        compiles: CompileService,
        datasets: DatasetService,
        notices: Notices,
        dispatcher: Dispatcher,
        machine: MachineService,
        models: Models,
    ) -> None:
        self._settings = settings
        self._database = database
        self._compiles = compiles
        self._datasets = datasets
        self._notices = notices
        self._dispatcher = dispatcher
        self._machine = machine
        self._models = models

    async def submit(
        self, plan: Document, visitor: Visitor, *, fresh: bool = False, resume: str | None = None
    ) -> RunView:
        """Queue a run, or answer it with a stored measurement of the same content from which something follows: a
        noisy one is made again. ``resume`` is the run of a decomposition from whose end this one goes on.

        Raises ProblemError for a plan that does not compile or that no machine here can run, unknown data, a full
        queue, a visitor who has enough runs in it, or a run from which this one cannot go on.
        """
        document = _require_size(json_of(plan))
        begin = None if resume is None else await checkpoint_of(self._database, self._models, plan, resume)
        if isinstance(plan, Plan):
            await self._require_compiles(plan)
        self._dispatcher.pool.require(target_of_document(plan))
        key = await self._key(plan)
        run = Run(
            id=secrets.token_urlsafe(12),
            state="queued",
            plan=document,
            plan_hash=hash_of(plan),
            content_key=key,
            visitor=visitor.id,
            owner=visitor.browser or NOBODY,
            fresh=fresh,
            attempts=0,
            created=now(),
        )
        require_disk(self._settings)
        async with self._database.write() as session:
            known = None if fresh else await first_conclusive(session, await queue.measurements(session, key))
            if known is None:
                await self._require_room(session, visitor)
            if known is None and begin is not None:
                await asyncio.to_thread(self._dispatcher.begin_at, run.id, begin)
            session.add(run)
            await session.flush()
            place = await queue.place_of(session, run)
            assert place is not None, "it has just been queued"
            await store.append(session, run.id, ("state", store.state_data(run, place.position)))
            if known is not None:
                await store.finish(session, run, "done", result=known.result, measured_by=known.id)
            answer = self._view_at(run, place if known is None else None)
        self._notices.queue_moved(run.id)
        self._dispatcher.arrived.set()
        return answer

    async def submit_search(
        self, plan: Plan, settings: dict[str, Any], log: list[dict[str, Any]], visitor: Visitor
    ) -> RunView:
        """Queue a search for schedules that goes on where ``log`` ends. Raises ProblemError as :meth:`submit`."""
        document = _require_size(to_document(plan))
        await self._require_compiles(plan)
        self._dispatcher.pool.require(plan.target)
        await self._datasets.digests(plan)
        identity = secrets.token_urlsafe(12)
        run = Run(
            id=identity,
            state="queued",
            plan=document,
            plan_hash=plan_hash(plan),
            content_key=identity,
            visitor=visitor.id,
            owner=visitor.browser or NOBODY,
            fresh=True,
            attempts=0,
            created=now(),
            search=settings,
        )
        require_disk(self._settings)
        async with self._database.write() as session:
            await self._require_room(session, visitor)
            session.add(run)
            await session.flush()
            place = await queue.place_of(session, run)
            assert place is not None, "it has just been queued"
            await store.append(session, run.id, ("state", store.state_data(run, place.position)))
            await searches.add_lines(session, run.id, 0, log)
            answer = self._view_at(run, place)
        self._notices.queue_moved(run.id)
        self._dispatcher.arrived.set()
        return answer

    async def _require_compiles(self, plan: Plan) -> None:
        view = json.loads((await self._compiles.compile(plan)).head)
        if not view["ok"]:
            errors = [item for item in view["diagnostics"] if item["severity"] == "error"]
            detail = "\n".join(item["message"] for item in errors)
            raise ProblemError(
                400, "does-not-compile", "The plan does not compile", detail, diagnostics=view["diagnostics"]
            )

    async def find_measured(self, plan: Document) -> RunView | None:
        """The latest measurement of the plan by this machine, on the same data and with the same versions, if any; a
        noisy one only where there is no other.

        Raises ProblemError for unknown data.
        """
        key = await self._key(plan)
        async with self._database.read() as session:
            measurements = await queue.measurements(session, key)
            known = await first_conclusive(session, measurements)
            if known is None and measurements:
                known = await store.find(session, measurements[0].run)
            return None if known is None else await self._view(session, known)

    async def _key(self, plan: Document) -> str:
        machines = await self._machine.kinds(self._dispatcher.pool.facts(target_of_document(plan)))
        # Long texts take a while to be read.
        return await asyncio.to_thread(content_key, plan, await self._datasets.digests(plan), machines)

    async def _require_room(self, session: AsyncSession, visitor: Visitor) -> None:
        most = self._settings.address_queued
        waiting, visitor_runs, *of_places = await queue.counts_queued(
            session, "", visitor.id, visitor.owner, visitor.network
        )
        if waiting >= self._settings.run_queue_limit:
            detail = f"{waiting} runs are waiting already. Try again when some have ended."
            raise too_many("queue-full", "The queue is full", detail, 30)
        if visitor_runs >= (allowed := self._settings.visitor_queued):
            noun = "run" if visitor_runs == 1 else "runs"
            detail = (
                f"You have {visitor_runs} {noun} waiting already, and a visitor may have {allowed}. Cancel "
                f"one, or wait."
            )
            after = self._dispatcher.expected.seconds(1, self._dispatcher.pool.slots)
            raise too_many("too-many-runs", "You have enough runs in the queue", detail, after)
        for place, count, most_of_place in zip(("address", "network"), of_places, (most, 2 * most), strict=True):
            if count >= most_of_place:
                detail = f"{most_of_place} runs from your {place} are waiting already. Try again when some have ended."
                raise too_many("too-many-runs", f"Your {place} has enough runs in the queue", detail, 30)

    async def _view(self, session: AsyncSession, run: Run) -> RunView:
        return self._view_at(run, await queue.place_of(session, run))

    def _view_at(self, run: Run, place: queue.Place | None) -> RunView:
        if place is None:
            return run_view(run, None)
        return run_view(
            run, place.position, self._dispatcher.expected_wait(place), self._dispatcher.unplaced.lack(run.id)
        )

    async def get(self, run_id: str) -> RunView:
        async with self._database.read() as session:
            run = await self._find(await store.find(session, run_id), run_id)
            return await self._view(session, run)

    async def cancel(self, run_id: str, canceller: Canceller) -> RunView:
        """End a run within two seconds. A run that has ended already stays as it is. Raises ProblemError 403 for
        somebody else's run."""
        with self._notices.subscribe(run_id) as bell:
            async with self._database.write() as session:
                run = await self._find(await store.find(session, run_id), run_id)
                canceller.require(run.owner, "run")
                if run.state == "queued":
                    await store.finish(session, run, "cancelled", problem=cancelled_problem())
            if run.state not in FINAL_STATES:
                self._dispatcher.ask_to_end(run)
                await self._wait_for_end(run_id, bell)
        async with self._database.write() as session:
            left = await self._find(await store.find(session, run_id), run_id)
            if left.state not in FINAL_STATES:
                # The worker does not answer; the run is over for the person all the same.
                await store.finish(session, left, "cancelled", problem=cancelled_problem())
        self._notices.queue_moved(run_id)
        return await self.get(run_id)

    async def stop(self, run_id: str, canceller: Canceller) -> RunView:
        """Lets a decomposition end behind its sweep, and keep what is there; one that waits for its first sweep ends as
        cancelled. Raises ProblemError for the run of a plan, and for somebody else's."""
        async with self._database.read() as session:
            run = await self._find(await store.find(session, run_id), run_id)
        canceller.require(run.owner, "run")
        require_decomposition(run)
        if run.state == "queued" and not self._dispatcher.has_checkpoint(run_id):
            return await self.cancel(run_id, canceller)
        if run.state not in FINAL_STATES:
            await self._dispatcher.stop_run(run)
        return await self.get(run_id)

    async def _wait_for_end(self, run_id: str, bell: Bell) -> None:
        try:
            async with asyncio.timeout(CANCEL_SECONDS):
                while True:
                    bell.take()
                    async with self._database.read() as session:
                        run = await store.find(session, run_id)
                    if run is None or run.state in FINAL_STATES:
                        return
                    await bell.wait()
        except TimeoutError:
            return

    async def exists(self, run_id: str) -> None:
        """Raises ProblemError 404 for an unknown run."""
        async with self._database.read() as session:
            await self._find(await store.find(session, run_id), run_id)

    async def _find(self, run: Run | None, run_id: str) -> Run:
        if run is None:
            raise missing_error("run", run_id, HINT)
        return run


async def first_conclusive(session: AsyncSession, measurements: Sequence[queue.Measurement]) -> Run | None:
    """The first of these that was not noisy. No result is loaded of those that are known to be."""
    for measurement in measurements:
        run = None if measurement.noisy else await store.find(session, measurement.run)
        if run is not None and (measurement.noisy is False or await asyncio.to_thread(is_conclusive, run)):
            return run
    return None


def _require_size(document: dict[str, Any]) -> dict[str, Any]:
    size = len(json.dumps(document))
    if size > MOST_PLAN_BYTES:
        detail = (
            f"The plan has {size:,} bytes, and a run keeps {MOST_PLAN_BYTES:,}. Shorten its schedule and its formats, "
            "or measure it on your machine: heddle run FILE."
        )
        raise ProblemError(413, "plan-too-large", "The plan is too large for a run", detail)
    return document
