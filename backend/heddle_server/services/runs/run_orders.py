"""What a worker is asked to do for a run: its job and its limits."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from heddle_server.engine.children.limits import Limits, run_limits
from heddle_server.engine.cluster.resources import target_of
from heddle_server.engine.cluster.run_task import RunOrder
from heddle_server.services.runs.documents import is_algorithm
from heddle_server.settings import Settings

if TYPE_CHECKING:
    from heddle_server.store.database import Database
    from heddle_server.store.tables import Run

OUTPUT_FACTOR = 8


class RunOrders:
    """``topic`` is where the workers' reports go."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings = settings
        self._database = database

    async def order_of(self, run: Run, topic: str, brief: bool) -> RunOrder:
        """``brief``: others wait, so it is timed for less time. A search is asked for its next slice, which goes on
        where its log ends."""
        settings = self._settings
        if run.search is None:
            module = settings.run_child_module
            job = {"plan": run.plan, "brief": brief, "checkpoint_seconds": settings.checkpoint_seconds}
        else:
            from heddle_server.store import searches  # ``heddle run`` asks for limits alone, and has no database

            module = settings.search_child_module
            async with self._database.read() as session:
                log = await searches.log_of(session, run.id)
            job = {"plan": run.plan, "settings": run.search, "log": log, "seconds": settings.search_slice_seconds}
        return RunOrder(run.id, run.attempts, topic, module, job, limits_of(settings, run.plan))


def limits_of(settings: Settings, plan: dict[str, Any]) -> Limits:
    """A decomposition writes checkpoints all the time."""
    limits = run_limits(settings, target_of(plan))
    return replace(limits, output_bytes=OUTPUT_FACTOR * limits.output_bytes) if is_algorithm(plan) else limits
