"""The connection to the workers is renewed whatever state the last one is in."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from heddle_server.engine.children.limits import Limits
from heddle_server.engine.cluster import placement
from heddle_server.engine.cluster.connected_worker import ConnectedWorker, WorkerLost
from heddle_server.engine.cluster.declaration import HEDDLE, Declaration
from heddle_server.engine.cluster.placement import Placement
from heddle_server.engine.cluster.run_task import RunOrder
from heddle_server.settings import Settings
from tests.backend.fake_child import MACHINE


class Broken:
    """A client that a dead scheduler left in the middle of joining again raises that error when it is closed."""

    status = "running"

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def close(self) -> None:
        raise self.error


@pytest.mark.parametrize(
    "error", [ValueError("IOStream is not idle; cannot convert to SSL"), TimeoutError(), OSError("gone")]
)
def test_a_client_that_does_not_close_is_let_go_of(
    error: Exception, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    placed = Placement(Settings(data_directory=tmp_path), lambda event: None)
    placed._client = Broken(error)  # type: ignore[assignment]
    assert placed.connected
    asyncio.run(placed.stop())
    assert not placed.connected
    # What was open is gone, so that the next start connects again; the log tells why it went as it did.
    assert placed._client is None
    assert f"a Broken did not close in order: {error!r}" in caplog.text


@pytest.mark.parametrize("broken", ["PagelessCluster", "Client"])
async def test_what_fails_while_it_starts_is_closed(
    broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []

    class Starting:
        status = "newly-created"

        def __init__(self, name: str) -> None:
            self.name = name

        def __await__(self) -> Generator[Any, Any, Starting]:
            yield from asyncio.sleep(0).__await__()
            if self.name == broken:
                raise RuntimeError("Cluster failed to start: can't start new thread")
            return self

        async def close(self) -> None:
            closed.append(self.name)

    for name in ("PagelessCluster", "Client"):
        monkeypatch.setattr(placement, name, lambda *_, name=name, **__: Starting(name))
    placed = Placement(Settings(data_directory=tmp_path), lambda event: None)
    placed._declaration = DECLARATION
    with pytest.raises(RuntimeError, match="can't start new thread"):
        await placed.start()
    await placed.stop()
    assert closed == (["PagelessCluster"] if broken == "PagelessCluster" else ["Client", "PagelessCluster"])


class FakeClient:
    """Its scheduler answers with what it is given, its tasks end so."""

    status = "running"

    def __init__(self, answer: object = None, *, task: str = "pending") -> None:
        self.scheduler = self
        self._answer = answer
        self._task = task

    async def identity(self) -> dict[str, Any]:
        return {"workers": await self._answered()}

    def submit(self, *_: object, **__: object) -> FakeClient:
        if self._task == "refused":
            raise self._error
        self.status = self._task
        return self

    async def result(self) -> Any:
        return await self._answered()

    async def run(self, *_: object, **__: object) -> Any:
        return await self._answered()

    @property
    def _error(self) -> BaseException:
        assert isinstance(self._answer, BaseException)
        return self._answer

    async def _answered(self) -> Any:
        if self._answer is None:
            await asyncio.Event().wait()
        if isinstance(self._answer, BaseException):
            raise self._answer
        return self._answer


DECLARATION = Declaration("machine", frozenset({"cpu"}), MACHINE, {})  # type: ignore[arg-type]
WORKER = ConnectedWorker("tcp://127.0.0.1:1", "w", 0.0, DECLARATION)
LIMITS = Limits(seconds=1, memory_bytes=1, output_bytes=1, processor_seconds=1)
ORDER = RunOrder("run", 1, "topic", "module", {"plan": {}}, LIMITS)

ANY_ERROR = [
    OSError("gone"),
    RuntimeError("ConnectionPool is closed"),
    ValueError("IOStream is not idle; cannot convert to SSL"),
    KeyError("tcp://127.0.0.1:1"),
]


def placed_with(client: FakeClient) -> Placement:
    placed = Placement(Settings(scheduler="tcp://127.0.0.1:1"), lambda event: None)
    placed._client = client  # type: ignore[assignment]
    return placed


@pytest.mark.parametrize("error", ANY_ERROR, ids=repr)
async def test_a_scheduler_that_fails_to_answer_has_no_workers_now(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    assert await placed_with(FakeClient(error)).workers() == ()
    assert f"the scheduler did not say which workers there are: {error!r}" in caplog.text


async def test_a_scheduler_that_keeps_silent_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placement, "ANSWER_SECONDS", 0.01)
    assert await placed_with(FakeClient(None)).workers() == ()


async def test_a_worker_that_says_what_cannot_be_read_keeps_no_other_from_its_runs(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def told(**declared: Any) -> dict[str, Any]:
        worker: Any = None
        return {"name": "w", "last_seen": 0.0, HEDDLE: {**DECLARATION(worker), **declared}}

    later = told(**{"a word of a later version": 1})
    connected = {
        WORKER.address: told(), "later": later, "earlier": told(versions=None), "stranger": {"name": "s"},
        "no": {**told(), HEDDLE: {}},
    }  # fmt: skip
    placed = placed_with(FakeClient(connected))
    for _ in range(2):
        assert await placed.workers() == (WORKER, ConnectedWorker("later", "w", 0.0, DECLARATION))
    # Once for each, not with every look.
    assert caplog.text.count("its declaration cannot be read") == 2


@pytest.mark.parametrize("error", [*ANY_ERROR, asyncio.CancelledError()], ids=repr)
@pytest.mark.parametrize("task", ["refused", "pending", "lost", "cancelled"])
async def test_a_run_whose_way_ends_in_any_error_has_lost_its_worker(task: str, error: BaseException) -> None:
    with pytest.raises(WorkerLost, match=r".+"):
        await placed_with(FakeClient(error, task=task)).execute(ORDER, WORKER, ())


async def test_a_run_has_lost_its_worker_while_the_connection_is_renewed() -> None:
    placed = Placement(Settings(scheduler="tcp://127.0.0.1:1"), lambda event: None)
    with pytest.raises(WorkerLost, match="is being renewed"):
        await placed.execute(ORDER, WORKER, ())


async def test_what_a_task_raises_itself_is_a_defect_and_not_a_lost_worker() -> None:
    with pytest.raises(LookupError, match="a defect"):
        await placed_with(FakeClient(LookupError("a defect"), task="error")).execute(ORDER, WORKER, ())


async def test_a_run_that_is_called_off_is_not_a_lost_worker() -> None:
    running = asyncio.create_task(placed_with(FakeClient(None)).execute(ORDER, WORKER, ()))
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


@pytest.mark.parametrize("error", ANY_ERROR, ids=repr)
async def test_workers_that_cannot_be_asked_to_end_a_run_hold_nobody_up(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    await placed_with(FakeClient(error)).cancel("run", 1)
    assert f"could not be asked to end run run: {error!r}" in caplog.text
