"""The log of a search: events of its run, each a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from heddle_server.store import runs as store
from heddle_server.store.database import now
from heddle_server.store.tables import Run, RunEvent

LINE = "line"


async def log_of(session: AsyncSession, run_id: str) -> list[dict[str, Any]]:
    query = select(RunEvent).where(RunEvent.run_id == run_id, RunEvent.event == LINE).order_by(RunEvent.sequence)
    return [event.data for event in (await session.execute(query)).scalars()]


async def count_lines(session: AsyncSession, run_id: str) -> int:
    count = select(func.count()).select_from(RunEvent).where(RunEvent.run_id == run_id, RunEvent.event == LINE)
    return int((await session.execute(count)).scalar_one())


async def add_lines(session: AsyncSession, run_id: str, number: int, lines: Sequence[dict[str, Any]]) -> None:
    """Keeps lines that came while a slice was under way, unless they are there, or came too early: at its end a slice
    has all of them."""
    if await count_lines(session, run_id) == number:
        await store.append(session, run_id, *((LINE, line) for line in lines))


async def keep_slice(
    session: AsyncSession, run: Run, number: int, lines: Sequence[dict[str, Any]], finished: bool
) -> None:
    """Keeps those of the ``lines`` behind the first ``number`` that are not there yet. The run ends, or waits for its
    next slice.

    Raises
    ------
    ValueError
        the lines do not belong behind those that are there.
    """
    known = await count_lines(session, run.id)
    if not number <= known <= number + len(lines):
        raise ValueError(f"its lines are those after the first {number}, and its log has {known}.")
    await store.append(session, run.id, *((LINE, line) for line in lines[known - number :]))
    if finished:
        await store.finish(session, run, "done")
        return
    run.attempts, run.placed = 0, now()
    await store.move(session, run, "queued")
