"""How our schedulers are started: the embedded one, and that of ``heddle scheduler``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from distributed.scheduler import DEFAULT_EXTENSIONS, TaskState, WorkerState
from distributed.spans import SpansSchedulerExtension


class NoSpans(SpansSchedulerExtension):
    """Keeps no spans: Dask's own extension keeps a span of each task, its group and its metrics until the scheduler
    ends, here some 6 kB of memory for each run that there ever was, and workers sum times for each span."""

    def observe_tasks(self, tss: Iterable[TaskState], code: Any, span_metadata: Any) -> dict[Any, Any]:
        return {}

    def heartbeat(self, ws: WorkerState, data: dict[tuple[Any, ...], float]) -> None:
        """Workers send what they measured all the same."""


def scheduler_options() -> dict[str, Any]:
    extensions = {**DEFAULT_EXTENSIONS, "spans": NoSpans}
    # Dask leaves it out where it chooses the extensions, since the configuration forbids it.
    del extensions["stealing"]
    return {"extensions": extensions, "dashboard": False}
