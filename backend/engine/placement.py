"""Where runs run: Dask distributed, embedded by default or a scheduler elsewhere."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import dask.config
from distributed import Client, LocalCluster
from distributed.client import FutureCancelledError
from distributed.comm.core import CommClosedError
from distributed.scheduler import KilledWorker

from backend.engine.outcome import Outcome
from backend.engine.run_task import Cancellations, RunOrder, cancel_start, execute, start_key

logger = logging.getLogger("heddle.placement")

# Workers that may time declare this resource, one unit per machine.
TIMING = "timing"
CONNECT_SECONDS = 15.0
CLOSE_SECONDS = 3.0
# A worker that does not answer must not hold up the person who cancels.
CANCEL_SECONDS = 1.0
# On a busy machine a worker needs a dozen seconds to start.
DESERTED_SECONDS = 30.0

Relay = Callable[[dict[str, Any]], None]


class WorkerLost(Exception):  # noqa: N818 - reads as what happened
    """The worker of a run, or the way to it, is gone."""


class Placement:
    """Submits run orders to workers; ``relay`` gets what they report while they run."""

    def __init__(self, scheduler: str | None, relay: Relay) -> None:
        self._scheduler = scheduler
        self._relay = relay
        self._cluster: LocalCluster | None = None
        self._client: Client | None = None
        self._deserted_since: float | None = None
        self.topic = f"heddle-{uuid4().hex}"

    async def start(self) -> None:
        """Raises OSError or TimeoutError when a scheduler elsewhere does not answer."""
        if self._scheduler is None:
            # A task that brings its worker down is not tried on the next one: the runs table decides about that.
            with dask.config.set(embedded_configuration()):
                self._cluster = await LocalCluster(  # type: ignore[no-untyped-call]
                    n_workers=1,
                    threads_per_worker=1,
                    processes=True,
                    host="127.0.0.1",
                    dashboard_address=None,
                    # Without one it would take port 8787, and complain when another program has it.
                    scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
                    memory_limit=0,
                    resources={TIMING: 1},
                    silence_logs=logging.ERROR,
                    asynchronous=True,
                )
        address = self._cluster if self._cluster is not None else self._scheduler
        self._client = await Client(  # type: ignore[no-untyped-call]
            address, asynchronous=True, timeout=CONNECT_SECONDS, set_as_default=False
        )
        await self._client.register_plugin(Cancellations(ignore_interrupts=self._cluster is not None))
        self._client.subscribe_topic(self.topic, self._on_event)

    async def stop(self) -> None:
        closables: tuple[Any, ...] = (self._client, self._cluster)
        for closable in closables:
            if closable is not None:
                with contextlib.suppress(TimeoutError, OSError, CommClosedError):
                    await asyncio.wait_for(closable.close(), CLOSE_SECONDS)
        self._client = self._cluster = None

    async def reconnect(self) -> None:
        await self.stop()
        await self.start()

    @property
    def connected(self) -> bool:
        return self._client is not None and self._client.status == "running"

    async def renew_if_deserted(self) -> None:
        """An embedded worker that was killed is started again by its nanny; where that fails, start all anew."""
        if self._cluster is None or await self.slots() > 0:
            self._deserted_since = None
            return
        self._deserted_since = self._deserted_since or time.monotonic()
        if time.monotonic() - self._deserted_since > DESERTED_SECONDS:
            logger.error("no embedded worker came back in %g s: starting another", DESERTED_SECONDS)
            self._deserted_since = None
            await self.renew()

    async def slots(self) -> int:
        """Timed runs that can go on at once: one per machine that has a worker for them."""
        if not self.connected:
            return 0
        assert self._client is not None
        try:
            scheduler: Any = self._client.scheduler
            workers = (await scheduler.identity())["workers"].values()
        except (OSError, CommClosedError):
            return 0
        return len({worker["host"] for worker in workers if worker["resources"].get(TIMING, 0) >= 1})

    async def execute(self, order: RunOrder) -> Outcome:
        """Blocks until the run has ended; raises WorkerLost when its worker is gone."""
        assert self._client is not None
        future: Any = self._client.submit(execute, order, key=order.key, pure=False, retries=0, resources={TIMING: 1})
        try:
            outcome = await future.result()
        except (KilledWorker, CommClosedError, FutureCancelledError, asyncio.CancelledError, OSError) as error:
            task = asyncio.current_task()
            if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
                raise
            raise WorkerLost(str(error)) from error
        assert isinstance(outcome, Outcome)
        return outcome

    async def cancel(self, run_id: str, attempt: int) -> None:
        """Asks all workers to end a start of a run; whoever has it does so within a tick."""
        if self.connected:
            assert self._client is not None
            with contextlib.suppress(OSError, CommClosedError, TimeoutError):
                asked = self._client.run(cancel_start, start_key(run_id, attempt), on_error="ignore")
                await asyncio.wait_for(asked, CANCEL_SECONDS)

    async def renew(self) -> None:
        """Kill the embedded workers, which no longer answer, and start others. Workers elsewhere are not ours."""
        if self._cluster is None:
            return
        for nanny in self._cluster.workers.values():
            with contextlib.suppress(ProcessLookupError):
                if nanny.pid is not None:
                    os.kill(nanny.pid, signal.SIGKILL)
        await self.reconnect()

    def _on_event(self, event: tuple[float, dict[str, Any]]) -> None:
        self._relay(event[1])


def embedded_configuration() -> dict[str, Any]:
    return {
        "distributed.scheduler.allowed-failures": 0,
        "distributed.admin.low-level-log-length": 1000,
        "distributed.worker.use-file-locking": False,
        "distributed.scheduler.http.routes": [],
        "distributed.worker.http.routes": [],
        "distributed.comm.timeouts.connect": "10s",
        # One task at a time and no data between workers: what watches over both would only cost an idle server CPU.
        "distributed.admin.tick.interval": "500ms",
        "distributed.admin.system-monitor.interval": "5s",
        "distributed.worker.profile.enabled": False,
        "distributed.worker.memory.monitor-interval": "1s",
        "distributed.scheduler.work-stealing": False,
        "distributed.scheduler.active-memory-manager.start": False,
    }
