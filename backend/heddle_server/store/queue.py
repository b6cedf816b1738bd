"""The order of the queue: fair between addresses, then between visitors, then first come, first served.

A run's turn is its place among its visitor's own runs, those counted first that have started since the oldest run of
the queue came. All first turns come before all second ones, so that a visitor with many runs cannot keep out one with a
single run; and addresses take turns in the same way, so that many ids at one address cannot either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, Subquery, and_, case, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from heddle.targets import DEFAULT_TARGET
from heddle_server.schema.decomposition import CUT_SHORT
from heddle_server.schema.run import ACTIVE_STATES
from heddle_server.store.tables import Run

# Of the part of a visitor's id that names an address.
OWNER_LENGTH = 12
# No queue is longer (HEDDLE_RUN_QUEUE_LIMIT), or fairness reaches back less far.
MOST_QUEUED = 1000
# Among so many of the latest measurements of one plan a conclusive one is looked for.
MOST_MEASUREMENTS = 5


@dataclass(frozen=True, slots=True)
class Place:
    """``position`` counts the runs that start before; ``measurements`` those of them that are measured themselves."""

    position: int
    measurements: int


@dataclass(frozen=True, slots=True)
class Measurement:
    """The id of a run that measured. ``noisy`` is what its result concludes; None where it concludes nothing, as one
    that compares nothing, or is from before results did."""

    run: str
    noisy: bool | None


def target() -> ColumnElement[str]:
    """Of the run's plan, whose canonical document leaves the default out."""
    return func.coalesce(Run.plan["target"].as_string(), DEFAULT_TARGET)


def active_of_visitor() -> ColumnElement[int]:
    """How many runs of the queued run's visitor are under way."""
    busy = aliased(Run)
    count = select(func.count()).select_from(busy)
    return count.where(busy.visitor == Run.visitor, busy.state.in_(ACTIVE_STATES)).correlate(Run).scalar_subquery()


def owner() -> ColumnElement[str]:
    """The beginning of a visitor's id, which names the address that it was given to."""
    return func.substr(Run.visitor, 1, OWNER_LENGTH)


def waiting_since() -> ColumnElement[Any]:
    """When a run was put into the queue: a search stands behind those that came while it had its last slice."""
    return func.coalesce(Run.placed, Run.created)


def count_turns(party: ColumnElement[str]) -> Subquery:
    """(party, count): who has had how many turns while the oldest queued run waits."""
    oldest = select(func.min(Run.number)).where(Run.state == "queued").scalar_subquery()
    since = select(func.min(waiting_since())).where(Run.state == "queued").scalar_subquery()
    had = or_(Run.state.in_(ACTIVE_STATES), and_(Run.started >= since, Run.measured_by.is_(None)))
    # What started since then was in the queue with it, or came later.
    recent = Run.number > oldest - MOST_QUEUED
    return select(party.label("party"), func.count().label("count")).where(recent, had).group_by(party).subquery()


def order_queue() -> Select[tuple[str, str, int]]:
    """(id, content key, place) of every queued run."""
    of_visitor, of_owner = count_turns(Run.visitor.expression), count_turns(owner())
    had, shared = (func.coalesce(each.c.count, 0) for each in (of_visitor, of_owner))
    order = (waiting_since(), Run.number)
    mine = func.row_number().over(partition_by=Run.visitor, order_by=order) + had
    turns = (
        select(
            Run.id,
            Run.content_key,
            Run.number,
            waiting_since().label("since"),
            owner().label("owner"),
            mine.label("turn"),
            shared.label("served"),
        )
        .outerjoin(of_visitor, of_visitor.c.party == Run.visitor)
        .outerjoin(of_owner, of_owner.c.party == owner())
        .where(Run.state == "queued")
        .subquery()
    )
    ours = (
        func.row_number().over(partition_by=turns.c.owner, order_by=(turns.c.turn, turns.c.since, turns.c.number))
        + turns.c.served
    )
    columns = (turns.c.id, turns.c.content_key, turns.c.number, turns.c.since, turns.c.turn)
    fair = select(*columns, ours.label("ours")).subquery()
    place = func.row_number().over(order_by=(fair.c.ours, fair.c.turn, fair.c.since, fair.c.number))
    return select(fair.c.id, fair.c.content_key, place.label("place"))


