"""How much data is kept, and who names it."""

from __future__ import annotations

from sqlalchemy import func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from heddle_server.schema.run import FINAL_STATES
from heddle_server.store.retention import UPLOADED
from heddle_server.store.tables import Dataset, Link, Run


async def bytes_of(session: AsyncSession, visitor: str | None = None) -> int:
    """Of all data together, or of one visitor's uploads."""
    query = select(func.coalesce(func.sum(Dataset.bytes), 0))
    if visitor is not None:
        query = query.where(Dataset.visitor == visitor)
    return int((await session.execute(query)).scalar_one())


async def downloaded_bytes(session: AsyncSession) -> int:
    """Of all data from collections."""
    query = select(func.coalesce(func.sum(Dataset.bytes), 0)).where(Dataset.id.not_like(f"{UPLOADED}%"))
    return int((await session.execute(query)).scalar_one())


async def named_by_others(session: AsyncSession, upload: str, visitor: str) -> bool:
    """Whether a link, a run of another visitor, or one that has not ended names an upload."""
    for plans in (
        select(Link.plan),
        select(Run.plan).where(or_(Run.visitor != visitor, Run.state.not_in(FINAL_STATES))),
    ):
        async for (plan,) in await session.stream(plans):
            if any(source.get("upload") == upload for source in plan.get("inputs", {}).values()):
                return True
    return False
