"""The database: migrations from nothing, durable settings, one writer at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import select, text

from heddle_server.store import queue, runs
from heddle_server.store.database import Database, iso, now
from heddle_server.store.tables import Base, Run


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = Database(f"sqlite+aiosqlite:///{tmp_path / 'x.sqlite3'}")
    await opened.migrate()
    yield opened
    await opened.close()


async def test_the_migrations_make_the_tables_that_the_code_uses(database: Database) -> None:
    async with database.engine.connect() as connection:
        found = await connection.run_sync(
            lambda sync: compare_metadata(MigrationContext.configure(sync, opts={"compare_type": True}), Base.metadata)
        )
    assert found == []


async def test_migrating_again_changes_nothing(database: Database) -> None:
    async with database.write() as session:
        session.add(new_run("kept"))
    await database.migrate()
    async with database.read() as session:
        assert await runs.find(session, "kept") is not None


async def test_a_database_of_a_newer_heddle_is_refused(database: Database) -> None:
    async with database.write() as session:
        await session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(RuntimeError, match="The database has schema 9999, which this version of Heddle does not know"):
        await database.migrate()


async def test_the_settings_that_keep_data_safe_are_in_force(database: Database) -> None:
    async with database.read() as session:
        pragmas = {
            name: (await session.execute(text(f"PRAGMA {name}"))).scalar_one()
            for name in ("journal_mode", "busy_timeout", "foreign_keys", "synchronous")
        }
    assert pragmas == {"journal_mode": "wal", "busy_timeout": 10_000, "foreign_keys": 1, "synchronous": 1}


async def test_writers_come_in_the_order_in_which_they_ask_and_readers_find_a_connection_meanwhile(
    database: Database,
) -> None:
    wrote: list[int] = []

    async def write(number: int) -> None:
        async with database.write():
            wrote.append(number)

    async with database.write():
        waiting = [asyncio.create_task(write(number)) for number in range(40)]
        await asyncio.sleep(0.1)
        async with asyncio.timeout(5), database.read() as session:
            assert await runs.find(session, "unknown") is None
    await asyncio.gather(*waiting)
    assert wrote == list(range(40))


async def test_many_writers_wait_for_each_other(database: Database) -> None:
    async with database.write() as session:
        session.add(new_run("counted"))

    async def add_one() -> None:
        async with database.write() as session:
            run = (await session.execute(select(Run))).scalar_one()
            await asyncio.sleep(0)
            run.attempts += 1

    await asyncio.gather(*(add_one() for _ in range(30)))
    async with database.read() as session:
        run = await runs.find(session, "counted")
    assert run is not None
    assert run.attempts == 30


async def test_a_failed_write_leaves_nothing(database: Database) -> None:
    async def fail() -> None:
        async with database.write() as session:
            session.add(new_run("half"))
            await session.flush()
            raise ValueError

    with pytest.raises(ValueError, match=r"^$"):
        await fail()
    async with database.read() as session:
        assert await runs.find(session, "half") is None


async def test_a_run_ends_once(database: Database) -> None:
    async with database.write() as session:
        run = new_run("ended")
        session.add(run)
        await session.flush()
        await runs.finish(session, run, "cancelled")
        with pytest.raises(AssertionError):
            await runs.finish(session, run, "done")


async def test_the_queue_is_first_come_first_served(database: Database) -> None:
    async with database.write() as session:
        session.add_all([new_run("first"), new_run("second"), new_run("third")])
    async with database.read() as session:
        second = await runs.find(session, "second")
        assert second is not None
        assert await queue.queue_position(session, second) == 1
        leased = await queue.next_queued(session, 1, ("c",))
        assert leased is not None
        assert leased.id == "first"


def test_times_are_utc_in_iso_form() -> None:
    assert iso(now()).endswith("Z")


def new_run(identity: str) -> Run:
    return Run(
        id=identity, state="queued", plan={}, plan_hash="0", content_key=identity, visitor=identity, attempts=0,
        created=now(),
    )  # fmt: skip
