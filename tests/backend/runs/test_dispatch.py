"""No error ends the dispatch of runs, or leaves one under way that nobody follows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import DataError, OperationalError

from heddle_server.engine.children.outcome import Outcome
from heddle_server.engine.cluster.connected_worker import ConnectedWorker, WorkerLost
from heddle_server.engine.cluster.declaration import Declaration
from heddle_server.engine.cluster.run_task import RunOrder
from heddle_server.schema.run import FINAL_STATES
from heddle_server.services.data.datasets import DatasetService
from heddle_server.services.decompositions.models import Models
from heddle_server.services.machine import MachineService
from heddle_server.services.runs import dispatch
from heddle_server.services.runs.dispatch import Dispatcher
from heddle_server.services.runs.notices import Notices
from heddle_server.settings import Settings
from heddle_server.store import runs
from heddle_server.store.database import Database
from heddle_server.store.tables import Run
from tests.backend.fake_child import MACHINE, RESULT
from tests.backend.runs.test_queue import add, new
from tests.backend.serving import SPMV

WORKER = ConnectedWorker("tcp://127.0.0.1:1", "w", 0.0, Declaration("m", frozenset({"cpu"}), MACHINE, {}))  # type: ignore[arg-type]
DONE = Outcome("done", result=RESULT)


class FakePlacement:
    """What is to happen at each step comes from ``troubles`` first, one after another; then all goes well."""

    topic = "topic"
    connected = False

    def __init__(self, **troubles: Sequence[BaseException]) -> None:
        self._troubles = {step: list(errors) for step, errors in troubles.items()}
        self.orders: list[RunOrder] = []

    def _step(self, name: str) -> None:
        if self._troubles.get(name):
            raise self._troubles[name].pop(0)

    async def reconnect(self) -> None:
        self._step("reconnect")
        self.connected = True

    async def workers(self) -> tuple[ConnectedWorker, ...]:
        self._step("workers")
        return (WORKER,)

    async def renew_if_deserted(self, _: Sequence[ConnectedWorker]) -> None:
        self._step("renew_if_deserted")

    async def execute(self, order: RunOrder, *_: object) -> Outcome:
        self.orders.append(order)
        self._step("execute")
        return DONE

    async def cancel(self, run_id: str, attempt: int) -> None:
        self._step("cancel")

    async def stop(self) -> None:
        self.connected = False


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "IDLE_SECONDS", 0.01)


@asynccontextmanager
async def dispatching(
    folder: Path, placement: FakePlacement, prepare: Callable[[Dispatcher], object] = lambda _: None
) -> AsyncIterator[tuple[Dispatcher, Database, Notices]]:
    """A dispatcher under way, with one run in its queue."""
    settings = Settings(data_directory=folder, scheduler="tcp://127.0.0.1:1")
    database, notices = Database(settings.database), Notices()
    await database.migrate()
    queued = new("run", "a")
    queued.plan = SPMV
    await add(database, queued)
    machine = MachineService(folder, elsewhere=True)
    models = Models(settings, database)
    dispatcher = Dispatcher(settings, database, DatasetService(settings, database), machine, notices, models)
    dispatcher.placement = placement  # type: ignore[assignment]
    prepare(dispatcher)
    await dispatcher.start()
    try:
        yield dispatcher, database, notices
    finally:
        await dispatcher.stop()
        await database.close()


async def ended(database: Database, notices: Notices) -> Run:
    """The run once it has ended; follows it as a page does."""
    async with asyncio.timeout(60):
        with notices.subscribe("run") as bell:
            while True:
                bell.take()
                async with database.read() as session:
                    run = await runs.find(session, "run")
                assert run is not None
                if run.state in FINAL_STATES:
                    return run
                await bell.wait()


async def test_runs_are_timed_briefly_while_several_others_wait(tmp_path: Path) -> None:
    placement = FakePlacement()
    database = Database(Settings(data_directory=tmp_path).database)
    await database.migrate()
    others = [new(f"other-{number}", f"visitor-{number}") for number in range(dispatch.CROWD)]
    for other in others:
        other.plan = SPMV
    await add(database, *others)
    await database.close()
    async with dispatching(tmp_path, placement) as (_, opened, notices):
        await ended(opened, notices)
        async with asyncio.timeout(60):
            while len(placement.orders) <= dispatch.CROWD:
                await asyncio.sleep(0.01)
    assert [order.job["brief"] for order in placement.orders] == [True] + [False] * dispatch.CROWD


@pytest.mark.parametrize("step", ["reconnect", "workers", "renew_if_deserted"])
async def test_the_queue_goes_on_whatever_the_workers_connection_raises(step: str, tmp_path: Path) -> None:
    errors = (OSError("gone"), TimeoutError(), ValueError("not idle"), asyncio.CancelledError(), RuntimeError("closed"))
    async with dispatching(tmp_path, FakePlacement(**{step: errors})) as (dispatcher, database, notices):
        assert (await ended(database, notices)).state == "done"
        assert dispatcher.alive
    assert not dispatcher.alive


@pytest.mark.parametrize("steps", range(6))
async def test_a_dispatch_that_is_woken_while_it_is_stopped_ends(
    steps: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It once went on, and the server with it: a run that ended in the same moment hid that it was to stop."""
    monkeypatch.setattr(dispatch, "IDLE_SECONDS", 60)
    async with dispatching(tmp_path, FakePlacement()) as (dispatcher, database, notices):
        await ended(database, notices)
        while not dispatcher.arrived._waiters:  # type: ignore[attr-defined]
            await asyncio.sleep(0.001)
        loops = dispatcher._loops
        dispatcher.arrived.set()
        for _ in range(steps):
            await asyncio.sleep(0)
        for loop in loops:
            loop.cancel()
        done, going_on = await asyncio.wait(loops, timeout=5)
        for loop in going_on:
            loop.cancel()
        await asyncio.sleep(0.05)  # What the database was asked meanwhile is answered to this event loop.
        assert (len(done), going_on) == (2, set())