async def next_queued(session: AsyncSession, running_per_visitor: int, targets: Sequence[str]) -> Run | None:
    """The run for one of these targets to start now: not of a visitor who has enough under way, and not of a
    measurement that is under way."""
    busy = aliased(Run)
    same = select(busy.id).where(busy.content_key == Run.content_key, busy.state.in_(ACTIVE_STATES)).correlate(Run)
    order = order_queue().subquery()
    query = (
        select(Run)
        .join(order, order.c.id == Run.id)
        .where(Run.state == "queued", active_of_visitor() < running_per_visitor)
        .where(or_(Run.fresh.is_(True), ~same.exists()), target().in_(targets))
        .order_by(order.c.place)
        .limit(1)
    )
    return (await session.execute(query)).scalar_one_or_none()


async def queued_for(session: AsyncSession, targets: Sequence[str]) -> dict[str, str]:
    """The target of every queued run for one of these targets, by its id."""
    query = select(Run.id, target().label("target")).where(Run.state == "queued", target().in_(targets))
    return {row.id: row.target for row in await session.execute(query)}


async def places(session: AsyncSession) -> dict[str, Place]:
    """The place of every queued run, by its id."""
    order = order_queue().subquery()
    positions: dict[str, Place] = {}
    measured_before: set[str] = set()
    for position, row in enumerate(await session.execute(select(order).order_by(order.c.place))):
        positions[row.id] = Place(position, len(measured_before))
        measured_before.add(row.content_key)
    return positions


async def place_of(session: AsyncSession, run: Run) -> Place | None:
    """None when the run is not in the queue."""
    if run.state != "queued":
        return None
    order = order_queue().cte()
    mine = select(order.c.place).where(order.c.id == run.id).scalar_subquery()
    query = select(func.count(), func.count(order.c.content_key.distinct())).where(order.c.place < mine)
    position, measurements = (await session.execute(query)).one()
    return Place(position, measurements)


async def queue_position(session: AsyncSession, run: Run) -> int | None:
    """How many runs start before this one; None when it is not in the queue."""
    place = await place_of(session, run)
    return place.position if place is not None else None


async def count_queued(session: AsyncSession, visitors: str = "") -> int:
    """Of the visitor with that id, or of all whose ids begin so."""
    (count,) = await counts_queued(session, visitors)
    return count


async def counts_queued(session: AsyncSession, *visitors: str) -> Sequence[int]:
    """As ``count_queued`` for each of them."""
    of_each = [func.sum(case((Run.visitor.startswith(visitor, autoescape=True), 1), else_=0)) for visitor in visitors]
    query = select(*(func.coalesce(count, 0) for count in of_each)).where(Run.state == "queued")
    return (await session.execute(query)).one()


async def twins(session: AsyncSession, run: Run) -> list[Run]:
    """Queued runs that the measurement of ``run`` answers: those asked for before it began, and those not fresh."""
    in_time = or_(Run.fresh.is_(False), Run.created <= run.started)
    query = select(Run).where(and_(Run.content_key == run.content_key, Run.state == "queued", in_time))
    return list((await session.execute(query.order_by(Run.number))).scalars())


async def measurements(session: AsyncSession, content_key: str) -> Sequence[Measurement]:
    """The latest of this content, the last one first, without their results, which are long; no decomposition that was
    stopped before its end."""
    stopped, noisy = Run.result["stopped"].as_string(), Run.result[("conclusion", "noisy")].as_boolean()
    whole = or_(stopped.is_(None), stopped.not_in(CUT_SHORT))
    query = select(Run.id, noisy.label("noisy"))
    query = query.where(Run.content_key == content_key, Run.state == "done", Run.measured_by.is_(None), whole)
    rows = await session.execute(query.order_by(Run.finished.desc()).limit(MOST_MEASUREMENTS))
    return [Measurement(row.id, row.noisy) for row in rows]
