"""Permanent links: a short name for a plan or an algorithm, the same for everybody, until who made it deletes it.

Plans that compile, and small drafts of some that do not, so that links cannot be filled with anything else; algorithms
are read as strictly as that.
"""

from __future__ import annotations

import json
from typing import cast

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from heddle.plan import Plan
from heddle_server.http.asker import Asker, asker_of
from heddle_server.http.visitor import Visitor
from heddle_server.problem import ProblemError, missing_error, too_many
from heddle_server.schema.link import LinkCreated, LinkView
from heddle_server.schema.plan import PlanDocument
from heddle_server.services.allowance import Allowance
from heddle_server.services.compiling.compile import CompileService
from heddle_server.services.data.free_disk import require_disk
from heddle_server.services.ownership import owns, require_owner, share
from heddle_server.services.runs.documents import Document, hash_of, json_of
from heddle_server.services.runs.run_views import run_view
from heddle_server.settings import Settings
from heddle_server.store import runs as store
from heddle_server.store.database import Database, iso, now
from heddle_server.store.tables import Link, Run

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
# 12 digits of base 62 are 71 bits of the hash; more are taken only where two plans meet.
LENGTH = 12
# What a visitor may share at once, and each second again: a plan has some hundred bytes.
BYTES_AT_ONCE, BYTES_PER_SECOND = 512 * 1024, 64
HINT = "Links are made with the Share button or POST /api/v1/links."


class LinkService:
    def __init__(self, settings: Settings, database: Database, compiles: CompileService) -> None:
        self._settings = settings
        self._database = database
        self._compiles = compiles
        self._allowance = Allowance(BYTES_AT_ONCE, BYTES_PER_SECOND, settings.quota_factor)

    async def create(self, plan: Document, run_id: str | None, visitor: Visitor) -> LinkCreated:
        """The plan's link. ``run_id`` names the result to show with it; the first one given stays.

        Raises ProblemError for a plan that is too large, or a large one that does not compile, and where there is no
        room for it.
        """
        key = hash_of(plan)
        size = len(json.dumps(json_of(plan)))
        await self._require_size(plan, size)
        who = asker_of(visitor)
        async with self._database.write() as session:
            if run_id is not None:
                await self._check_run(session, run_id, key)
            link = (await session.execute(select(Link).where(Link.plan_hash == key))).scalar_one_or_none()
            if link is None:
                await self._require_room(session, who, size)
                identity = await free_identity(session, base62(key))
                link = Link(
                    id=identity,
                    plan=json_of(plan),
                    plan_hash=key,
                    run_id=run_id,
                    visitor=visitor.id,
                    bytes=size,
                    created=now(),
                )
                session.add(link)
                self._allowance.use(who, size)
            else:
                share(link, visitor.id)
                link.run_id = link.run_id or run_id
            return link_view(link, visitor)

    async def delete(self, identity: str, visitor: Visitor) -> LinkCreated:
        """What it was. Raises ProblemError for a link that is not there, or not this visitor's."""
        async with self._database.write() as session:
            link = await session.get(Link, identity)
            if link is None:
                raise missing_error("link", identity, HINT)
            require_owner(link, visitor, "link")
            await session.delete(link)
            return link_view(link, visitor)

    async def _require_size(self, plan: Document, size: int) -> None:
        most, draft = self._settings.link_bytes, self._settings.draft_bytes
        if size > most:
            detail = f"The plan has {size:,} bytes, and a link holds {most:,}. Export the plan as a file instead."
            raise ProblemError(413, "plan-too-large", "The plan is too large for a link", detail)
        if size > draft and isinstance(plan, Plan) and not json.loads((await self._compiles.compile(plan)).head)["ok"]:
            detail = (
                f"The plan has {size:,} bytes and does not compile. A link to such a plan holds {draft:,}. Mend the "
                "plan, or export it as a file."
            )
            raise ProblemError(413, "draft-too-large", "This plan cannot be shared yet", detail)

    async def _require_room(self, session: AsyncSession, who: Asker, size: int) -> None:
        require_disk(self._settings)
        seconds = self._allowance.wait(who, size)
        if seconds > 0:
            detail = "As much has been shared from here lately as this server takes. Try again later."
            raise too_many("too-many-links", "Too many links", detail, seconds)
        used = (await session.execute(select(func.coalesce(func.sum(Link.bytes), 0)))).scalar_one()
        if used + size > self._settings.link_total_bytes:
            detail = f"Links take {used:,} bytes already, which is the limit of this server. Export the plan instead."
            raise ProblemError(507, "links-full", "No room for more links", detail)

    async def get(self, identity: str) -> LinkView:
        async with self._database.read() as session:
            link = await session.get(Link, identity)
            if link is None:
                raise missing_error("link", identity, HINT)
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
            raise missing_error("run", run_id, "Leave out run_id to share only the plan.")
        if run.plan_hash != key:
            raise ProblemError(
                409, "other-plan", "The run is of another plan", f"Run {run_id} measured plan {run.plan_hash[:12]}, "
                f"and the link is for plan {key[:12]}. Share the plan that was run, or run this one first."
            )  # fmt: skip


def link_view(link: Link, visitor: Visitor) -> LinkCreated:
    return {"id": link.id, "url": f"/s/{link.id}", "own": owns(link, visitor.id)}


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
