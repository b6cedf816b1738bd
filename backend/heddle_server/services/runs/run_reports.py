"""What workers say of their runs while they do them: kept in the database in the order in which it came."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

from heddle_server.engine.cancellation import being_cancelled
from heddle_server.schema.run import FINAL_STATES
from heddle_server.services.decompositions.records import require_decomposition, sweeps_data
from heddle_server.services.runs.leases import Leases
from heddle_server.services.runs.notices import Notices
from heddle_server.store import runs as store
from heddle_server.store import searches
from heddle_server.store.database import Database
from heddle_server.tuning.slice_result import read_lines

logger = logging.getLogger("heddle.dispatch")


class RunReports:
    """A report is ``{"run_id", "attempt", "event", …}``, and also says that the worker still has the run."""

    def __init__(self, database: Database, notices: Notices, leases: Leases) -> None:
        self._database = database
        self._notices = notices
        self._leases = leases
        self._waiting: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.ignored_events = 0

    def take(self, report: dict[str, Any]) -> None:
        self._waiting.put_nowait(report)

    async def recorded(self) -> None:
        """Returns when all that came have been kept, or could not be."""
        await self._waiting.join()

    async def record_forever(self) -> None:
        while True:
            report = await self._waiting.get()
            try:
                self._leases.extend_known(report["run_id"])
                await self._record(report)
            except ValueError as error:
                self.ignored_events += 1
                logger.warning("run %s told what is none of its events: %.300s", report["run_id"], error)
            except (Exception, asyncio.CancelledError):
                # Whoever ends a run waits until its reports are kept: one that cannot be must not stop the rest.
                if being_cancelled():
                    raise
                logger.exception("a report could not be kept: %.300r", report)
            finally:
                self._waiting.task_done()

    async def _record(self, report: dict[str, Any]) -> None:
        run_id = report["run_id"]
        if report["event"] == "alive":
            return
        number, lines = 0, []
        if report["event"] == "lines":
            number = int(report["number"])
            # The way from the worker makes tuples of lists.
            lines = read_lines(number, json.loads(json.dumps(report["lines"])))
        async with self._database.write() as session:
            run = await store.find(session, run_id)
            if run is None or run.state in FINAL_STATES or run.attempts != report["attempt"]:
                return
            match report["event"]:
                case "running":
                    await store.move(session, run, "running")
                case "progress":
                    fraction, left = report.get("fraction"), report.get("seconds_left")
                    progress = {
                        "phase": str(report.get("phase", "")),
                        "fraction": float(fraction) if fraction is not None else None,
                        "message": str(report.get("message", "")),
                        "seconds_left": float(left) if left is not None else None,
                    }
                    await store.set_progress(session, run_id, progress)
                case "sweeps":
                    require_decomposition(run)
                    await store.append(session, run_id, ("sweeps", sweeps_data(report)))
                case "lines":
                    await searches.add_lines(session, run_id, number, lines)
                case unknown:
                    raise ValueError(f"a worker reported {unknown!r}")
        self._notices.ring(run_id)
