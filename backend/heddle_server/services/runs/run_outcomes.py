"""What becomes of a run when its worker has answered, or has not: checked, kept, and told."""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from heddle_server.engine.children.outcome import Outcome
from heddle_server.schema.run import FINAL_STATES, RunResult
from heddle_server.services.decompositions.models import Models
from heddle_server.services.decompositions.records import RESULT as DECOMPOSITION
from heddle_server.services.machine import MachineService
from heddle_server.services.runs.documents import is_algorithm, is_whole
from heddle_server.services.runs.notices import Notices
from heddle_server.services.runs.run_views import is_problem, run_problem
from heddle_server.services.runs.tuned import remember
from heddle_server.services.runs.worker_pool import WorkerPool
from heddle_server.settings import Settings
from heddle_server.store import queue, searches
from heddle_server.store import runs as store
from heddle_server.store.database import Database, is_of_the_values
from heddle_server.store.packed_results import pack
from heddle_server.store.tables import Run
from heddle_server.tuning.slice_result import SliceResult, read_slice

logger = logging.getLogger("heddle.dispatch")

RESULT = TypeAdapter(RunResult)
LARGEST_RESULT, LARGEST_DECOMPOSITION = 64 << 10, 1 << 20
"""Bytes in the database. The largest of ours take a quarter of that."""
LARGEST_PROBLEM = 32 << 10


class RunOutcomes:
    def __init__(
        self,
        settings: Settings,
        database: Database,
        notices: Notices,
        pool: WorkerPool,
        machine: MachineService,
        models: Models,
    ) -> None:
        self._settings = settings
        self._database = database
        self._notices = notices
        self._pool = pool
        self._machine = machine
        self._models = models
        self.ignored_events = 0

    async def taken(self, run: Run, outcome: Outcome) -> Outcome:
        """The outcome, or a failure where its result or its problem is not what it must be, or cannot be kept on the
        disk."""
        if outcome.ignored:
            self.ignored_events += outcome.ignored
            logger.warning("run %s told %d events that none of ours tells; they were ignored", run.id, outcome.ignored)
        outcome = check_problem(outcome)
        if is_algorithm(run.plan):
            return check_outcome(await self._with_model(outcome), DECOMPOSITION, LARGEST_DECOMPOSITION)
        return outcome if run.search is not None else check_outcome(outcome, RESULT)

    async def _with_model(self, outcome: Outcome) -> Outcome:
        try:
            return await asyncio.to_thread(self._models.taken, outcome)
        except OSError as error:
            logger.error("the model of a run cannot be kept: %s", error)
            detail = f"The server's disk refuses it: {error}."
            return Outcome("failed", title="The result cannot be kept", detail=detail)

    async def keep(self, run: Run, outcome: Outcome) -> None:
        """The end of a run or of a slice, and for a result that no database takes a failure in its place."""
        try:
            if run.search is None or outcome.result is None:
                await self._finish(run.id, outcome)
            else:
                await self._keep_slice(run.id, read_slice(outcome.result))
        except Exception as error:
            if outcome.result is None or not is_of_the_values(error):
                raise
            logger.exception("the result of run %s cannot be kept", run.id)
            await self._finish(run.id, malformed_outcome(error) if run.search is not None else defect(error))

    async def _keep_slice(self, run_id: str, result: SliceResult) -> None:
        async with self._database.read() as session:
            run = await store.find_state(session, run_id)
        if run is None or run.state in FINAL_STATES:
            return
        # Before the search is done for those who follow it, and while others write: files take their time. Joining
        # the same once more changes nothing.
        await asyncio.to_thread(remember, result.lines)
        async with self._database.write() as session:
            run = await store.find(session, run_id)
            if run is None or run.state in FINAL_STATES:
                return
            await searches.keep_slice(session, run, result.number, result.lines, result.finished)
        self._notices.queue_moved(run_id)

    async def _finish(self, run_id: str, outcome: Outcome) -> None:
        ended = [run_id]
        async with self._database.write() as session:
            run = await store.find(session, run_id)
            if run is None or run.state in FINAL_STATES:
                return
            problem = None
            if outcome.ending != "done":
                problem = run_problem(outcome.ending, outcome.title, outcome.detail, outcome.diagnostics)
            await store.finish(session, run, outcome.ending, result=outcome.result, problem=problem)
            if is_whole(outcome.result):
                for twin in await queue.twins(session, run):
                    twin.started = run.started
                    await store.finish(session, twin, "done", result=outcome.result, measured_by=run.id)
                    ended.append(twin.id)
        self._notices.queue_moved(*ended)
        if outcome.result is not None:
            self._pool.learn(run_id, outcome.result["machine"])
            try:
                self._machine.remember(outcome.result["machine"])
            except OSError as error:
                logger.error("what run %s found out about its machine cannot be kept: %s", run_id, error)

    async def lost(self, run_id: str, why: str) -> None:
        async with self._database.write() as session:
            run = await store.find(session, run_id)
            if run is not None and run.state not in FINAL_STATES:
                await self.again_or_lost(session, run, why)
        self._notices.queue_moved(run_id)

    async def again_or_lost(self, session: Any, run: Run, why: str) -> None:
        """Back into the queue, unless it has had its attempts."""
        if run.attempts < self._settings.run_attempts:
            logger.warning("run %s goes back into the queue: %s", run.id, why)
            await store.move(session, run, "queued")
        else:
            detail = f"The run was started {run.attempts} times and never finished: {why}. Run it again."
            await store.finish(session, run, "lost", problem=run_problem("lost", "The run was lost", detail))


def defect(error: Exception) -> Outcome:
    detail = f"{type(error).__name__}: {error}. This is a defect in Heddle; please report it."
    return Outcome("failed", title="Internal error", detail=detail)


def malformed_outcome(error: Exception) -> Outcome:
    detail = f"The search wrote something that is not a log of a search: {error} Please report it."
    return Outcome("failed", title="Internal error", detail=detail)


def check_problem(outcome: Outcome) -> Outcome:
    """The outcome, or a failure when what it tells instead of a result is not what it must be."""
    if outcome.result is not None:
        return outcome
    problem = run_problem(outcome.ending, outcome.title, outcome.detail, outcome.diagnostics)
    if is_problem(problem) and len(json.dumps(problem)) <= LARGEST_PROBLEM:
        return outcome
    logger.error("a run gave a malformed problem: %.1000r", outcome)
    detail = "The run failed, and told why in a way that Heddle cannot read. Please report it."
    return replace(outcome, ending="failed", title="Internal error", detail=detail, diagnostics=None)


def check_outcome(outcome: Outcome, expected: TypeAdapter[Any], most: int = LARGEST_RESULT) -> Outcome:
    """The outcome, or a failure when its result is not what was expected, or takes more room than any of ours."""
    if outcome.result is None:
        return outcome
    try:
        expected.validate_python(outcome.result)
    except ValidationError as error:
        logger.error("a run gave a malformed result: %s", str(error)[:1000])
        detail = f"The run gave a result that Heddle cannot read ({error.error_count()} errors), please report it."
        return Outcome("failed", title="Internal error", detail=detail)
    size = len(json.dumps(pack(outcome.result)))
    if size > most:
        logger.error("a run gave a result of %d bytes", size)
        detail = f"The result takes {size:,} bytes, and at most {most:,} are kept of a run. Please report it."
        return Outcome("failed", title="The result cannot be kept", detail=detail)
    return outcome
