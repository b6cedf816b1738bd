"""Permanent links: a short name for a plan, the same for everybody, forever."""

from __future__ import annotations

from typing import cast

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from backend.problem import ProblemError, not_found
from backend.schema.link import LinkCreated, LinkView
from backend.schema.plan import PlanDocument
from backend.services.run_views import run_view
from backend.store import runs as store
from backend.store.database import Database, iso, now
from backend.store.tables import Link, Run
from compiler.plan import Plan, plan_hash, to_document

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
# 12 digits of base 62 are 71 bits of the hash; more are taken only where two plans meet.
LENGTH = 12


class LinkService:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, plan: Plan, run_id: str | None) -> LinkCreated:
        """The plan's link. ``run_id`` names the result to show with it; the first one given stays."""
        key = plan_hash(plan)
        async with self._database.write() as session:
            if run_id is not None:
                await self._check_run(session, run_id, key)
            link = (await session.execute(select(Link).where(Link.plan_hash == key))).scalar_one_or_none()
            if link is None:
                identity = await free_identity(session, base62(key))
                link = Link(id=identity, plan=to_document(plan), plan_hash=key, run_id=run_id, created=now())
                session.add(link)
            elif link.run_id is None:
                link.run_id = run_id
            return {"id": link.id, "url": f"/s/{link.id}"}

    async def get(self, identity: str) -> LinkView:
        async with self._database.read() as session:
            link = await session.get(Link, identity)
            if link is None:
                raise not_found("link", identity, "Links are made with the Share button or POST /api/v1/links.")
            run = await stored_run(session, link)
            return {
                "id": link.id,
                "plan": cast(PlanDocument, link.plan),
                "created": iso(link.created),
                "run": run_view(run, None) if run is not None else None,
            }

    async def _check_run(self, session: AsyncSession, run_id: str, key: str) -> None:
        run = await store.find(session, run_id)
        if run is None:
            raise not_found("run", run_id, "Leave out run_id to share only the plan.")
        if run.plan_hash != key:
            raise ProblemError(
                409, "other-plan", "The run is of another plan", f"Run {run_id} measured plan {run.plan_hash[:12]}, "
                f"and the link is for plan {key[:12]}. Share the plan that was run, or run this one first."
            )  # fmt: skip


async def stored_run(session: AsyncSession, link: Link) -> Run | None:
    """The shared run when it is done, else the latest done run of the same plan."""
    if link.run_id is not None:
        run = await store.find(session, link.run_id)
        if run is not None and run.state == "done":
            return run
    return await store.latest_done(session, link.plan_hash)


async def free_identity(session: AsyncSession, digits: str) -> str:
    for length in range(LENGTH, len(digits) + 1):
        if await session.get(Link, digits[:length]) is None:
            return digits[:length]
    raise AssertionError("two plans have the same SHA-256")


def base62(hexadecimal: str) -> str:
    """The number's digits in base 62, as many as its length can need, so that a prefix is well defined."""
    number, digits = int(hexadecimal, 16), []
    for _ in range(43):  # 62 ** 43 > 2 ** 256
        number, digit = divmod(number, 62)
        digits.append(DIGITS[digit])
    return "".join(digits)
