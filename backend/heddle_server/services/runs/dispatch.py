"""Moves runs from the table to workers and their ends back: the only place where a run is started."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy.exc import SQLAlchemyError

from heddle.targets import DEFAULT_TARGET
from heddle_server.engine.cancellation import being_cancelled, end
from heddle_server.engine.checkpoints import Checkpoints
from heddle_server.engine.children.outcome import Outcome
from heddle_server.engine.cluster.connected_worker import ConnectedWorker, Unconnected, WorkerLost
from heddle_server.engine.cluster.resources import target_of, targets_of
from heddle_server.problem import ProblemError
from heddle_server.services.data.datasets import DatasetService
from heddle_server.services.decompositions.models import Models
from heddle_server.services.machine import MachineService
from heddle_server.services.runs.documents import parse_document
from heddle_server.services.runs.expected_wait import ExpectedWait
from heddle_server.services.runs.leases import Leases
from heddle_server.services.runs.notices import Notices
from heddle_server.services.runs.run_orders import RunOrders
from heddle_server.services.runs.run_outcomes import RunOutcomes, defect
from heddle_server.services.runs.run_reports import RunReports
from heddle_server.services.runs.unplaced import Unplaced
from heddle_server.services.runs.worker_pool import WorkerPool, resources_of
from heddle_server.settings import Settings
from heddle_server.store import queue
from heddle_server.store import runs as store
from heddle_server.store.database import Database
from heddle_server.store.queue import Place
from heddle_server.store.tables import Run

if TYPE_CHECKING:
    from heddle_server.engine.cluster.placement import Placement

logger = logging.getLogger("heddle.dispatch")

Measuring = Literal["ready", "starting", "no worker is connected", "no scheduler is connected"]
IDLE_SECONDS = 1.0
# On a busy machine Dask's processes need a dozen seconds to start.
STARTING_SECONDS = 60.0
# What the dispatch and those who follow runs may take to end.
STOP_SECONDS = 3.0
# With so many runs waiting, each is timed for less time, so that a class does not wait for one after the other.
CROWD = 3


class Dispatcher:
    def __init__(
        self,
        settings: Settings,
        database: Database,
        datasets: DatasetService,
        machine: MachineService,
        notices: Notices,
        models: Models,
    ) -> None:
        self._settings = settings
        self._database = database
        self._datasets = datasets
        self._notices = notices
        self.arrived = asyncio.Event()
        self.expected = ExpectedWait()
        self.pool = WorkerPool()
        self.unplaced = Unplaced(settings, database, notices)
        self._checkpoints = Checkpoints(settings.checkpoints_directory, settings.free_disk_bytes)
        self._orders = RunOrders(settings, database)
        self._outcomes = RunOutcomes(settings, database, notices, self.pool, machine, models)
        self._turned = self._made = time.monotonic()
        self._was_connected = False
        self._leases = Leases(settings.run_lease_seconds)
        self._reports = RunReports(database, notices, self._leases)
        self._following: dict[str, asyncio.Task[None]] = {}
        self._loops: list[asyncio.Task[None]] = []
        self._asking: set[asyncio.Task[None]] = set()
        self.placement: Placement | Unconnected = Unconnected()

    async def start(self) -> None:
        """What times runs comes behind it: requests and compiles are answered without, and runs wait for it. The
        dispatch tries again and again, as a scheduler elsewhere may not answer yet."""
        await self.recover()
        self._loops = [
            asyncio.create_task(self._dispatch_forever(), name="dispatch"),
            asyncio.create_task(self._reports.record_forever(), name="record"),
        ]

    async def stop(self) -> None:
        """Runs under way go back into the queue, for the next server."""
        for task in await end((*self._loops, *self._following.values(), *self._asking), STOP_SECONDS):
            logger.error("%s does not end, and is left behind", task.get_name())
        try:
            # Before the workers are let go of, which may take its time. A start that failed has no loops, and what lies
            # in the database is not ours to change then.
            if self._loops:
                await self._put_back()
        finally:
            await self.placement.stop()

    async def _put_back(self) -> None:
        async with self._database.write() as session:
            for run in await store.find_interrupted(session):
                run.attempts -= 1
                await store.move(session, run, "queued")

    @property
    def ignored_events(self) -> int:
        """Which children of runs told, and which are none of those that ours tell."""
        return self._outcomes.ignored_events + self._reports.ignored_events

    @property
    def silent_seconds(self) -> float:
        """Since the dispatch last looked into the queue, which it does every second."""
        return time.monotonic() - self._turned

    @property
    def measuring(self) -> Measuring:
        """Whether runs can be timed."""
        if self.placement.connected:
            self._was_connected = True
            return "ready" if self.pool.usable else "no worker is connected"
        starting = self._settings.scheduler is None and not self._was_connected
        if starting and time.monotonic() - self._made < STARTING_SECONDS:
            return "starting"
        return "no scheduler is connected"

    @property
    def alive(self) -> bool:
        return bool(self._loops) and not any(loop.done() for loop in self._loops)

    async def recover(self) -> None:
        """Runs that were under way when the last server died start again, unless they have had their attempts."""
        async with self._database.write() as session:
            for run in await store.find_interrupted(session):
                await self._outcomes.again_or_lost(session, run, "the server stopped in the middle of it")
            waiting = await queue.queued_for(session, (DEFAULT_TARGET,))
        await asyncio.to_thread(self._checkpoints.forget_others, waiting.keys())

    async def _dispatch_forever(self) -> None:
        # A cancellation that was swallowed on the way is one all the same.
        while not being_cancelled():
            self.arrived.clear()
            self._turned = time.monotonic()
            try:
                if isinstance(self.placement, Unconnected):
                    await self._begin()
                await self.unplaced.look(self.pool.targets)
                if not self.placement.connected:
                    await self.placement.reconnect()
                await self._end_silent()
                self.pool.update(await self.placement.workers())
                await self.placement.renew_if_deserted(self.pool.workers)
                while await self._start_next():
                    pass
            except (OSError, TimeoutError) as error:
                logger.error("no worker can be reached: %s", error)
            except (Exception, asyncio.CancelledError):
                # Neither one bad run nor a connection that is closed while it is used may stop the queue.
                if being_cancelled():
                    raise
                logger.exception("the dispatch of a run failed")
            # Not asyncio.wait_for: Python 3.11's forgets that it is cancelled when what it waits for is there as well.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(IDLE_SECONDS):
                    await self.arrived.wait()

    async def _begin(self) -> None:
        """Of a worker of our own it is known what it offers before any run is told that it lacks one."""
        self.placement = await asyncio.to_thread(begin_placement, self._settings, self._reports.take)
        if self._settings.scheduler is None:
            await self.placement.reconnect()
            self.pool.update(await self.placement.workers())

    async def _start_next(self) -> bool:
        """Lease the next queued run that a free machine can do, and follow it; False when there is none."""
        # Those that are free now: one that falls silent while the database answers still gets the run, and its lease.
        free = self.pool.free
        targets = targets_of(resources_of(free))
        if not targets:
            return False
        most = self._settings.visitor_running
        async with self._database.read() as session:
            if await queue.next_queued(session, most, targets) is None:
                return False  # Found without the turn of a writer: whoever asks for a run wants that.
        async with self._database.write() as session:
            run = await queue.next_queued(session, most, targets)
            if run is None:
                return False
            await store.move(session, run, "leased")
            brief = await queue.count_queued(session) >= CROWD
        self._notices.queue_moved(run.id)
        self._leases.extend(run.id)
        worker = self.pool.take(run.id, target_of(run.plan), free)
        self.expected.begin(run.id)
        task = asyncio.create_task(self._follow(run, worker, brief), name=f"run-{run.id}")
        self._following[run.id] = task
        task.add_done_callback(lambda _: self._forget(run.id, task))
        return True

    def _forget(self, run_id: str, task: asyncio.Task[None]) -> None:
        if self._following.get(run_id) is task:
            del self._following[run_id]
            self._leases.end(run_id)
            self.pool.release(run_id)
            self.expected.end(run_id)
        self.arrived.set()

    async def _end_silent(self) -> None:
        """Runs whose worker has said nothing for the length of a lease start again, or are lost."""
        silent = self._leases.list_ended()
        for run_id in silent:
            task = self._following.get(run_id)
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            self._leases.end(run_id)
            why = f"its worker has been silent for {self._settings.run_lease_seconds:g} s"
            await self._surely(run_id, partial(self._outcomes.lost, run_id, why))
        if silent:
            await self.placement.renew()

    def ask_to_end(self, run: Run) -> None:
        """Asks the worker of a run under way to end it, until it has: one that is too busy to answer now must not do
        the work of a run that is over."""
        asking = asyncio.create_task(self._ask_until_ended(run.id, run.attempts), name=f"end-{run.id}")
        self._asking.add(asking)
        asking.add_done_callback(self._asking.discard)

    async def _ask_until_ended(self, run_id: str, attempt: int) -> None:
        while True:
            await self.placement.cancel(run_id, attempt)
            following = self._following.get(run_id)
            if following is None:
                return
            await asyncio.wait({following}, timeout=IDLE_SECONDS)

    def expected_wait(self, place: Place) -> float:
        """Seconds until the run at that place starts, probably."""
        return self.expected.seconds(place.measurements, self.pool.slots)

    async def _surely(self, run_id: str, change: Callable[[], Awaitable[None]]) -> None:
        """Until the database takes it: a full disk must not leave a run under way forever."""
        while True:
            self._leases.extend_known(run_id)
            try:
                return await change()
            except Exception as error:
                logger.error("the end of run %s cannot be kept, and is tried again: %r", run_id, error)
                await asyncio.sleep(IDLE_SECONDS)

    async def _follow(self, run: Run, worker: ConnectedWorker, brief: bool) -> None:
        try:
            files = await self._datasets.files(parse_document(run.plan))
            order = await self._orders.order_of(run, self.placement.topic, brief)
            outcome = await self.placement.execute(order, worker, files)
        except (WorkerLost, SQLAlchemyError) as error:
            gone = "its worker is gone" if isinstance(error, WorkerLost) else "the database did not answer"
            await self._surely(run.id, partial(self._outcomes.lost, run.id, f"{gone} ({error})"))
            return
        except ProblemError as error:
            outcome = Outcome("refused", title=error.title, detail=error.detail)
        except Exception as error:
            logger.exception("run %s failed in the service", run.id)
            outcome = defect(error)
        await self._reports.recorded()
        await self._surely(run.id, partial(self._outcomes.keep, run, await self._outcomes.taken(run, outcome)))
        self._checkpoints.forget(run.id)

    def begin_at(self, run_id: str, checkpoint: dict[str, Any]) -> None:
        """The run that is about to be queued goes on from there. Blocks."""
        self._checkpoints.keep(run_id, checkpoint)

    def has_checkpoint(self, run_id: str) -> bool:
        return self._checkpoints.has(run_id)

    async def stop_run(self, run: Run) -> None:
        """Lets a decomposition end behind its sweep: the process that has it now, or the next one."""
        await asyncio.to_thread(self._checkpoints.ask_to_stop, run.id)
        await self.placement.stop_run(run.id, run.attempts)


def begin_placement(settings: Settings, relay: Callable[[dict[str, Any]], None]) -> Placement:
    """Imports Dask, which takes as long as a third of a start."""
    from heddle_server.engine.cluster.placement import Placement

    return Placement(settings, relay)
