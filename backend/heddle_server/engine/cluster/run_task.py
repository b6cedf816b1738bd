"""What a Dask worker does for one run: waits for the machine's timing slot, runs the child, relays its events."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle_server.engine.checkpoints import Checkpoints
from heddle_server.engine.children.child_process import run_child
from heddle_server.engine.children.limits import Limits
from heddle_server.engine.children.outcome import Outcome
from heddle_server.engine.children.sight import Sight
from heddle_server.engine.children.waiting_child import WaitingChild
from heddle_server.engine.quiet_time import prepare_locks
from heddle_server.engine.timing_slot import timing_slot

PROGRESS_SECONDS = 0.2
MOST_PHASES = 50
"""Each change is written to the database. Ours change a dozen times."""
# Well below the shortest lease.
BEAT_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class RunOrder:
    """One start of a run. ``topic`` is where its events go; ``job`` is the child's input."""

    run_id: str
    attempt: int
    topic: str
    module: str
    job: dict[str, Any]
    limits: Limits

    @property
    def key(self) -> str:
        return start_key(self.run_id, self.attempt)


def start_key(run_id: str, attempt: int) -> str:
    """Names one start of a run. Dask keeps a record for each new word that keys begin with: the id, which may be all
    letters, comes last."""
    return f"run-{attempt}-{run_id}"


def execute(order: RunOrder) -> Outcome:
    """The Dask task. Reports ``{"run_id", "attempt", "event", …}`` on the order's topic while it runs."""
    # ``heddle run`` goes without Dask, whose import would take a third of its start.
    from distributed import get_worker

    from heddle_server.engine.cluster.worker_state import worker_state

    worker = get_worker()
    state = worker_state(worker)

    def report(event: dict[str, Any]) -> None:
        worker.log_event(order.topic, {"run_id": order.run_id, "attempt": order.attempt, **event})

    ended = threading.Event()
    threading.Thread(target=beat, args=(report, ended), name="beat", daemon=True).start()
    try:
        cancel, stop = state.cancellation(order.key), state.stop(order.key)
        return execute_in_slot(
            order, state.timing_lock, cancel, report, state.sight, stop, state.checkpoints, state.waiting
        )
    finally:
        ended.set()
        state.forget(order.key)


def beat(report: Callable[[dict[str, Any]], None], ended: threading.Event) -> None:
    """Says that this worker still has its run, until it has ended."""
    while not ended.wait(BEAT_SECONDS):
        report({"event": "alive"})


def execute_in_slot(
    order: RunOrder,
    timing_lock: Path,
    cancel: threading.Event,
    report: Callable[[dict[str, Any]], None],
    sight: Sight,
    stop: threading.Event | None = None,
    checkpoints: Checkpoints | None = None,
    waiting_child: WaitingChild | None = None,
) -> Outcome:
    def waiting() -> None:
        message = "This machine is timing another run; waiting for it to end."
        report({"event": "progress", "phase": "waiting", "fraction": 0.0, "message": message})

    with timing_slot(timing_lock, cancel, waiting) as ours:
        if not ours:
            return Outcome("cancelled", title="Cancelled", detail="The run was cancelled.")
        report({"event": "running"})
        prepare_locks(timing_lock)
        job = {**order.job, "timing_lock": str(timing_lock.resolve())}
        take: Callable[[dict[str, Any]], None] = Throttle(report)
        if "algorithm" not in job["plan"]:
            return run_child(order.module, job, order.limits, take, cancel, sight, waiting=waiting_child)
        job["seconds"] = order.limits.seconds
        if checkpoints is not None:
            job |= {"checkpoint": checkpoints.read(order.run_id), "stop": checkpoints.stop_asked(order.run_id)}
            take = Keeper(take, checkpoints, order.run_id)
        return run_child(order.module, job, order.limits, take, cancel, sight, stop, waiting_child)


class Keeper:
    """Writes the checkpoints of a decomposition where the next worker finds them, and passes the rest on."""

    def __init__(self, report: Callable[[dict[str, Any]], None], checkpoints: Checkpoints, run_id: str) -> None:
        self._report, self._checkpoints, self._run_id = report, checkpoints, run_id

    def __call__(self, event: dict[str, Any]) -> None:
        if event.get("event") == "checkpoint":
            self._checkpoints.keep(self._run_id, {name: event.get(name) for name in ("state", "records")})
        else:
            self._report(event)


class Throttle:
    """Passes on the changes of phase, as many as a run of ours has, and otherwise at most one progress event per
    PROGRESS_SECONDS; records of sweeps all, and no checkpoint: these are for the next worker alone."""

    def __init__(self, report: Callable[[dict[str, Any]], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._report, self._clock = report, clock
        self._phase: object = None
        self._changes = 0
        self._next = 0.0

    def __call__(self, event: dict[str, Any]) -> None:
        if event.get("event") != "progress":
            # The sweeps of a decomposition, and lines of a search's log, of which none may be missing.
            if event.get("event") in ("sweeps", "lines"):
                self._report(event)
            return
        now, changed = self._clock(), event.get("phase") != self._phase
        if (changed and self._changes < MOST_PHASES) or now >= self._next:
            self._changes += changed
            self._phase = event.get("phase")
            self._next = now + PROGRESS_SECONDS
            self._report(event)
