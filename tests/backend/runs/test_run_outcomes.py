"""What becomes of a slice of a search: files are written while others write, and lines are added, not written anew."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from heddle_server.engine.children.outcome import Outcome
from heddle_server.services.decompositions.models import Models
from heddle_server.services.machine import MachineService
from heddle_server.services.runs import run_outcomes
from heddle_server.services.runs.leases import Leases
from heddle_server.services.runs.notices import Notices
from heddle_server.services.runs.run_outcomes import RunOutcomes
from heddle_server.services.runs.run_reports import RunReports
from heddle_server.services.runs.run_views import run_view
from heddle_server.services.runs.worker_pool import WorkerPool
from heddle_server.settings import Settings
from heddle_server.store import runs, searches
from heddle_server.store.database import Database
from heddle_server.store.tables import Run
from tests.backend.fake_child import RESULT
from tests.backend.fake_search import final, generation, header_line
from tests.backend.runs.test_queue import add, new
from tests.backend.serving import SPMV

JOB: dict[str, Any] = {
    "plan": SPMV,
    "settings": {
        "strategy": "random",
        "seed": 1,
        "parameters": {"population": 4, "elites": 1, "crossover": 0.8, "mutation": 0.07, "variant": "paper"},
        "budget": {"evaluations": 9, "generations": 9, "seconds": None},
    },
}
HEADER = header_line(JOB)


@pytest.fixture
async def kept(tmp_path: Path) -> AsyncIterator[tuple[RunOutcomes, Database, Run]]:
    """What keeps outcomes, and a search under way."""
    settings = Settings(data_directory=tmp_path)
    database = Database(settings.database)
    await database.migrate()
    run = new("run", "a")
    run.plan, run.search, run.state = SPMV, JOB["settings"], "running"
    await add(database, run)
    machine = MachineService(tmp_path, elsewhere=True)
    models = Models(settings, database)
    yield RunOutcomes(settings, database, Notices(), WorkerPool(), machine, models), database, run
    await database.close()


def slice_of(number: int, *lines: dict[str, Any], finished: bool = False) -> Outcome:
    return Outcome("done", {"finished": finished, "number": number, "lines": list(lines)})


async def log_of(database: Database) -> list[dict[str, Any]]:
    async with database.read() as session:
        return await searches.log_of(session, "run")


async def state_of(database: Database) -> str:
    async with database.read() as session:
        run = await runs.find(session, "run")
    assert run is not None
    return str(run.state)


async def test_files_of_tuned_schedules_are_written_outside_the_turn_of_a_writer(
    kept: tuple[RunOutcomes, Database, Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes, database, run = kept
    seen: list[tuple[bool, list[str]]] = []

    def remember(lines: list[dict[str, Any]]) -> None:
        seen.append((database._writing.locked(), [line["event"] for line in lines]))

    monkeypatch.setattr(run_outcomes, "remember", remember)
    await outcomes.keep(run, slice_of(0, HEADER, generation(0), final(), finished=True))
    assert seen == [(False, ["header", "generation", "final"])]
    assert await state_of(database) == "done"


async def test_a_slice_adds_the_lines_that_are_not_there_yet_without_reading_the_log(
    kept: tuple[RunOutcomes, Database, Run],
) -> None:
    outcomes, database, run = kept
    async with database.write() as session:
        await searches.add_lines(session, "run", 0, [HEADER, generation(0)])
    statements: list[str] = []
    engine = database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", lambda c, cursor, statement, *_: statements.append(statement))
    await outcomes.keep(run, slice_of(0, HEADER, generation(0), generation(1)))
    assert await state_of(database) == "queued"
    selected = [one.lower() for one in statements if one.startswith("SELECT") and "run_events" in one.lower()]
    assert selected
    assert all("count(" in one or "max(" in one for one in selected)
    assert len([one for one in statements if one.startswith("INSERT INTO run_events")]) == 2  # a line, and the state
    assert [line["event"] for line in await log_of(database)] == ["header", "generation", "generation"]


async def test_lines_that_do_not_belong_behind_the_log_end_the_search(kept: tuple[RunOutcomes, Database, Run]) -> None:
    outcomes, database, run = kept
    await outcomes.keep(run, slice_of(5, generation(1)))
    assert await state_of(database) == "failed"
    assert await log_of(database) == []


@pytest.mark.parametrize(
    "told",
    [
        {"title": 5, "detail": {"a": [1]}},
        {"title": "No", "detail": "no", "diagnostics": [{"code": 5}]},
    ],
)
async def test_a_problem_that_could_not_be_shown_is_not_kept(
    kept: tuple[RunOutcomes, Database, Run], told: dict[str, Any]
) -> None:
    """GET of the run answered 500 for ever."""
    outcomes, database, run = kept
    outcome = await outcomes.taken(run, Outcome("refused", ignored=3, **told))
    assert (outcome.ending, outcome.title) == ("failed", "Internal error")
    await outcomes.keep(run, outcome)
    assert await state_of(database) == "failed"
    assert outcomes.ignored_events == 3


async def test_what_takes_more_room_than_any_of_ours_is_not_kept(kept: tuple[RunOutcomes, Database, Run]) -> None:
    """A kernel that broke out could have a result of 30 MB stored, in the words of ours."""
    outcomes, _, run = kept
    run.search = None
    numbers = random.Random(1)
    samples = [numbers.uniform(1.0, 1e6) for _ in range(20_000)]
    large = {**RESULT, "entries": [{**RESULT["entries"][0], "samples_ns": samples}]}
    told = await outcomes.taken(run, Outcome("done", large))
    assert (told.ending, told.title) == ("failed", "The result cannot be kept")
    assert (await outcomes.taken(run, Outcome("done", RESULT))).result == RESULT
    diagnostics = [{"code": "x", "severity": "error", "message": "y" * 50_000, "fixes": [], "candidates": []}]
    refused = await outcomes.taken(run, Outcome("refused", title="No", detail="no", diagnostics=diagnostics))
    assert (refused.ending, refused.diagnostics) == ("failed", None)


async def test_of_the_progress_of_a_run_the_latest_is_kept(kept: tuple[RunOutcomes, Database, Run]) -> None:
    _, database, run = kept
    async with database.write() as session:
        for number in range(runs.MOST_PROGRESS + 5):
            assert await runs.set_progress(session, run.id, {"message": str(number)})
    async with database.read() as session:
        told = await runs.events_after(session, run.id, 0)
    assert [each.data["message"] for each in told] == [str(5 + number) for number in range(runs.MOST_PROGRESS)]


async def test_a_problem_of_before_that_cannot_be_shown_is_told_as_a_failure(
    kept: tuple[RunOutcomes, Database, Run],
) -> None:
    _, _, run = kept
    run.problem = {"type": "urn:heddle:problem:run-failed", "title": 5, "status": 500, "detail": {}, "instance": None}
    told = run_view(run, None)["problem"]
    assert told is not None
    assert told["detail"] == "It told why in a way that Heddle cannot read."


async def test_reports_that_are_none_are_ignored_and_counted(kept: tuple[RunOutcomes, Database, Run]) -> None:
    _, database, run = kept
    reports = RunReports(database, Notices(), Leases(30))
    recording = asyncio.create_task(reports.record_forever())
    for told in ({"event": "progress", "fraction": "half"}, {"event": "lines", "number": 0, "lines": [{"a": 1}]}):
        reports.take({"run_id": run.id, "attempt": run.attempts, **told})
    await reports.recorded()
    recording.cancel()
    assert reports.ignored_events == 2
    assert await log_of(database) == []


async def test_a_cancelled_search_takes_nothing_more(kept: tuple[RunOutcomes, Database, Run]) -> None:
    outcomes, database, run = kept
    async with database.write() as session:
        found = await runs.find(session, "run")
        assert found is not None
        await runs.finish(session, found, "cancelled")
    await outcomes.keep(run, slice_of(0, HEADER, generation(0)))
    assert await state_of(database) == "cancelled"
    assert await log_of(database) == []
