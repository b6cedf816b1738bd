"""The store on a real PostgreSQL server, which the test starts for itself."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, inspect

from heddle.targets import TARGET_NAMES
from heddle_server.store import queue, runs
from heddle_server.store.database import Database, now
from heddle_server.store.migrate import alembic_config, upgrade
from heddle_server.store.tables import Base, Run
from tests.backend.programs import find_program


def unprivileged_user() -> str:
    """PostgreSQL's own, or the one that owns nothing."""
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in names)


def readable_by_all(folder: Path, *programs: str) -> tuple[str, ...]:
    """The same programs; those of a wheel, whose environment may lie in somebody's home, as a copy in ``folder``."""
    if not any("site-packages" in program for program in programs):
        return programs
    package = Path(programs[0]).parents[2]
    for part in (package, package.with_name(f"{package.name}.libs")):
        shutil.copytree(part, folder / part.name, symlinks=True)
    return tuple(str(folder / Path(program).relative_to(package.parent)) for program in programs)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server on a Unix socket in its own directory. PostgreSQL refuses to run as root, so it is dropped."""
    initdb, postgres_ctl = find_program("initdb"), find_program("pg_ctl")
    if initdb is None or postgres_ctl is None:
        pytest.skip("PostgreSQL is not installed, and there is no wheel of it for this machine")
    user = unprivileged_user() if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="heddle-pg-", ignore_cleanup_errors=True) as folder:
        if user is not None:
            shutil.chown(folder, user)
            initdb, postgres_ctl = readable_by_all(Path(folder), initdb, postgres_ctl)
        data, more = str(Path(folder) / "data"), {"user": user, "cwd": folder} if user else {"cwd": folder}

        def call(*command: str) -> subprocess.CompletedProcess[bytes]:
            return subprocess.run(command, check=False, capture_output=True, timeout=120, **more)  # type: ignore[call-overload,no-any-return]

        made = call(initdb, "-D", data, "-U", "heddle", "-A", "trust", "--no-sync", "-E", "UTF8")
        options = f"-k {folder} -c listen_addresses='' -c fsync=off"
        begun = call(postgres_ctl, "-D", data, "-w", "-l", str(Path(folder) / "log"), "-o", options, "start")
        assert (made.returncode, begun.returncode) == (0, 0), (made.stderr + begun.stderr).decode()
        try:
            yield f"postgresql+asyncpg://heddle@/postgres?host={folder}"
        finally:
            call(postgres_ctl, "-D", data, "-m", "immediate", "stop")


def run_of(identity: str, visitor: str, content: str) -> Run:
    return Run(
        id=identity, state="queued", plan={"expression": "y(i) = x(i)"}, plan_hash="0", content_key=content,
        visitor=visitor, attempts=0, created=now(),
    )  # fmt: skip


async def test_the_store_works_on_postgresql_as_on_sqlite(url: str) -> None:
    database = Database(url)
    await database.migrate()
    try:
        async with database.engine.connect() as connection:
            found = await connection.run_sync(
                lambda sync: compare_metadata(
                    MigrationContext.configure(sync, opts={"compare_type": True}), Base.metadata
                )
            )
        assert found == []
        async with database.write() as session:
            for identity, visitor in (("a1", "a"), ("a2", "a"), ("b1", "b")):
                session.add(run_of(identity, visitor, identity))
                await session.flush()
        async with database.read() as session:
            last = await runs.find(session, "a2")
            assert last is not None
            assert await queue.place_of(session, last) == queue.Place(2, 2)
        async with database.write() as session:
            first = await queue.next_queued(session, 1, TARGET_NAMES)
            assert first is not None
            await runs.move(session, first, "leased")
            await runs.finish(session, first, "done", result={"conclusion": {"noisy": True}})
        async with database.read() as session:
            assert await queue.measurements(session, "a1") == [queue.Measurement("a1", True)]
            assert [item.event for item in await runs.events_after(session, "a1", 0)] == [
                "state", "state", "result", "end",
            ]  # fmt: skip
        await database.ping()
    finally:
        await database.close()


async def test_a_second_server_on_the_same_database_is_refused(url: str) -> None:
    first, second = Database(url), Database(url)
    try:
        await first.migrate()
        with pytest.raises(RuntimeError, match="Another Heddle server is using this database"):
            await second.migrate()
        await first.close()
        await second.migrate()
    finally:
        await first.close()
        await second.close()


async def test_the_schema_goes_back_by_a_version_and_forth_again(url: str) -> None:
    database = Database(url)
    await database.migrate()
    try:
        for version, expected in (("0007", False), ("0006", False), ("head", True)):
            async with database.engine.begin() as connection:
                await connection.run_sync(move_to, version)
            async with database.engine.connect() as connection:
                tables = await connection.run_sync(lambda sync: inspect(sync).get_table_names())
            assert ("class_lessons" in tables) is expected
    finally:
        await database.close()


def move_to(connection: Connection, version: str) -> None:
    """The schema of an earlier version, or the newest one."""
    if version == "head":
        upgrade(connection)
    else:
        command.downgrade(alembic_config(connection), version)
