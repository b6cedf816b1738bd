"""The connection to the database: SQLite by default, tuned for one writer and many readers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, event, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError, StatementError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from heddle_server.start_failure import CannotStartError
from heddle_server.store.migrate import upgrade

BUSY_MILLISECONDS = 10_000
# Names our lock among those of other programs in the same database.
SERVER_LOCK = 0x48454444_4C45


def is_of_the_values(error: Exception) -> bool:
    """Whether a write failed for what was to be written, and would fail again. Whatever else it fails with comes from
    the database or the way there: drivers have errors of their own for that, which SQLAlchemy does not know."""
    if isinstance(error, DataError | IntegrityError | ProgrammingError | TypeError | ValueError):
        return True
    return isinstance(error, StatementError) and not isinstance(error, DBAPIError)


class Database:
    """``read()`` and ``write()`` open a session in its own transaction; ``write()`` commits at its end."""

    def __init__(self, url: str) -> None:
        self.engine: AsyncEngine = create_async_engine(url)
        if self.engine.dialect.name == "sqlite":
            event.listen(self.engine.sync_engine, "connect", tune_sqlite)
            event.listen(self.engine.sync_engine, "begin", begin_sqlite)
        # Writers take turns here, in the order in which they come. SQLite's own lock is polled, with pauses that grow,
        # and who waits for it holds a connection: in a crowd some never get it, and readers find no connection left.
        self._writing = asyncio.Lock()
        self._lock: AsyncConnection | None = None
        self._writer = self.engine.execution_options(heddle_write=True)

    async def migrate(self) -> None:
        """Bring the schema up to date. Raises CannotStartError for a database of a newer Heddle."""
        if self.engine.dialect.name == "postgresql":
            await self._lock_out_others()
        async with self._writer.begin() as connection:
            await connection.run_sync(upgrade)

    async def _lock_out_others(self) -> None:
        """One server per database: two would take each other's runs for interrupted ones. The lock is held by a
        connection, and ends with it."""
        self._lock = await self.engine.connect()
        lock_acquired = await self._lock.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": SERVER_LOCK})
        await self._lock.commit()
        if not lock_acquired:
            await self._lock.close()
            raise CannotStartError(
                "Another Heddle server is using this database. Stop it, or give this server another database."
            )

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncSession]:
        async with AsyncSession(self.engine, expire_on_commit=False) as session:
            yield session

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncSession]:
        # One writer at a time, whatever the database: the code relies on it.
        async with self._writing, AsyncSession(self._writer, expire_on_commit=False) as session, session.begin():
            yield session

    async def ping(self) -> None:
        """Raises SQLAlchemyError when the database cannot be written to."""
        async with self.write() as session:
            await session.execute(text("UPDATE alembic_version SET version_num = version_num"))

    async def close(self) -> None:
        if self._lock is not None:
            await self._lock.close()
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
