"""The connection to the database: SQLite by default, tuned for one writer and many readers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, event, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from backend.store.migrate import upgrade

BUSY_MILLISECONDS = 10_000


class Database:
    """``read()`` and ``write()`` open a session in a transaction of its own; ``write()`` commits at its end."""

    def __init__(self, url: str) -> None:
        self.engine: AsyncEngine = create_async_engine(url)
        if self.engine.dialect.name == "sqlite":
            event.listen(self.engine.sync_engine, "connect", tune_sqlite)
            event.listen(self.engine.sync_engine, "begin", begin_sqlite)
        self._writer = self.engine.execution_options(heddle_write=True)

    async def migrate(self) -> None:
        """Bring the schema up to date. Raises RuntimeError for a database of a newer Heddle."""
        async with self._writer.begin() as connection:
            await connection.run_sync(upgrade)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncSession]:
        async with AsyncSession(self.engine, expire_on_commit=False) as session:
            yield session

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncSession]:
        async with AsyncSession(self._writer, expire_on_commit=False) as session, session.begin():
            yield session

    async def ping(self) -> None:
        async with self.read() as session:
            await session.execute(text("SELECT 1"))

    async def close(self) -> None:
        await self.engine.dispose()


def tune_sqlite(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
    # The driver's own transaction control starts transactions late and as readers; begin_sqlite does it instead.
    driver: Any = connection
    driver.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def begin_sqlite(connection: Connection) -> None:
    # A writer takes the lock at once: a reader that turns writer can fail although nobody waits too long.
    write = connection.get_execution_options().get("heddle_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def now() -> datetime:
    """The present in UTC, without a time zone, as the tables keep it."""
    return datetime.now(UTC).replace(tzinfo=None)


def iso(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds") + "Z"
