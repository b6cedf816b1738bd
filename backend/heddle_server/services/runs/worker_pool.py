"""The workers that are connected, and which of their machines are free: one timed run on each at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from heddle.runtime.native.cache import GENERATOR_VERSION
from heddle_server.engine.cluster.connected_worker import ConnectedWorker
from heddle_server.engine.cluster.resources import RESOURCE_OF_TARGET, targets_of
from heddle_server.problem import ProblemError
from heddle_server.schema.run import MachineFacts
from heddle_server.version import VERSION

# A machine that loses its power closes no connection. Shorter than a lease: its run goes to another one.
SILENT_SECONDS = 10.0


class WorkerPool:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.workers: tuple[ConnectedWorker, ...] = ()
        # When each worker's ``last_seen`` last changed, by our clock: those of other machines differ.
        self._heard: dict[str, tuple[float, float]] = {}
        self._machine_of_run: dict[str, str] = {}
        self._measured: dict[str, MachineFacts] = {}

    def update(self, workers: tuple[ConnectedWorker, ...]) -> None:
        """What the scheduler says now."""
        now, before = self._clock(), self._heard
        self._heard = {}
        for worker in workers:
            seen, heard_at = before.get(worker.address, (None, now))
            self._heard[worker.address] = (worker.last_seen, heard_at if seen == worker.last_seen else now)
        self.workers = workers

    def obstacle(self, worker: ConnectedWorker) -> str | None:
        """Why a worker gets no runs, if so: another version may generate other code and read plans differently."""
        heddle, generator = worker.declaration.versions
        if (heddle, generator) != (VERSION, GENERATOR_VERSION):
            ours = f"this server is {VERSION} with {GENERATOR_VERSION}"
            return f"It runs Heddle {heddle} with generator {generator}; {ours}."
        silent = self._clock() - self._heard[worker.address][1]
        return f"It has been silent for {silent:.0f} s." if silent > SILENT_SECONDS else None

    @property
    def usable(self) -> list[ConnectedWorker]:
        return [worker for worker in self.workers if self.obstacle(worker) is None]

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets whose runs some connected worker can do, free or not."""
        return targets_of(resources_of(self.usable))

    @property
    def slots(self) -> int:
        """Timed runs that can go on at once."""
        return len({worker.declaration.machine for worker in self.usable})

    @property
    def free(self) -> list[ConnectedWorker]:
        return [worker for worker in self.usable if not self.is_busy(worker)]

    def is_busy(self, worker: ConnectedWorker) -> bool:
        return worker.declaration.machine in self._machine_of_run.values()

    def take(self, run_id: str, target: str, free: Sequence[ConnectedWorker]) -> ConnectedWorker:
        """One of these ``free`` workers, of which some can do a run for that target. Of those that can, the one that
        offers least: a GPU is kept for who needs one."""
        able = [worker for worker in free if RESOURCE_OF_TARGET[target] in worker.declaration.resources]
        chosen = min(able, key=lambda worker: (len(worker.declaration.resources), worker.address))
        self._machine_of_run[run_id] = chosen.declaration.machine
        return chosen

    def release(self, run_id: str) -> None:
        self._machine_of_run.pop(run_id, None)

    def learn(self, run_id: str, facts: MachineFacts) -> None:
        """What a run under way found out about its machine, such as its memory bandwidth."""
        self._measured[self._machine_of_run[run_id]] = facts

    def facts_of(self, worker: ConnectedWorker) -> MachineFacts:
        """As its last run found them; before the first one, as it declared them."""
        return self._measured.get(worker.declaration.machine, worker.declaration.facts)

    def facts(self, target: str) -> list[MachineFacts]:
        """Of the machines that may time a run for that target."""
        resource = RESOURCE_OF_TARGET[target]
        return [worker.declaration.facts for worker in self.usable if resource in worker.declaration.resources]

    def require(self, target: str) -> None:
        """Raises ProblemError 409 when workers are connected and none can do runs for that target."""
        offered = resources_of(self.usable)
        if not self.usable or RESOURCE_OF_TARGET[target] in offered:
            return
        others = ", ".join(other for other in targets_of(offered) if other != target)
        detail = (
            f"A run for the target {target} needs a worker with the resource {RESOURCE_OF_TARGET[target]}, and the "
            f"connected workers offer {', '.join(sorted(offered))}. Runs for these targets can start: {others}."
        )
        raise ProblemError(409, "no-worker", "No machine here can do this run", detail)


def resources_of(workers: list[ConnectedWorker]) -> frozenset[str]:
    return frozenset[str]().union(*(worker.declaration.resources for worker in workers))
