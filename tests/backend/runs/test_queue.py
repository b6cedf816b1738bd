"""Whose turn it is, and which runs share a measurement."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from heddle.targets import TARGET_NAMES
from heddle_server.services.runs.expected_wait import FIRST_GUESS_SECONDS, ExpectedWait
from heddle_server.services.runs.leases import Leases
from heddle_server.services.runs.runs import first_conclusive
from heddle_server.store import queue, runs
from heddle_server.store.database import Database, now
from heddle_server.store.tables import Run


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = Database(f"sqlite+aiosqlite:///{tmp_path / 'x.sqlite3'}")
    await opened.migrate()
    yield opened
    await opened.close()


def new(identity: str, visitor: str, content: str | None = None, *, state: str = "queued", fresh: bool = False) -> Run:
    return Run(
        id=identity, state=state, plan={}, plan_hash="0", content_key=content or identity, visitor=visitor,
        fresh=fresh, attempts=0, created=now(),
    )  # fmt: skip


async def add(database: Database, *rows: Run) -> None:
    async with database.write() as session:
        for row in rows:
            session.add(row)
            await session.flush()


async def order(database: Database) -> list[str]:
    """Leases one after another, each under way until all are."""
    started: list[str] = []
    while True:
        async with database.write() as session:
            run = await queue.next_queued(session, 10, TARGET_NAMES)
            if run is None:
                return started
            started.append(run.id)
            run.started = now()
            await runs.finish(session, run, "failed")


async def places(database: Database, *ids: str) -> list[int | None]:
    async with database.read() as session:
        found = [await runs.find(session, identity) for identity in ids]
        return [await queue.queue_position(session, run) for run in found if run is not None]


async def test_many_ids_at_one_address_do_not_keep_out_another_address(database: Database) -> None:
    flood = [new(f"flood{number}", f"netaaaowner1-{number}") for number in range(4)]
    await add(database, *flood, new("other", "netaaaowner2-0"), new("again", "netaaaowner2-1"))
    assert await order(database) == ["flood0", "other", "flood1", "again", "flood2", "flood3"]
    async with database.read() as session:
        assert await queue.count_queued(session, "netaaaowner1") == 0
    await add(database, *(new(f"more{number}", f"netaaaowner1-{number}") for number in range(3)))
    async with database.read() as session:
        counts = [await queue.count_queued(session, of) for of in ("netaaa", "netaaaowner1", "netaaaowner1-2", "")]
    assert counts == [3, 3, 1, 3]


async def test_first_runs_of_all_come_before_second_runs_of_anybody(database: Database) -> None:
    await add(database, new("a1", "a"), new("a2", "a"), new("a3", "a"), new("b1", "b"), new("c1", "c"))
    assert await places(database, "a1", "b1", "c1", "a2", "a3") == [0, 1, 2, 3, 4]
    async with database.write() as session:
        run = await queue.next_queued(session, 1, TARGET_NAMES)
        assert run is not None
        await runs.move(session, run, "leased")
    # a has one under way, so its second run is still a second one.
    assert await places(database, "b1", "c1", "a2", "a3") == [0, 1, 2, 3]


async def test_a_visitor_has_one_run_under_way_at_a_time(database: Database) -> None:
    await add(database, new("a1", "a", state="running"), new("a2", "a"))
    async with database.read() as session:
        assert await queue.next_queued(session, 1, TARGET_NAMES) is None
        allowed = await queue.next_queued(session, 2, TARGET_NAMES)
        assert allowed is not None
        assert allowed.id == "a2"


async def test_a_run_waits_for_a_machine_that_can_do_it(database: Database) -> None:
    gpu = new("gpu", "a")
    gpu.plan = {"target": "cuda"}
    await add(database, gpu, new("cpu", "b"))
    async with database.read() as session:
        for targets, expected in ((("c", "opencl"), "cpu"), (("c", "cuda"), "gpu"), (("opencl",), None)):
            chosen = await queue.next_queued(session, 1, targets)
            assert (chosen.id if chosen is not None else None) == expected


async def test_a_run_waits_for_a_measurement_of_the_same_content_that_is_under_way(database: Database) -> None:
    await add(database, new("a", "a", "same", state="running"), new("b", "b", "same"), new("c", "c", "other"))
    async with database.read() as session:
        chosen = await queue.next_queued(session, 1, TARGET_NAMES)
        assert chosen is not None
        assert chosen.id == "c"
    await add(database, new("d", "d", "same", fresh=True))
    assert await order(database) == ["c", "d"]


async def test_a_measurement_answers_those_who_asked_in_time(database: Database) -> None:
    measured = new("m", "m", "same", state="running")
    measured.started = now()
    late = new("late", "l", "same", fresh=True)
    late.created = measured.started + timedelta(seconds=1)
    patient = new("patient", "p", "same")
    patient.created = late.created
    early = new("early", "e", "same", fresh=True)
    early.created = measured.started - timedelta(seconds=1)
    await add(database, measured, late, patient, early, new("other", "o", "another"))
    async with database.read() as session:
        assert [run.id for run in await queue.twins(session, measured)] == ["patient", "early"]


async def test_only_measurements_are_shared_and_the_latest_first(database: Database) -> None:
    rows = [new(name, name, "same", state="done") for name in ("old", "new", "shared")]
    for seconds, row in enumerate(rows):
        row.finished = now() + timedelta(seconds=seconds)
    rows[2].measured_by = "old"
    await add(database, *rows, new("failed", "f", "same", state="failed"))
    async with database.read() as session:
        assert [each.run for each in await queue.measurements(session, "same")] == ["new", "old"]
        assert not await queue.measurements(session, "unknown")


@pytest.mark.parametrize("length", [0, 400])
async def test_of_noisy_measurements_no_result_is_loaded(database: Database, length: int) -> None:
    """Five results were read on the event loop, at each click on Run. Long ones are stored packed, but for what is
    asked of them here."""
    entries = [{"id": "heddle", "samples_ns": [1000.0 + number for number in range(length)]}]
    results: dict[str, dict[str, Any]] = {
        "before": {},  # results had no conclusions then
        "quiet": {"conclusion": {"noisy": False}},
        "noisy": {"conclusion": {"noisy": True}},
        "stopped": {"stopped": "asked"},
    }
    rows = [new(name, name, "same", state="done") for name in results]
    for seconds, row in enumerate(rows):
        row.finished, row.result = now() + timedelta(seconds=seconds), {"entries": entries, **results[row.id]}
    await add(database, *rows)
    async with database.read() as session:
        stored = await queue.measurements(session, "same")
        assert [(each.run, each.noisy) for each in stored] == [("noisy", True), ("quiet", False), ("before", None)]
        chosen = await first_conclusive(session, stored)
        assert chosen is not None
        assert chosen.id == "quiet"
        assert list(session.identity_map.values()) == [chosen]
        assert await first_conclusive(session, stored[:1]) is None


async def test_runs_that_share_a_measurement_do_not_lengthen_the_wait(database: Database) -> None:
    await add(database, new("a", "a", "same"), new("b", "b", "same"), new("c", "c", "other"))
    async with database.read() as session:
        last = await runs.find(session, "c")
        assert last is not None
        assert await queue.place_of(session, last) == queue.Place(position=2, measurements=1)


def test_the_expected_wait_follows_what_runs_take() -> None:
    now = 0.0
    expected = ExpectedWait(lambda: now)
    assert expected.seconds(2, 1) == 2 * FIRST_GUESS_SECONDS
    for number, seconds in enumerate((3.0, 4.0, 23.0)):
        expected.begin(f"run {number}")
        now += seconds
        expected.end(f"run {number}")
    # As long as all runs ahead take together: the long one counts.
    assert expected.seconds(2, 1) == 20.0
    assert expected.seconds(2, 2) == 10.0
    expected.begin("under way")
    now += 3.5
    # It has outlived one of three: the others took 0.5 s and 19.5 s from there.
    assert expected.seconds(0, 1) == 10.0
    now += 96.5
    assert expected.seconds(0, 1) == 100.0


def test_a_lease_ends_by_silence_alone() -> None:
    time = [0.0]
    leases = Leases(10, clock=lambda: time[0])
    leases.extend("a")
    leases.extend("b")
    time[0] = 8
    leases.extend_known("a")
    leases.extend_known("unknown")
    time[0] = 11
    assert leases.list_ended() == ["b"]
    leases.end("b")
    time[0] = 30
    assert leases.list_ended() == ["a"]


async def test_a_search_that_comes_back_stands_behind_those_that_came_meanwhile(database: Database) -> None:
    search, other, third = new("search", "a" * 20), new("other", "b" * 20), new("third", "b" * 20)
    search.placed = now() + timedelta(seconds=5)
    await add(database, search, other, third)
    assert await order(database) == ["other", "search", "third"]
