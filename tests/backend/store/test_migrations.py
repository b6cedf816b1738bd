"""A database of every schema that was ever released opens, with everything in it."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from sqlalchemy import Connection, text

from heddle_server.store import queue, runs
from heddle_server.store.database import Database
from heddle_server.store.migrate import alembic_config, is_newest

# What a server of schema 0001 kept: a finished run with its events, one that waits, an upload, and a link.
KEPT = (
    "INSERT INTO runs (id, state, plan, plan_hash, attempts, created, finished, result) VALUES "
    "('done1', 'done', '{\"expression\": \"y(i) = x(i)\"}', 'h', 1, '2026-01-01 00:00:00', '2026-01-01 00:00:09', "
    '\'{"date": "2026-01-01"}\')',
    "INSERT INTO runs (id, state, plan, plan_hash, attempts, created) VALUES "
    "('wait1', 'queued', '{\"expression\": \"y(i) = x(i)\"}', 'h', 0, '2026-01-01 00:00:10')",
    "INSERT INTO run_events VALUES ('done1', 1, 'end', '{\"state\": \"done\"}')",
    "INSERT INTO datasets VALUES ('sha256:0', 'a.mtx', 'mtx', '[3, 4]', 2, 70, '2026-01-01 00:00:00')",
    "INSERT INTO links VALUES ('abc', '{\"expression\": \"y(i) = x(i)\"}', 'h', 'done1', '2026-01-01 00:00:00')",
)


def make_0001(connection: Connection) -> None:
    command.upgrade(alembic_config(connection), "0001")
    for statement in KEPT:
        connection.execute(text(statement))


async def test_a_database_of_schema_0001_opens_with_all_its_runs_and_links(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'x.sqlite3'}"
    old = Database(url)
    async with old.engine.begin() as connection:
        await connection.run_sync(make_0001)
    await old.close()

    database = Database(url)
    await database.migrate()
    try:
        async with database.read() as session:
            done = await runs.find(session, "done1")
            assert done is not None
            assert done.result == {"date": "2026-01-01"}
            assert (done.visitor, done.owner, done.measured_by, done.fresh) == ("done1", "done1", None, False)
            assert [event.event for event in await runs.events_after(session, "done1", 0)] == ["end"]
            following = await queue.next_queued(session, 1, ("c",))
            assert following is not None
            assert following.id == "wait1"
            assert (await session.execute(text("SELECT run_id FROM links"))).scalar_one() == "done1"
            assert (await session.execute(text("SELECT count(*) FROM datasets"))).scalar_one() == 1
    finally:
        await database.close()


async def test_a_database_of_the_newest_schema_is_known_without_alembic(tmp_path: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'x.sqlite3'}")
    async with database.engine.begin() as connection:
        assert not await connection.run_sync(is_newest)
        await connection.run_sync(lambda bound: command.upgrade(alembic_config(bound), "head-1"))
        assert not await connection.run_sync(is_newest)
        await connection.run_sync(lambda bound: command.upgrade(alembic_config(bound), "head"))
        assert await connection.run_sync(is_newest)
    await database.close()
