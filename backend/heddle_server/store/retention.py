"""What is kept for how long: ended runs and uploads go after their days, unless somebody was promised them.

A link is forever, and so are the results of its plan and the uploads that its plan names. An upload that a kept run
names is kept with it.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, and_, delete, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from heddle_server.schema.run import FINAL_STATES
from heddle_server.store.tables import Dataset, Link, Run

UPLOADED = "sha256:"


async def forget_runs(session: AsyncSession, before: datetime) -> int:
    """Deletes the runs that ended before that moment, with their events; returns how many."""
    statement = delete(Run).where(Run.state.in_(FINAL_STATES), Run.finished < before, ~_promised())
    gone = await session.execute(statement.returning(Run.id))
    return len(gone.all())


async def forget_runs_beyond(session: AsyncSession, most: int) -> int:
    """Deletes those that ended longest ago once there are more than ``most`` ended runs; returns how many. Runs that
    somebody was promised count, and stay."""
    ended = (await session.execute(select(func.count()).where(Run.state.in_(FINAL_STATES)))).scalar_one()
    if ended <= most:
        return 0
    oldest = select(Run.id).where(Run.state.in_(FINAL_STATES), ~_promised()).order_by(Run.finished, Run.number)
    gone = await session.execute(delete(Run).where(Run.id.in_(oldest.limit(ended - most))).returning(Run.id))
    return len(gone.all())


def _promised() -> ColumnElement[bool]:
    linked = select(Link.plan_hash)
    return or_(
        and_(Run.state == "done", Run.plan_hash.in_(linked)),
        Run.id.in_(select(Link.run_id).where(Link.run_id.is_not(None))),
    )


async def forget_uploads(session: AsyncSession, before: datetime) -> list[tuple[str, str]]:
    """Deletes the uploads that came before that moment and that no run or link names; returns (id, kind) of each."""
    old = select(Dataset.id, Dataset.kind).where(Dataset.id.startswith(UPLOADED), Dataset.created < before)
    candidates = {row.id: row.kind for row in await session.execute(old)}
    if candidates:
        for table in (Run, Link):
            async for (plan,) in await session.stream(select(table.plan)):
                for source in plan.get("inputs", {}).values():
                    candidates.pop(source.get("upload"), None)
        await session.execute(delete(Dataset).where(Dataset.id.in_(candidates)))
    return list(candidates.items())
