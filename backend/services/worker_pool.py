"""The workers that are connected, and which of their machines are free: one timed run on each at a time."""

from __future__ import annotations

from backend.engine.placement import ConnectedWorker
from backend.engine.resources import RESOURCE_OF_TARGET, targets_of
from backend.problem import ProblemError
from backend.schema.run import MachineFacts


class WorkerPool:
    def __init__(self) -> None:
        self.workers: tuple[ConnectedWorker, ...] = ()
        self._machine_of_run: dict[str, str] = {}

    @property
    def usable(self) -> list[ConnectedWorker]:
        return [worker for worker in self.workers if worker.obstacle is None]

    @property
    def slots(self) -> int:
        """Timed runs that can go on at once. Before any worker is known, one is expected."""
        return len({worker.declaration.machine for worker in self.usable}) or 1

    @property
    def free(self) -> list[ConnectedWorker]:
        return [worker for worker in self.usable if not self.is_busy(worker)]

    def is_busy(self, worker: ConnectedWorker) -> bool:
        return worker.declaration.machine in self._machine_of_run.values()

    def free_targets(self) -> tuple[str, ...]:
        """The targets whose runs could start now."""
        return targets_of(resources_of(self.free))

    def take(self, run_id: str, target: str) -> ConnectedWorker:
        """A free worker for one of the free targets. Of those that can do it, the one that offers least: a GPU is
        kept for who needs one."""
        able = [worker for worker in self.free if RESOURCE_OF_TARGET[target] in worker.declaration.resources]
        chosen = min(able, key=lambda worker: (len(worker.declaration.resources), worker.address))
        self._machine_of_run[run_id] = chosen.declaration.machine
        return chosen

    def release(self, run_id: str) -> None:
        self._machine_of_run.pop(run_id, None)

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
