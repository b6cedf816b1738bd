"""Moves runs from the table to workers and their ends back: the only place where a run is started."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Any

from pydantic import TypeAdapter, ValidationError

from backend.engine.limits import run_limits
from backend.engine.outcome import Outcome
from backend.engine.placement import Placement, WorkerLost
from backend.engine.run_task import RunOrder
from backend.problem import ProblemError
from backend.schema.run import FINAL_STATES, RunResult
from backend.services.datasets import DatasetService
from backend.services.machine import MachineService
from backend.services.notices import Notices
from backend.services.run_views import run_problem
from backend.settings import Settings
from backend.store import runs as store
from backend.store.database import Database
from backend.store.tables import Run
from compiler.plan import parse_plan

logger = logging.getLogger("heddle.dispatch")

IDLE_SECONDS = 1.0
RESULT = TypeAdapter(RunResult)


class Dispatcher:
    def __init__(
        self,
        settings: Settings,
        database: Database,
        datasets: DatasetService,
        machine: MachineService,
        notices: Notices,
    ) -> None:
        self._settings = settings
        self._database = database
        self._datasets = datasets
        self._machine = machine
        self._notices = notices
        self.arrived = asyncio.Event()
        self._reports: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._following: set[asyncio.Task[None]] = set()
        self._loops: list[asyncio.Task[None]] = []
        self.placement = Placement(settings.scheduler, self._reports.put_nowait)

    async def start(self) -> None:
        await self.recover()
        if self._settings.scheduler is None:
            await self.placement.start()
        # A scheduler elsewhere may not answer yet: the dispatch tries it again and again, and until then runs wait.
        self._loops = [
            asyncio.create_task(self._dispatch_forever(), name="dispatch"),
            asyncio.create_task(self._record_forever(), name="record"),
        ]

    async def stop(self) -> None:
        """Runs under way go back into the queue, for the next server."""
        for task in (*self._loops, *self._following):
            task.cancel()
        await asyncio.gather(*self._loops, *self._following, return_exceptions=True)
        await self.placement.stop()
        if not self._loops:
            return  # The start failed, and what lies in the database is not ours to change.
        async with self._database.write() as session:
            for run in await store.interrupted(session):
                run.attempts -= 1
                await store.move(session, run, "queued")

    @property
    def alive(self) -> bool:
        return bool(self._loops) and not any(loop.done() for loop in self._loops)

    async def recover(self) -> None:
        """Runs that were under way when the last server died start again, unless they have had their attempts."""
        async with self._database.write() as session:
            for run in await store.interrupted(session):
                await self._again_or_lost(session, run, "the server stopped in the middle of it")

    async def _again_or_lost(self, session: Any, run: Run, why: str) -> None:
        if run.attempts < self._settings.run_attempts:
            logger.warning("run %s goes back into the queue: %s", run.id, why)
            await store.move(session, run, "queued")
        else:
            detail = f"The run was started {run.attempts} times and did not come back: {why}. Run it again."
            await store.finish(session, run, "lost", problem=run_problem("lost", "The run was lost", detail))

    async def _dispatch_forever(self) -> None:
        while True:
            self.arrived.clear()
            try:
                if not self.placement.connected:
                    await self.placement.reconnect()
                free = await self.placement.slots() - len(self._following)
                while free > 0 and await self._start_next():
                    free -= 1
            except (OSError, TimeoutError) as error:
                logger.error("no worker can be reached: %s", error)
            except Exception:
                # One bad run must not stop the queue.
                logger.exception("the dispatch of a run failed")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.arrived.wait(), IDLE_SECONDS)

    async def _start_next(self) -> bool:
        """Lease the oldest queued run and follow it; False when none waits."""
        async with self._database.write() as session:
            run = await store.next_queued(session)
            if run is None:
                return False
            await store.move(session, run, "leased")
        self._notices.ring_all()
        task = asyncio.create_task(self._follow(run), name=f"run-{run.id}")
        self._following.add(task)
        task.add_done_callback(self._followed)
        return True

    def _followed(self, task: asyncio.Task[None]) -> None:
        self._following.discard(task)
        self.arrived.set()

    async def _follow(self, run: Run) -> None:
        try:
            paths = await self._datasets.paths(parse_plan(run.plan))
            outcome = await self.placement.execute(self._order(run, paths))
        except WorkerLost as error:
            await self._lost(run.id, f"its worker is gone ({error})")
            return
        except ProblemError as error:
            outcome = Outcome("refused", title=error.title, detail=error.detail)
        except Exception as error:
            logger.exception("run %s failed in the service", run.id)
            detail = f"{type(error).__name__}: {error}. This is a defect of Heddle, please report it."
            outcome = Outcome("failed", title="Internal error", detail=detail)
        await self._reports.join()
        await self._finish(run.id, checked(outcome))

    def _order(self, run: Run, paths: dict[str, str]) -> RunOrder:
        settings = self._settings
        return RunOrder(
            run_id=run.id,
            attempt=run.attempts,
            topic=self.placement.topic,
            module=settings.run_child_module,
            job={"plan": run.plan, "datasets": paths},
            limits=run_limits(settings),
            timing_lock=settings.timing_lock,
        )

    async def _finish(self, run_id: str, outcome: Outcome) -> None:
        async with self._database.write() as session:
            run = await store.find(session, run_id)
            if run is None or run.state in FINAL_STATES:
                return
            problem = None
            if outcome.ending != "done":
                problem = run_problem(outcome.ending, outcome.title, outcome.detail, outcome.diagnostics)
            await store.finish(session, run, outcome.ending, result=outcome.result, problem=problem)
            if outcome.result is not None:
                # Who asked for the same plan before this measurement began gets its answer too.
                for twin in await store.twins(session, run):
                    twin.started = run.started
                    await store.finish(session, twin, "done", result=outcome.result)
        if outcome.result is not None:
            self._machine.remember(outcome.result["machine"])
        self._notices.ring_all()

    async def _lost(self, run_id: str, why: str) -> None:
        async with self._database.write() as session:
            run = await store.find(session, run_id)
            if run is not None and run.state not in FINAL_STATES:
                await self._again_or_lost(session, run, why)
        self._notices.ring_all()

    async def _record_forever(self) -> None:
        while True:
            report = await self._reports.get()
            try:
                await self._record(report)
            except Exception:
                logger.exception("the report of run %s could not be kept", report.get("run_id"))
            finally:
                self._reports.task_done()

    async def _record(self, report: dict[str, Any]) -> None:
        run_id = report["run_id"]
        async with self._database.write() as session:
            run = await store.find(session, run_id)
            if run is None or run.state in FINAL_STATES or run.attempts != report["attempt"]:
                return
            match report["event"]:
                case "running":
                    await store.move(session, run, "running")
                case "progress":
                    fraction = report.get("fraction")
                    progress = {
                        "phase": str(report.get("phase", "")),
                        "fraction": float(fraction) if fraction is not None else None,
                        "message": str(report.get("message", "")),
                    }
                    await store.set_progress(session, run_id, progress)
                case unknown:
                    raise ValueError(f"a worker reported {unknown!r}")
        self._notices.ring(run_id)


def checked(outcome: Outcome) -> Outcome:
    """The outcome, or a failure when its result is not what a result must be."""
    if outcome.result is None:
        return outcome
    try:
        RESULT.validate_python(outcome.result)
    except ValidationError as error:
        logger.error("a run gave a malformed result: %s", error)
        detail = f"The run gave a result that Heddle cannot read ({error.error_count()} errors), please report it."
        return Outcome("failed", title="Internal error", detail=detail)
    return outcome
