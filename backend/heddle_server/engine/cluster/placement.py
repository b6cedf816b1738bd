"""Where runs run: Dask distributed, embedded by default or a scheduler elsewhere."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

import dask.config
from distributed import Client
from distributed.scheduler import KilledWorker, NoValidWorkerError
from distributed.security import Security

from heddle_server.engine.cancellation import being_cancelled
from heddle_server.engine.children.outcome import Outcome
from heddle_server.engine.cluster.cluster_security import cluster_security, ephemeral_security
from heddle_server.engine.cluster.connected_worker import OWN, ConnectedWorker, WorkerLost
from heddle_server.engine.cluster.declaration import HEDDLE, Declaration, declare, parse_declaration
from heddle_server.engine.cluster.delivery import DataFile, deliver
from heddle_server.engine.cluster.pageless import PagelessCluster
from heddle_server.engine.cluster.resources import RESOURCE_OF_TARGET, target_of
from heddle_server.engine.cluster.run_task import RunOrder, execute, start_key
from heddle_server.engine.cluster.scheduler_options import scheduler_options
from heddle_server.engine.cluster.slow_start import ignore_slow_start
from heddle_server.engine.cluster.worker_options import configuration, quiet, replace_quickly, worker_options
from heddle_server.engine.cluster.worker_state import cancel_start, embedded_state, stop_start
from heddle_server.engine.scratch import remove_abandoned
from heddle_server.settings import Settings

logger = logging.getLogger("heddle.placement")

CONNECT_SECONDS = 15.0
CLOSE_SECONDS = 2.0
# A scheduler that is stopped, or cut off without a word, keeps its connections open.
ANSWER_SECONDS = 10.0
# A worker that does not answer must not hold up the person who cancels.
CANCEL_SECONDS = 1.0
# On a busy machine a worker needs a dozen seconds to start.
DESERTED_SECONDS = 30.0

Relay = Callable[[dict[str, Any]], None]


# What a task may end with that is no failure of its own.
LOST = (KilledWorker, NoValidWorkerError, OSError)


class Placement:
    """Submits run orders to workers; ``relay`` gets what they report while they run."""

    def __init__(self, settings: Settings, relay: Relay) -> None:
        self._settings = settings
        self._relay = relay
        self._cluster: PagelessCluster | None = None
        self._client: Client | None = None
        self._declaration: Declaration | None = None
        self._deserted_since: float | None = None
        self._unreadable: set[str] = set()
        self.topic = f"heddle-{uuid4().hex}"

    async def start(self) -> None:
        """Raises OSError or TimeoutError when a scheduler elsewhere does not answer. What fails halfway is there for
        ``stop`` to close."""
        settings = self._settings
        security: Security | None
        ignore_slow_start()
        await asyncio.to_thread(remove_abandoned)
        with dask.config.set(configuration()):
            if settings.scheduler is None:
                replace_quickly()
                if self._declaration is None:
                    self._declaration = await asyncio.to_thread(declare, settings)
                security = await asyncio.to_thread(ephemeral_security)
                self._cluster = PagelessCluster(
                    n_workers=1,
                    processes=True,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    protocol="tls",
                    security=security,
                    dashboard_address=None,
                    scheduler_kwargs=scheduler_options(),
                    silence_logs=logging.ERROR,
                    asynchronous=True,
                    **worker_options(self._declaration, embedded_state(settings)),
                )
                await self._cluster
            else:
                quiet()
                security = cluster_security(settings.certificates)
            self._client = Client(  # type: ignore[no-untyped-call]
                self._cluster if self._cluster is not None else settings.scheduler,
                asynchronous=True,
                timeout=CONNECT_SECONDS,
                set_as_default=False,
                security=security,
            )
            await self._client
        self._client.subscribe_topic(self.topic, self._on_event)  # type: ignore[no-untyped-call]

    async def stop(self) -> None:
        """Lets go of both, however they end: a client whose scheduler died raises whatever stopped it from joining."""
        closables: tuple[Any, ...] = (self._client, self._cluster)
        for closable in closables:
            if closable is None:
                continue
            try:
                async with asyncio.timeout(CLOSE_SECONDS):
                    await closable.close()
            except Exception as error:
                logger.warning("a %s did not close in order: %r", type(closable).__name__, error)
        self._client = self._cluster = None

    async def reconnect(self) -> None:
        await self.stop()
        await self.start()

    @property
    def connected(self) -> bool:
        return self._client is not None and self._client.status == "running"

    async def renew_if_deserted(self, workers: Sequence[ConnectedWorker]) -> None:
        """An embedded worker that was killed is started again by its nanny; where that fails, all of them are."""
        if self._cluster is None or workers:
            self._deserted_since = None
            return
        self._deserted_since = self._deserted_since or time.monotonic()
        if time.monotonic() - self._deserted_since > DESERTED_SECONDS:
            logger.error("no embedded worker came back in %g s: starting another", DESERTED_SECONDS)
            self._deserted_since = None
            await self.renew()

    async def workers(self) -> tuple[ConnectedWorker, ...]:
        """All that are connected and are Heddle's."""
        if not self.connected:
            return ()
        assert self._client is not None
        try:
            scheduler: Any = self._client.scheduler
            async with asyncio.timeout(ANSWER_SECONDS):
                connected = (await scheduler.identity())["workers"]
        except Exception as error:
            logger.warning("the scheduler did not say which workers there are: %r", error)
            return ()
        workers = [self._worker(address, told) for address, told in connected.items() if HEDDLE in told]
        return tuple(worker for worker in workers if worker is not None)

    def _worker(self, address: str, told: dict[str, Any]) -> ConnectedWorker | None:
        """None for one of another version whose declaration cannot be read: the others must get their runs."""
        try:
            declaration = parse_declaration(told[HEDDLE])
        except (LookupError, TypeError, ValueError) as error:
            if address not in self._unreadable:
                logger.warning("the worker at %s gets no runs, for its declaration cannot be read: %r", address, error)
                self._unreadable.add(address)
            return None
        name = str(told["name"]) if self._cluster is None else OWN
        return ConnectedWorker(address, name, told["last_seen"], declaration)

    async def execute(self, order: RunOrder, worker: ConnectedWorker, files: Sequence[DataFile]) -> Outcome:
        """Blocks until the run has ended on that worker; raises WorkerLost when it is gone, and what the task itself
        raised."""
        client = self._client
        future: Any = None
        if client is None:
            raise WorkerLost("the connection to the workers is being renewed")
        try:
            paths = await self._paths(client, order, worker, files)
            future = client.submit(
                execute,
                replace(order, job={**order.job, "datasets": paths}),
                key=order.key,
                pure=False,
                retries=0,
                workers=[worker.address],
                resources={RESOURCE_OF_TARGET[target_of(order.job["plan"])]: 1},
            )
            outcome = await future.result()
        except (Exception, asyncio.CancelledError) as error:
            run_error = future is not None and future.status == "error" and not isinstance(error, LOST)
            if run_error or being_cancelled():
                raise
            # Dask has many words for a way that is gone, and not all of them are errors of a connection.
            raise WorkerLost(str(error) or type(error).__name__) from error
        assert isinstance(outcome, Outcome)
        if outcome.result is None or worker.display_name is None:
            return outcome
        return replace(outcome, result={**outcome.result, "worker": worker.display_name})

    async def _paths(
        self, client: Client, order: RunOrder, worker: ConnectedWorker, files: Sequence[DataFile]
    ) -> dict[str, str]:
        """Where the worker finds the files: an embedded one reads ours, others get copies."""
        if self._cluster is not None:
            return {file.identity: str(file.path) for file in files}
        alive = {"run_id": order.run_id, "attempt": order.attempt, "event": "alive"}
        return await deliver(client, worker.address, files, lambda: self._relay(alive))

    async def cancel(self, run_id: str, attempt: int) -> None:
        """Asks all workers to end a start of a run; whoever has it does so within a tick."""
        await self._ask(cancel_start, run_id, attempt)

    async def stop_run(self, run_id: str, attempt: int) -> None:
        """Asks all workers to let a start of a run end in its own time; whoever has it tells the child in a tick."""
        await self._ask(stop_start, run_id, attempt)

    async def _ask(self, function: Callable[..., None], run_id: str, attempt: int) -> None:
        if self.connected:
            assert self._client is not None
            try:
                asked = self._client.run(function, start_key(run_id, attempt), on_error="ignore")
                async with asyncio.timeout(CANCEL_SECONDS):
                    await asked
            except Exception as error:
                logger.warning("the workers could not be asked to end run %s: %r", run_id, error)

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
