"""A run that no connected worker can do waits for one, says for what, and ends by name when none comes."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from heddle_server.services.runs.notices import Notices
from heddle_server.services.runs.unplaced import Unplaced, Wait, Waits, no_worker_text
from heddle_server.settings import Settings
from heddle_server.store import runs
from heddle_server.store.database import Database
from tests.backend.joined import Joined
from tests.backend.runs.test_queue import add, new
from tests.backend.serving import Server, plan

pytestmark = pytest.mark.takes_turns(4)

GPU = Wait("gpu", datetime(2026, 11, 21, 22, 10), 0.0)


def test_a_wait_ends_by_the_monotonic_clock_and_begins_anew_when_a_worker_was_there() -> None:
    time = [0.0]
    waits = Waits(60, clock=lambda: time[0])
    assert waits.update({"a": "gpu"})
    time[0] = 30
    assert waits.update({"a": "gpu", "b": "gpu"})
    assert not waits.update({"a": "gpu", "b": "gpu"})
    time[0] = 60
    assert waits.over() == ["a"]
    assert waits.update({"b": "gpu"})
    assert waits.lack("a") is None
    waits.update({"a": "gpu"})
    time[0] = 100
    assert waits.over() == []
    lack = waits.lack("a")
    assert lack is not None
    assert lack["resource"] == "gpu"
    assert (datetime.fromisoformat(lack["until"]) - datetime.fromisoformat(lack["since"])).total_seconds() == 60


@pytest.mark.parametrize(
    ("scheduler", "targets", "text"),
    [
        (
            "tls://lab:8786",
            ("c", "interpreter"),
            "No worker with the resource gpu has been connected since 2026-11-21 22:10 UTC. Start one on a machine "
            "that has it ('./heddle worker tls://lab:8786'), and run again. Runs for these targets can start now: "
            "c, interpreter.",
        ),
        (
            None,
            (),
            "No worker with the resource gpu has been connected since 2026-11-21 22:10 UTC. This server times runs on "
            "its own machine: start it on one that has it, or with --scheduler and workers.",
        ),
    ],
)
def test_the_reason_says_what_to_do(scheduler: str | None, targets: tuple[str, ...], text: str) -> None:
    assert no_worker_text(GPU, scheduler, targets) == text


async def test_only_runs_that_nobody_can_do_are_ended(tmp_path: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'x.sqlite3'}")
    await database.migrate()
    gpu = new("gpu", "a")
    gpu.plan = {"target": "cuda"}
    await add(database, gpu, new("cpu", "b"))
    unplaced = Unplaced(Settings(run_unplaced_seconds=1e-9), database, Notices())
    await unplaced.look(("c", "interpreter"))
    async with database.read() as session:
        ended, waiting = await runs.find(session, "gpu"), await runs.find(session, "cpu")
    assert ended is not None
    assert waiting is not None
    assert (ended.state, waiting.state) == ("refused", "queued")
    assert ended.problem is not None
    assert ended.problem["title"] == "No worker can do this run"
    assert "No worker with the resource gpu has been connected since" in ended.problem["detail"]
    await database.close()


def test_a_run_tells_what_it_waits_for_and_ends_when_no_worker_ever_comes(data: Path) -> None:
    data.mkdir()
    scheduler = Joined(data, "scheduler", "scheduler", "--port", "0")
    address = scheduler.wait_for(r"The scheduler is at (\S+)")[1]
    server = Server(data, scheduler=address, run_unplaced_seconds=3).start(ready=False)
    try:
        run_id = server.run(plan())
        told = list(server.events(run_id))
        lacks = [lack for _, event, state in told if event == "state" and (lack := state.get("lack")) is not None]
        assert [lack["resource"] for lack in lacks] == ["cpu"]
        view = server.view(run_id)
        assert view["state"] == "refused"
        assert f"'./heddle worker {address}'" in view["problem"]["detail"]
        assert view["lack"] is None
    finally:
        server.kill()
        scheduler.kill()
