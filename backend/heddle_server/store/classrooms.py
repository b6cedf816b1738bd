"""Classes, their students and what these did, as queries."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer

from heddle_server.store.tables import ClassLesson, Classroom, Student, Work


async def students_of(session: AsyncSession, code: str) -> list[Student]:
    """In the order of their names."""
    query = select(Student).where(Student.classroom == code).order_by(Student.folded)
    return list(await session.scalars(query))


async def count_students(session: AsyncSession, code: str) -> int:
    query = select(func.count()).select_from(Student).where(Student.classroom == code)
    return int((await session.execute(query)).scalar_one())


async def student_named(session: AsyncSession, code: str, folded: str) -> Student | None:
    query = select(Student).where(Student.classroom == code, Student.folded == folded)
    return (await session.execute(query)).scalar_one_or_none()


async def student_with_key(session: AsyncSession, code: str, key_hash: str) -> Student | None:
    query = select(Student).where(Student.classroom == code, Student.key_hash == key_hash)
    return (await session.execute(query)).scalar_one_or_none()


async def works_of(session: AsyncSession, code: str) -> list[Work]:
    """All of a class, without their plans, which may be large and are shown by the task."""
    query = select(Work).join(Student, Student.number == Work.student).where(Student.classroom == code)
    return list(await session.scalars(query.options(defer(Work.plan, raiseload=True)).order_by(Work.student)))


async def works_with_plans_of(session: AsyncSession, code: str) -> list[Work]:
    """All of a class: at most what a class may keep."""
    query = select(Work).join(Student, Student.number == Work.student).where(Student.classroom == code)
    return list(await session.scalars(query.order_by(Work.student)))


async def solved_works_of(session: AsyncSession, code: str, lesson: str, task: str) -> list[Work]:
    """Those of one task that passed, with their plans."""
    query = select(Work).join(Student, Student.number == Work.student).where(Student.classroom == code)
    query = query.where(Work.lesson == lesson, Work.task == task, Work.solved.is_not(None))
    return list(await session.scalars(query.order_by(Work.student)))


async def kept_bytes(session: AsyncSession, code: str | None = None) -> int:
    """Of a class, or of all classes together: what students submitted, and the lessons that teachers wrote."""
    works = select(func.coalesce(func.sum(Work.bytes), 0))
    texts = select(func.coalesce(func.sum(ClassLesson.bytes), 0))
    if code is not None:
        works = works.join(Student, Student.number == Work.student).where(Student.classroom == code)
        texts = texts.where(ClassLesson.classroom == code)
    return sum([int((await session.execute(query)).scalar_one()) for query in (works, texts)])


async def lessons_of(session: AsyncSession, code: str) -> list[ClassLesson]:
    """Those that the teacher of a class wrote for it."""
    query = select(ClassLesson).where(ClassLesson.classroom == code).order_by(ClassLesson.name)
    return list(await session.scalars(query))


async def forget_works(session: AsyncSession, code: str, lesson: str) -> None:
    """Deletes what the students of a class did in one lesson."""
    students = select(Student.number).where(Student.classroom == code)
    await session.execute(delete(Work).where(Work.lesson == lesson, Work.student.in_(students)))


async def count_classes(session: AsyncSession) -> int:
    return int((await session.execute(select(func.count()).select_from(Classroom))).scalar_one())


async def record_change(session: AsyncSession, code: str, used: datetime) -> None:
    """Something happened in a class, at that moment."""
    await session.execute(
        update(Classroom).where(Classroom.code == code).values(revision=Classroom.revision + 1, used=used)
    )


async def forget_classes(session: AsyncSession, before: datetime) -> int:
    """Deletes those in which nothing has happened since, with all that is kept of their students; returns how many."""
    gone = await session.execute(delete(Classroom).where(Classroom.used < before).returning(Classroom.code))
    return len(gone.all())
