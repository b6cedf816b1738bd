"""The tables. A change here needs a migration in ``store/migrations/versions`` (a test compares the two)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, DateTime, ForeignKey, Index, MetaData, String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

# Named constraints, so that a later migration can drop them on every database.
NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map = {dict[str, Any]: JSON(none_as_null=True), list[int]: JSON, datetime: DateTime}  # noqa: RUF012


class Run(Base):
    """The queue and the truth of all runs. Times are UTC. ``number`` orders the queue."""

    __tablename__ = "runs"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    id: Mapped[str] = mapped_column(String(32), unique=True)
    state: Mapped[str] = mapped_column(String(16))
    plan: Mapped[dict[str, Any]]
    plan_hash: Mapped[str] = mapped_column(String(64))
    # What decides the answer: two runs with the same key, neither of them fresh, share one measurement.
    content_key: Mapped[str] = mapped_column(String(64), default="")
    # Who asked, as a random id of the browser; the run's own id where there is none.
    visitor: Mapped[str] = mapped_column(String(64), default="")
    fresh: Mapped[bool] = mapped_column(default=False)
    # The run whose measurement this one shows; None for one that was measured itself.
    measured_by: Mapped[str | None] = mapped_column(String(32))
    attempts: Mapped[int] = mapped_column(default=0)
    created: Mapped[datetime]
    started: Mapped[datetime | None]
    finished: Mapped[datetime | None]
    progress: Mapped[dict[str, Any] | None]
    problem: Mapped[dict[str, Any] | None]
    result: Mapped[dict[str, Any] | None]
    # The settings of a search for schedules; None for a run that times its plan. Its log is in its events.
    search: Mapped[dict[str, Any] | None]
    # When it was last put into the queue, where that was not when it was made: a search waits again for each slice.
    placed: Mapped[datetime | None]

    __table_args__ = (
        Index("ix_runs_state_number", "state", "number"),
        Index("ix_runs_plan_hash_state", "plan_hash", "state"),
        Index("ix_runs_content_key_state", "content_key", "state"),
        Index("ix_runs_visitor_state", "visitor", "state"),
    )


class RunEvent(Base):
    """What a run reported, in order: ``sequence`` starts at 1 and is the id of the server-sent event."""

    __tablename__ = "run_events"

    run_id: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    sequence: Mapped[int] = mapped_column(primary_key=True)
    event: Mapped[str] = mapped_column(String(16))
    data: Mapped[dict[str, Any]]


class Dataset(Base):
    """An upload; its bytes lie in the uploads directory under their hash. ``kind`` is mtx or tns."""

    __tablename__ = "datasets"

    id: Mapped[str] = mapped_column(String(80), primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    kind: Mapped[str] = mapped_column(String(8))
    shape: Mapped[list[int]]
    nnz: Mapped[int] = mapped_column(BigInteger)
    bytes: Mapped[int] = mapped_column(BigInteger)
    # Who uploaded it, as a random id of the browser; empty where nobody did alone.
    visitor: Mapped[str] = mapped_column(String(64), default="", server_default="")
    created: Mapped[datetime]


class Link(Base):
    """A permanent link. ``run_id`` is the run that the person saw when they shared, if any; ``bytes`` the length of its
    plan as JSON, ``visitor`` who made it, as of an upload."""

    __tablename__ = "links"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    plan: Mapped[dict[str, Any]]
    plan_hash: Mapped[str] = mapped_column(String(64), unique=True)
    run_id: Mapped[str | None] = mapped_column(ForeignKey("runs.id", ondelete="SET NULL"))
    visitor: Mapped[str] = mapped_column(String(64), default="", server_default="")
    bytes: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")
    created: Mapped[datetime]
