"""Classes of the course: a teacher makes one, students join it with a nickname and submit plans, which the service
checks.

Nothing is kept of a person but the nickname; who has a key may read or delete what it opens.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from heddle.plan import Plan, to_document
from heddle_server.http.asker import asker, asker_of
from heddle_server.http.buckets import Buckets
from heddle_server.http.packed_answers import Answer
from heddle_server.http.visitor import Visitor
from heddle_server.lessons.course import identity_of
from heddle_server.lessons.views import summary_view
from heddle_server.problem import ProblemError, too_many
from heddle_server.schema.classroom import (
    LONGEST_NICKNAME,
    LONGEST_TITLE,
    ClassLessonView,
    ClassroomCreated,
    ClassroomView,
    ClassSubmission,
    DeletedLessonView,
    DeletedView,
    SolutionView,
    StudentCreated,
)
from heddle_server.schema.lesson import LARGEST_SEED, Submission
from heddle_server.schema.lesson_views import LessonSummary, TaskResultView
from heddle_server.services.allowance import Allowance
from heddle_server.services.classrooms.code_guesses import CodeGuesses
from heddle_server.services.classrooms.homework import HomeworkService
from heddle_server.services.classrooms.keys import hash_of_key, new_code, new_key, no_class, no_key, opens, read_code
from heddle_server.services.classrooms.names import fold, read_name
from heddle_server.services.classrooms.report import class_lesson_view, classroom_view, csv_of, solutions
from heddle_server.services.classrooms.verdicts import new_work, note
from heddle_server.services.data.free_disk import require_disk
from heddle_server.services.lessons import LessonService
from heddle_server.settings import Settings
from heddle_server.store import classrooms as store
from heddle_server.store.database import Database, now
from heddle_server.store.tables import ClassLesson, Classroom, Student, Work

TEACHER, STUDENT = "its teacher", "a student"
# Classes that one visitor makes at once, and each day again.
CLASSES_AT_ONCE, CLASSES_PER_SECOND = 10, 10 / 86_400
# Students on one computer, of which an address has twenty.
JOINS_AT_ONCE, JOINS_PER_SECOND = 20, 1 / 60
SUBMISSIONS_PER_MINUTE = 30
"""Of one student, in bursts of half of it: more than hands can do."""


class ClassroomService:
    def __init__(
        self,
        settings: Settings,
        database: Database,
        lessons: LessonService,
        homework: HomeworkService,
        guesses: CodeGuesses,
    ) -> None:
        self._settings, self._database, self._lessons = settings, database, lessons
        self._homework, self._guesses = homework, guesses
        self._classes = Allowance(CLASSES_AT_ONCE, CLASSES_PER_SECOND, settings.quota_factor)
        self._joins = Allowance(JOINS_AT_ONCE, JOINS_PER_SECOND, settings.quota_factor)
        self._submissions = Buckets()

    async def create(self, title: str, visitor: Visitor) -> ClassroomCreated:
        """Raises ProblemError for a title that cannot be shown, and where there is no room."""
        name = read_name(title, LONGEST_TITLE, "title") if title.strip() else "My class"
        who, key, at = asker_of(visitor), new_key(), now()
        require_disk(self._settings)
        if (seconds := self._classes.wait(who, 1)) > 0:
            detail = "As many classes have been made from here lately as this server allows. Delete some, or try later."
            raise too_many("too-many-classes", "Too many classes", detail, seconds)
        async with self._database.write() as session:
            if await store.count_classes(session) >= self._settings.class_total:
                detail = f"This server has {self._settings.class_total:,} classes, as many as it may. Try again later."
                raise ProblemError(507, "classes-full", "No room for more classes", detail)
            code = new_code()
            while await session.get(Classroom, code) is not None:
                code = new_code()
            session.add(Classroom(code=code, title=name, key_hash=hash_of_key(key), revision=0, created=at, used=at))
        self._classes.use(who, 1)
        return {"code": code, "title": name, "key": key}

    async def join(self, code: str, nickname: str, visitor: Visitor) -> StudentCreated:
        """Raises ProblemError for a nickname that is none or taken, and a class that is none or full."""
        code, who = read_code(code), asker_of(visitor)
        name = read_name(nickname, LONGEST_NICKNAME, "nickname")
        require_disk(self._settings)
        if (seconds := self._joins.wait(who, 1)) > 0:
            detail = "As many have joined classes from here lately as this server allows. Try again later."
            raise too_many("too-many-students", "Too many students at once", detail, seconds)
        self._guesses.require(who)
        key, seed, at = new_key(), secrets.randbelow(LARGEST_SEED + 1), now()
        async with self._database.write() as session:
            classroom = await self._classroom(session, code)
            if await store.student_named(session, code, fold(name)) is not None:
                detail = f"Somebody in this class is called {name!r} already. Choose another nickname."
                raise ProblemError(409, "nickname-taken", "The nickname is taken", detail)
            if await store.count_students(session, code) >= self._settings.class_students:
                detail = f"This class has {self._settings.class_students} students, as many as a class may have."
                raise ProblemError(409, "class-full", "The class is full", detail)
            student = Student(
                classroom=code, nickname=name, folded=fold(name), key_hash=hash_of_key(key), seed=seed, joined=at
            )
            session.add(student)
            await session.flush()
            await store.record_change(session, code, at)
            number, title = student.number, classroom.title
        self._joins.use(who, 1)
        return {"code": code, "title": title, "number": number, "nickname": name, "key": key, "seed": seed}

    async def submit(self, code: str, key: str | None, submission: ClassSubmission, plan: Plan) -> Answer:
        """The JSON of a TaskResultView; whatever it says is in the teacher's table when it is answered. Raises
        ProblemError for who is no student of the class, and as a check does."""
        code = read_code(code)
        async with self._database.read() as session:
            student = await self._student(session, code, key)
        if (seconds := self._wait(student)) > 0:
            detail = f"A student may submit {SUBMISSIONS_PER_MINUTE} plans a minute. Think, then try again."
            raise too_many("too-many-submissions", "Too many submissions", detail, seconds)
        size, most = len(json.dumps(to_document(plan))), self._settings.link_bytes
        if size > most:
            detail = f"The plan has {size:,} bytes, and a submission at most {most:,}. No task needs so many."
            raise ProblemError(413, "plan-too-large", "The plan is too large", detail)
        student_submission = Submission(
            plan=submission.plan, answers=submission.answers, run=submission.run, seed=student.seed
        )
        asked = self._lessons.asked_seed(submission.lesson, submission.task, student.seed)
        answer = await self._lessons.check(
            submission.lesson, submission.task, plan, student_submission, student=f"student {student.number}"
        )
        verdict: TaskResultView = json.loads(answer.plain())
        await self._keep(student, verdict, plan, student_submission.model_copy(update={"seed": asked}), now())
        return answer

    def _wait(self, student: Student) -> float:
        factor = self._settings.quota_factor
        return (
            self._submissions.wait(("student", str(student.number)), SUBMISSIONS_PER_MINUTE * factor) if factor else 0
        )

    async def _keep(
        self, student: Student, verdict: TaskResultView, plan: Plan, submission: Submission, at: datetime
    ) -> None:
        async with self._database.write() as session:
            if await session.get(Student, student.number) is None:
                raise no_key(STUDENT)  # They were deleted while their plan was checked.
            name = (student.number, verdict["lesson"], verdict["task"])
            work = await session.get(Work, name)
            if work is None:
                work = new_work(*name, at)
                session.add(work)
            before = work.bytes
            if not note(work, verdict, plan, submission, at):
                return
            if work.bytes > before:
                await self._require_room(session, student.classroom, work.bytes - before)
            await store.record_change(session, student.classroom, at)

    async def _require_room(self, session: AsyncSession, code: str, size: int) -> None:
        require_disk(self._settings)
        with session.no_autoflush:
            class_bytes, used = await store.kept_bytes(session, code), await store.kept_bytes(session)
        if class_bytes + size > self._settings.class_bytes:
            detail = (
                f"This class takes {class_bytes:,} bytes already, as much as a class may. Its teacher can "
                f"remove students."
            )
            raise ProblemError(507, "class-bytes-full", "No room for more submissions", detail)
        if used + size > self._settings.class_total_bytes:
            detail = f"Classes take {used:,} bytes already, which is the limit of this server. Ask for old ones to go."
            raise ProblemError(507, "classes-full", "No room for more submissions", detail)

    async def view(self, code: str, key: str | None, known: int | None) -> ClassroomView | None:
        """What the teacher sees; None where nothing has changed since the revision ``known``."""
        async with self._database.read() as session:
            classroom = await self._teachers(session, code, key)
            if classroom.revision == known:
                return None
            students = await store.students_of(session, classroom.code)
            works = await store.works_of(session, classroom.code)
            homework = await self._homework.lessons_of(session, classroom.code)
        lessons = (*(each.lesson for each in homework), *await self._lessons.every())
        return classroom_view(classroom, students, works, lessons, self._settings.class_days)

    async def solutions(self, code: str, key: str | None, lesson: str, task: str) -> list[SolutionView]:
        lesson_task, _ = await self._lessons.task(lesson, task)
        async with self._database.read() as session:
            classroom = await self._teachers(session, code, key)
            students = await store.students_of(session, classroom.code)
            works = await store.solved_works_of(session, classroom.code, lesson, task)
        return solutions(lesson_task, works, students)

    async def table(self, code: str, key: str | None, origin: str) -> str:
        """As CSV. Its receipts are links to ``origin``, where the page is."""
        async with self._database.read() as session:
            classroom = await self._teachers(session, code, key)
            students = await store.students_of(session, classroom.code)
            works = await store.works_with_plans_of(session, classroom.code)
        return await asyncio.to_thread(csv_of, students, works, origin)

    async def post_lesson(self, code: str, key: str | None, text: str) -> ClassLessonView:
        """Keeps a lesson for a class, in the place of one with its id. What students did in it stays. Raises
        ProblemError for a lesson that does not hold, with all that is wrong, and for whoever is not the teacher."""
        async with self._database.read() as session:
            classroom = await self._teachers(session, code, key)
        require_disk(self._settings)
        lesson = await self._homework.prove(text)
        size = len(text.encode())
        async with self._database.write() as session:
            classroom = await self._teachers(session, code, key)
            row = await session.get(ClassLesson, (classroom.code, lesson.id))
            if row is None:
                most = self._settings.class_lessons
                if len(await store.lessons_of(session, classroom.code)) >= most:
                    detail = f"This class has {most} lessons of its own, as many as it may have. Delete some."
                    raise ProblemError(409, "class-lessons-full", "No room for more lessons", detail)
                await self._require_room(session, classroom.code, size)
                session.add(ClassLesson(classroom=classroom.code, name=lesson.id, text=text, bytes=size))
            else:
                if size > row.bytes:
                    await self._require_room(session, classroom.code, size - row.bytes)
                row.text, row.bytes = text, size
            await store.record_change(session, classroom.code, now())
            code = classroom.code
        return class_lesson_view(code, lesson.id, lesson, replaced=row is not None)

    async def lesson_text(self, code: str, key: str | None, name: str) -> str:
        """The file of a lesson as it was posted, for the teacher: it has the solutions."""
        async with self._database.read() as session:
            classroom = await self._teachers(session, code, key)
            return (await self._class_lesson(session, classroom.code, name)).text

    async def lessons(self, code: str) -> list[LessonSummary]:
        """What the teacher wrote for a class, for whoever has its code."""
        async with self._database.read() as session:
            classroom = await self._classroom(session, read_code(code))
            homework = await self._homework.lessons_of(session, classroom.code)
        return [summary_view(each.lesson) for each in homework]

    async def delete_lesson(self, code: str, key: str | None, name: str) -> DeletedLessonView:
        """A lesson of a class, with all that its students did in it."""
        async with self._database.write() as session:
            classroom = await self._teachers(session, code, key)
            row = await self._class_lesson(session, classroom.code, name)
            await store.forget_works(session, classroom.code, identity_of(classroom.code, name))
            await session.delete(row)
            await store.record_change(session, classroom.code, now())
        return {"lessons": 1}

    async def _class_lesson(self, session: AsyncSession, code: str, name: str) -> ClassLesson:
        row = await session.get(ClassLesson, (code, name))
        if row is None:
            names = ", ".join(each.name for each in await store.lessons_of(session, code)) or "none"
            detail = f"This class has no lesson {name[:60]!r} of its own; it has {names}."
            raise ProblemError(404, "unknown-lesson", "Unknown lesson", detail)
        return row

    async def delete(self, code: str, key: str | None) -> DeletedView:
        """The class, with all that is kept of its students."""
        async with self._database.write() as session:
            classroom = await self._teachers(session, code, key)
            students = await store.count_students(session, classroom.code)
            await session.delete(classroom)
        return {"students": students}

    async def remove(self, code: str, key: str | None, number: int) -> DeletedView:
        """One student, with all that is kept of them: by the teacher, or by that student."""
        code = read_code(code)
        async with self._database.write() as session:
            classroom = await self._classroom(session, code)
            student = await session.get(Student, number)
            mine = student is not None and student.classroom == code
            is_owner = mine and student is not None and opens(key, student.key_hash)
            if not is_owner and not opens(key, classroom.key_hash):
                raise self._no_key(TEACHER)
            if student is None or not mine:
                detail = "This class has no such student. They may have left it."
                raise ProblemError(404, "no-student", "No such student", detail)
            await session.delete(student)
            await store.record_change(session, code, now())
        return {"students": 1}

    async def _classroom(self, session: AsyncSession, code: str) -> Classroom:
        classroom = await session.get(Classroom, code)
        if classroom is None:
            self._guesses.count(asker())
            raise no_class(code)
        return classroom

    def _no_key(self, who: str) -> ProblemError:
        """What a wrong key is answered, which says that there is such a class."""
        self._guesses.require(asker())
        return no_key(who)

    async def _teachers(self, session: AsyncSession, code: str, key: str | None) -> Classroom:
        """The class, for whoever has its key."""
        classroom = await self._classroom(session, read_code(code))
        if not opens(key, classroom.key_hash):
            raise self._no_key(TEACHER)
        return classroom

    async def _student(self, session: AsyncSession, code: str, key: str | None) -> Student:
        await self._classroom(session, code)
        student = None if key is None else await store.student_with_key(session, code, hash_of_key(key))
        if student is None:
            raise self._no_key(STUDENT)
        return student
