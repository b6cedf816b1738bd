"""How Dask is set up here: the same for embedded workers, for those that join, and for our scheduler."""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path
from typing import Any

import dask.config

from heddle_server.engine.cluster.declaration import HEDDLE, Declaration
from heddle_server.engine.cluster.slow_start import SLOW_START
from heddle_server.engine.cluster.worker_state import WorkerState
from heddle_server.engine.scratch import scratch_prefix


def worker_options(declaration: Declaration, state: WorkerState) -> dict[str, Any]:
    """What every worker is started with."""
    return {
        "memory_limit": 0,
        "resources": declaration.dask_resources,
        "startup_information": {HEDDLE: declaration},
        "plugins": (state,),
    }


def replace_quickly() -> None:
    """A worker, and the next one where it was killed, is a fork of a process that has all imports done already, in a
    tenth of the time (``fork_server.py``). Its nanny asks for the method each time it starts one, so that it must be
    set for good."""
    dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"})


def quiet() -> None:
    """Lost connections are told by what they mean for runs, not by Dask's tracebacks."""
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def configuration() -> dict[str, Any]:
    return {
        # A task that brings its worker down is not tried on the next one: the runs table decides about that.
        "distributed.scheduler.allowed-failures": 0,
        "distributed.admin.low-level-log-length": 100,
        "distributed.diagnostics.computations.max-history": 10,
        "distributed.worker.use-file-locking": False,
        "temporary-directory": str(Path(tempfile.gettempdir(), f"{scratch_prefix('worker')}scratch")),
        "distributed.scheduler.http.routes": [],
        "distributed.worker.http.routes": [],
        "distributed.comm.timeouts.connect": "10s",
        "distributed.nanny.pre-spawn-environ.PYTHONWARNINGS": f"ignore:{SLOW_START}:UserWarning",
        # One task at a time and no data between workers: what watches over both would only cost an idle server CPU.
        "distributed.admin.tick.interval": "500ms",
        "distributed.admin.system-monitor.interval": "5s",
        "distributed.worker.profile.enabled": False,
        "distributed.worker.memory.monitor-interval": "1s",
        "distributed.scheduler.work-stealing": False,
        "distributed.scheduler.active-memory-manager.start": False,
    }
