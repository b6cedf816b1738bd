"""The tables. A change here needs a migration in ``store/migrations/versions`` (a test compares the two)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, DateTime, ForeignKey, Index, MetaData, String, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from heddle_server.store.packed_results import PackedResult

# Named constraints, so that a later migration can drop them on every database.
NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map = {  # noqa: RUF012
        dict[str, Any]: JSON(none_as_null=True), list[int]: JSON, list[str]: JSON, datetime: DateTime,
    }  # fmt: skip


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
    # The id of the browser that may cancel it, also where it counts with its address; empty where there is none.
    owner: Mapped[str] = mapped_column(String(64), default="", server_default="")
    fresh: Mapped[bool] = mapped_column(default=False)
    # The run whose measurement this one shows; None for one that was measured itself.
    measured_by: Mapped[str | None] = mapped_column(String(32))
    attempts: Mapped[int] = mapped_column(default=0)
    created: Mapped[datetime]
    started: Mapped[datetime | None]
    finished: Mapped[datetime | None]
    progress: Mapped[dict[str, Any] | None]
    problem: Mapped[dict[str, Any] | None]
    result: Mapped[dict[str, Any] | None] = mapped_column(PackedResult)
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


class Classroom(Base):
    """A class that does the course together. ``code`` is what students type. Of keys only hashes are kept, and of
    persons nothing: whoever has the teacher's key is the teacher."""

    __tablename__ = "classrooms"

    code: Mapped[str] = mapped_column(String(12), primary_key=True)
    title: Mapped[str] = mapped_column(String(80))
    key_hash: Mapped[str] = mapped_column(String(64))
    # Counts what has changed, so that asking whether something has costs nothing.
    revision: Mapped[int] = mapped_column(default=0)
    created: Mapped[datetime]
    # When somebody last joined or submitted something.
    used: Mapped[datetime]


class ClassLesson(Base):
    """A lesson that the teacher of a class wrote for it: the text of its file."""

    __tablename__ = "class_lessons"

    classroom: Mapped[str] = mapped_column(ForeignKey("classrooms.code", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(String(48), primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    bytes: Mapped[int] = mapped_column(BigInteger)


class Student(Base):
    """Somebody in a class, by the nickname that they chose; ``folded`` is what no two of a class share. ``seed`` is
    that of their data in the tasks."""

    __tablename__ = "students"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    classroom: Mapped[str] = mapped_column(ForeignKey("classrooms.code", ondelete="CASCADE"))
    nickname: Mapped[str] = mapped_column(String(40))
    folded: Mapped[str] = mapped_column(String(160))
    key_hash: Mapped[str] = mapped_column(String(64))
    seed: Mapped[int]
    joined: Mapped[datetime]

    __table_args__ = (UniqueConstraint("classroom", "folded"),)


class Work(Base):
    """What a student did at one task: how often and since when, what was refused (code to times and words), which
    checks failed how often, and the latest plan that passed, without its data, with the answers and the seed of the
    data that it passed with. ``solution`` is the hash of that plan, ``last`` that of what was submitted last."""

    __tablename__ = "works"

    student: Mapped[int] = mapped_column(ForeignKey("students.number", ondelete="CASCADE"), primary_key=True)
    lesson: Mapped[str] = mapped_column(String(48), primary_key=True)
    task: Mapped[str] = mapped_column(String(48), primary_key=True)
    tries: Mapped[int]
    last: Mapped[str] = mapped_column(String(64))
    begun: Mapped[datetime]
    solved: Mapped[datetime | None]
    medals: Mapped[list[str]]
    refusals: Mapped[dict[str, Any]]
    failures: Mapped[dict[str, Any]]
    solution: Mapped[str] = mapped_column(String(64), default="")
    plan: Mapped[dict[str, Any] | None]
    answers: Mapped[dict[str, Any] | None]
    seed: Mapped[int | None]
    bytes: Mapped[int] = mapped_column(BigInteger)
