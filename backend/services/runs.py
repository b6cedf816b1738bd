"""Runs as a person sees them: ask for one, look at it, follow it, cancel it."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from typing import Any

from backend.problem import ProblemError, not_found
from backend.schema.run import FINAL_STATES, RunView
from backend.services.compile import CompileService
from backend.services.datasets import DatasetService
from backend.services.dispatch import Dispatcher
from backend.services.notices import Notices
from backend.services.run_views import cancelled_problem, run_view
from backend.settings import Settings
from backend.store import runs as store
from backend.store.database import Database, now
from backend.store.tables import Run
from compiler.plan import Plan, plan_hash, to_document

CANCEL_SECONDS = 1.5
HINT = "Runs are made with POST /api/v1/runs."


class RunService:
    def __init__(
        self,
        settings: Settings,
        database: Database,
        compiles: CompileService,
        datasets: DatasetService,
        notices: Notices,
        dispatcher: Dispatcher,
    ) -> None:
        self._settings = settings
        self._database = database
        self._compiles = compiles
        self._datasets = datasets
        self._notices = notices
        self._dispatcher = dispatcher

    async def submit(self, plan: Plan) -> RunView:
        """Queue a run. Raises ProblemError for a plan that does not compile, unknown data, or a full queue."""
        view = json.loads(await self._compiles.compile(plan))
        if not view["ok"]:
            errors = [item for item in view["diagnostics"] if item["severity"] == "error"]
            detail = "\n".join(item["message"] for item in errors)
            raise ProblemError(
                400, "does-not-compile", "The plan does not compile", detail, diagnostics=view["diagnostics"]
            )
        await self._datasets.paths(plan)
        async with self._database.write() as session:
            waiting = await store.count_queued(session)
            if waiting >= self._settings.run_queue_limit:
                raise ProblemError(
                    429,
                    "queue-full",
                    "The queue is full",
                    f"{waiting} runs are waiting already. Try again when some have ended.",
                    headers={"Retry-After": "30"},
                )
            run = Run(
                id=secrets.token_urlsafe(12),
                state="queued",
                plan=to_document(plan),
                plan_hash=plan_hash(plan),
                attempts=0,
                created=now(),
            )
            session.add(run)
            await session.flush()
            await store.append(session, run.id, "state", await store.state_data(session, run))
            answer = run_view(run, waiting)
        self._dispatcher.arrived.set()
        return answer

    async def get(self, run_id: str) -> RunView:
        async with self._database.read() as session:
            run = await self._find(await store.find(session, run_id), run_id)
            return run_view(run, await store.queue_position(session, run))

    async def cancel(self, run_id: str) -> RunView:
        """End a run within two seconds. A run that has ended already stays as it is."""
        with self._notices.subscribe(run_id) as bell:
            async with self._database.write() as session:
                run = await self._find(await store.find(session, run_id), run_id)
                if run.state == "queued":
                    await store.finish(session, run, "cancelled", problem=cancelled_problem())
            if run.state not in FINAL_STATES:
                await self._dispatcher.placement.cancel(run_id)
                await self._wait_for_end(run_id, bell)
        async with self._database.write() as session:
            left = await self._find(await store.find(session, run_id), run_id)
            if left.state not in FINAL_STATES:
                # The worker does not answer; the run is over for the person all the same.
                await store.finish(session, left, "cancelled", problem=cancelled_problem())
        self._notices.ring_all()
        return await self.get(run_id)

    async def _wait_for_end(self, run_id: str, bell: asyncio.Event) -> None:
        try:
            async with asyncio.timeout(CANCEL_SECONDS):
                while True:
                    bell.clear()
                    async with self._database.read() as session:
                        run = await store.find(session, run_id)
                    if run is None or run.state in FINAL_STATES:
                        return
                    await bell.wait()
        except TimeoutError:
            return

    async def events(self, run_id: str, after: int) -> AsyncIterator[tuple[int | None, str, dict[str, Any]]]:
        """(sequence, event, data) from ``after`` on, to the ``end`` event or until the server stops.

        A new place in the queue comes as a ``state`` event without a sequence: it is not stored.
        """
        position: int | None = None
        with self._notices.subscribe(run_id) as bell:
            while not self._notices.stopping:
                bell.clear()
                async with self._database.read() as session:
                    run = await store.find(session, run_id)
                    if run is None:
                        return
                    news = await store.events_after(session, run_id, after)
                    moved = await store.queue_position(session, run)
                    state = await store.state_data(session, run)
                if not news and run.state in FINAL_STATES:
                    # Asked again after the end, as a browser does whose connection broke just then.
                    yield after, "end", {"state": run.state, "problem": run.problem}
                    return
                for item in news:
                    after = item.sequence
                    yield item.sequence, item.event, item.data
                    if item.event == "end":
                        return
                if not news and moved is not None and moved != position:
                    yield None, "state", state
                position = moved
                await bell.wait()

    async def exists(self, run_id: str) -> None:
        """Raises ProblemError 404 for an unknown run."""
        async with self._database.read() as session:
            await self._find(await store.find(session, run_id), run_id)

    async def _find(self, run: Run | None, run_id: str) -> Run:
        if run is None:
            raise not_found("run", run_id, HINT)
        return run
