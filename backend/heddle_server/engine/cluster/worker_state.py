"""What a worker keeps in addition to its runs: who wants to end or stop one, the machine's timing lock, copies of data,
what runs do not see, the checkpoints of decompositions, and a process for the next run."""

from __future__ import annotations

import asyncio
import signal
import threading
from pathlib import Path

from distributed import Worker, WorkerPlugin

from heddle_server.engine.checkpoints import Checkpoints
from heddle_server.engine.children.sight import Sight, sight_of
from heddle_server.engine.children.waiting_child import SETTLE_SECONDS, WaitingChild
from heddle_server.engine.cluster.data_copies import DataCopies
from heddle_server.settings import Settings

PLUGIN = "heddle-worker-state"
LOADED = "heddle_server.tuning.loaded"
"""What the process that waits for the next run has imported."""


class WorkerState(WorkerPlugin):
    """Every worker is started with one. ``copies`` is None where the worker sees the server's own files, ``waiting``
    where no process waits for the next run."""

    name = PLUGIN

    def __init__(
        self,
        timing_lock: Path,
        copies: DataCopies | None,
        sight: Sight,
        checkpoints: Checkpoints | None = None,
        prewarms_child: bool = False,
    ) -> None:
        self.timing_lock = timing_lock
        self.waiting: WaitingChild | None = None
        self._prewarms_child = prewarms_child
        self.sight = sight
        self.copies = copies
        self.checkpoints = checkpoints
        self._cancellations: dict[str, threading.Event] = {}
        self._stops: dict[str, threading.Event] = {}

    def setup(self, worker: Worker) -> None:
        # Ctrl+C in a terminal reaches the worker process too; the one that started it ends it in its own time.
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        if self._prewarms_child:
            self.waiting = WaitingChild(LOADED, self.timing_lock, asyncio.get_running_loop())
            self.waiting.begin_in(SETTLE_SECONDS)

    def teardown(self, worker: Worker) -> None:
        if self.waiting is not None:
            self.waiting.close()

    def cancellation(self, key: str) -> threading.Event:
        """Set when the start of that key is to end, even before it has begun."""
        return self._cancellations.setdefault(key, threading.Event())

    def stop(self, key: str) -> threading.Event:
        """Set when the start of that key is to end in its own time, and to keep what is there."""
        return self._stops.setdefault(key, threading.Event())

    def forget(self, key: str) -> None:
        self._cancellations.pop(key, None)
        self._stops.pop(key, None)


def embedded_state(settings: Settings) -> WorkerState:
    checkpoints = Checkpoints(settings.checkpoints_directory, settings.free_disk_bytes)
    return WorkerState(settings.timing_lock, None, sight_of(settings), checkpoints, settings.waiting_child)


def joined_state(settings: Settings) -> WorkerState:
    copies = DataCopies(settings.data_directory.resolve() / "copies", settings.upload_total_bytes)
    return WorkerState(settings.timing_lock, copies, sight_of(settings), prewarms_child=settings.waiting_child)


def worker_state(worker: Worker) -> WorkerState:
    state = worker.plugins[PLUGIN]
    assert isinstance(state, WorkerState)
    return state


def cancel_start(key: str, dask_worker: Worker) -> None:
    """Ends one start of a run, by its order's key. Called in a worker's event loop."""
    worker_state(dask_worker).cancellation(key).set()


def stop_start(key: str, dask_worker: Worker) -> None:
    """Lets one start of a run end in its own time, by its order's key. Called in a worker's event loop."""
    worker_state(dask_worker).stop(key).set()