async def test_a_run_that_loses_its_worker_starts_again(tmp_path: Path) -> None:
    lost = FakePlacement(execute=[WorkerLost("gone")])
    async with dispatching(tmp_path, lost) as (_, database, notices):
        run = await ended(database, notices)
    assert (run.state, run.attempts) == ("done", 2)


async def test_what_a_run_raises_is_its_end_and_the_machine_is_free(tmp_path: Path) -> None:
    defect = FakePlacement(execute=[LookupError("the words of the error")])
    async with dispatching(tmp_path, defect) as (dispatcher, database, notices):
        run = await ended(database, notices)
        while dispatcher.pool.is_busy(WORKER):
            await asyncio.sleep(0)
    assert run.state == "failed"
    assert run.problem is not None
    assert "LookupError: the words of the error. This is a defect in Heddle" in run.problem["detail"]


async def test_a_run_whose_data_the_database_does_not_give_starts_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[OperationalError] = [OperationalError("SELECT", {}, Exception("database is locked"))]

    async def files(*_: object) -> list[Any]:
        if asked:
            raise asked.pop()
        return []

    monkeypatch.setattr(DatasetService, "files", files)
    async with dispatching(tmp_path, FakePlacement()) as (_, database, notices):
        run = await ended(database, notices)
    assert (run.state, run.attempts) == ("done", 2)


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("UPDATE", {}, Exception("database or disk is full")),
        # The driver of PostgreSQL says so in words of its own.
        ConnectionRefusedError("Connect call failed"),
        RuntimeError("the database system is starting up"),
    ],
    ids=repr,
)
async def test_the_end_of_a_run_is_kept_once_the_database_is_back(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish, troubles = runs.finish, [error] * 3

    async def failing(*arguments: Any, **more: Any) -> None:
        if troubles:
            raise troubles.pop()
        await finish(*arguments, **more)

    monkeypatch.setattr(runs, "finish", failing)
    async with dispatching(tmp_path, FakePlacement()) as (_, database, notices):
        run = await ended(database, notices)
    assert run.state == "done"
    assert not troubles


@pytest.mark.parametrize("error", [DataError("UPDATE", {}, Exception("no JSON")), TypeError("no JSON")], ids=repr)
async def test_a_result_that_no_database_takes_is_a_failure_and_not_tried_for_ever(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish = runs.finish

    async def picky(*arguments: Any, result: object = None, **more: Any) -> None:
        if result is not None:
            raise error
        await finish(*arguments, **more)

    monkeypatch.setattr(runs, "finish", picky)
    async with dispatching(tmp_path, FakePlacement()) as (_, database, notices):
        run = await ended(database, notices)
    assert run.state == "failed"
    assert run.problem is not None
    assert "no JSON" in run.problem["detail"]


async def test_who_follows_a_run_is_told_although_the_disk_has_no_room_for_what_it_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(MachineService, "remember", full)
    async with dispatching(tmp_path, FakePlacement()) as (dispatcher, database, notices):
        assert (await ended(database, notices)).state == "done"
        while dispatcher.pool.is_busy(WORKER):
            await asyncio.sleep(0)
        assert dispatcher.pool.facts_of(WORKER) == RESULT["machine"]
    assert "cannot be kept: [Errno 28]" in caplog.text


async def test_reports_that_make_no_sense_hold_up_no_other(tmp_path: Path) -> None:
    def report(dispatcher: Dispatcher) -> None:
        for strange in ({}, {"run_id": "run"}, {"run_id": []}, None, {"run_id": "run", "attempt": 0, "event": "?"}):
            dispatcher._reports.take(strange)  # type: ignore[arg-type]

    # A run has ended once all its reports are kept.
    async with dispatching(tmp_path, FakePlacement(), report) as (dispatcher, database, notices):
        assert (await ended(database, notices)).state == "done"
        assert dispatcher.alive


async def test_a_worker_that_is_too_busy_to_hear_it_is_asked_again_to_end_a_run(tmp_path: Path) -> None:
    asked: list[tuple[str, int]] = []
    begun, heard = asyncio.Event(), asyncio.Event()

    class Busy(FakePlacement):
        async def execute(self, *_: object) -> Outcome:
            begun.set()
            await heard.wait()
            return Outcome("cancelled")

        async def cancel(self, run_id: str, attempt: int) -> None:
            asked.append((run_id, attempt))
            if len(asked) == 3:
                heard.set()

    async with dispatching(tmp_path, Busy()) as (dispatcher, database, notices):
        await begun.wait()
        async with database.read() as session:
            run = await runs.find(session, "run")
        assert run is not None
        dispatcher.ask_to_end(run)
        assert (await ended(database, notices)).state == "cancelled"
        while dispatcher._asking:
            await asyncio.sleep(0)
    # Perhaps once more while its end was written down.
    assert asked[:3] == [("run", 1)] * 3
