"""``heddle grade``: the receipts of a class, checked again without a server, as a table of students and tasks."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from heddle.cli.output import say_progress
from heddle.cli.status import Status
from heddle.diagnostics import CompileError
from heddle.plan import to_document
from heddle_server.engine.process_lanes import ProcessDied, ProcessLanes, TookTooLong
from heddle_server.lessons.course import read_homework
from heddle_server.lessons.places import LessonError
from heddle_server.lessons.receipts import BadReceipt, NoReceipt, Receipt, Row, read_receipts
from heddle_server.lessons.solution import solution_name
from heddle_server.services.compiling.compile_worker import warm_up
from heddle_server.services.compiling.lesson_worker import check_document
from heddle_server.settings import Settings
from heddle_server.spreadsheet import write_table

NOTHING = "no receipt"
"""Of a row whose student has not done the task: nothing is wrong with the table."""
HEADER = ("line", "student", "lesson", "task", "result", "medals", "plan", "note")


@dataclass(frozen=True, slots=True)
class Grade:
    """``result`` is passed, failed, bad receipt or no receipt; ``plan`` names the canonical plan: equal for equal
    solutions."""

    row: Row
    result: str
    medals: tuple[str, ...] = ()
    plan: str = ""
    note: str = ""


def grade(file: Path, homework: Sequence[Path] = (), out: TextIO | None = None, *, as_json: bool = False) -> int:
    """Prints the table. 0 where every receipt could be read and checked, 1 where some could not, and for a file that is
    no table of receipts, or one of ``homework`` that is no lesson."""
    try:
        texts = dict(_read_homework(lesson) for lesson in homework)
    except _NoLessonError as error:
        print(f"heddle: {error}", file=sys.stderr)
        return Status.REFUSED
    try:
        rows = read_receipts(file, {name: read_homework(text) for name, text in texts.items()})
    except FileNotFoundError:
        print(f"heddle: {file} does not exist", file=sys.stderr)
        return Status.REFUSED
    except (OSError, BadReceipt, LessonError) as error:
        print(f"heddle: {file}: {(error.strerror if isinstance(error, OSError) else None) or error}", file=sys.stderr)
        return Status.REFUSED
    if not rows:
        print(f"heddle: {file}: there are no receipts below its first line", file=sys.stderr)
        return Status.REFUSED
    grades = asyncio.run(check_receipts(rows, texts))
    if as_json:
        table = [dict(zip(HEADER, row_of(grade), strict=True)) for grade in grades]
        print(json.dumps(table, indent=2, ensure_ascii=False), file=out or sys.stdout)
    else:
        write(grades, out or sys.stdout)
    passed = sum(grade.result == "passed" for grade in grades)
    missing = sum(grade.result == NOTHING for grade in grades)
    bad = sum(grade.result not in ("passed", "failed", NOTHING) for grade in grades)
    students = len({grade.row.student for grade in grades})
    unread = f", {bad} could not be checked" if bad else ""
    without = f", {_count(missing, 'row')} without one" if missing else ""
    checked = f"{_count(len(grades) - missing, 'receipt')} of {_count(students, 'student')}"
    say_progress(f"{checked}: {passed} passed{unread}{without}")
    return 1 if bad else 0


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class _NoLessonError(Exception):
    """Its text names the file, and says what is wrong with it."""


def _read_homework(file: Path) -> tuple[str, str]:
    """The id and the text of a lesson that is not of the course. Raises _NoLessonError."""
    try:
        text = file.read_text(encoding="utf-8")
        return read_homework(text).id, text
    except LessonError as error:
        line, problem = error.problems[0]
        raise _NoLessonError(f"{file}:{line}: {problem}") from None
    except UnicodeDecodeError as error:
        actual = f"{error.object[error.start]:#04x}"
        raise _NoLessonError(f"{file}: expected text in UTF-8, found the byte {actual}") from None
    except OSError as error:
        raise _NoLessonError(f"{file} cannot be read: {error.strerror or error}") from None


async def check_receipts(rows: Iterable[Row], texts: Mapping[str, str]) -> list[Grade]:
    """Each receipt is checked in a process of its own kind, with limits, as the service does it. ``texts`` are files of
    lessons that are not of the course, by their ids."""
    settings = Settings()
    lanes = ProcessLanes(1, settings.compile_memory_bytes, warm_up, settings.timing_lock)
    await lanes.start()
    first: dict[str, Row] = {}
    try:
        return [await _grade(row, lanes, settings.compile_seconds, first, texts) for row in rows]
    finally:
        lanes.stop()


async def _grade(
    row: Row, lanes: ProcessLanes, seconds: float, first: dict[str, Row], texts: Mapping[str, str]
) -> Grade:
    receipt = row.receipt
    if isinstance(receipt, NoReceipt):
        return Grade(row, NOTHING, note=str(receipt))
    if isinstance(receipt, BadReceipt):
        return Grade(row, "bad receipt", note=str(receipt))
    submission = receipt.submission
    document, plan = to_document(receipt.plan), solution_name(receipt.plan)
    before = first.setdefault(_identity(receipt), row)
    copied = f"the same receipt as in line {before.line}" if before.line != row.line else ""
    try:
        answer: dict[str, Any] = json.loads(
            await lanes.call(
                seconds,
                check_document,
                receipt.lesson,
                receipt.task,
                document,
                submission.answers,
                submission.seed,
                None,
                texts.get(receipt.lesson.partition(".")[2]),
            )
        )
    except TookTooLong:
        return Grade(row, "not checked", plan=plan, note=f"its check did not end within {seconds:g} s")
    except ProcessDied:
        return Grade(row, "not checked", plan=plan, note="its check ran out of memory")
    except CompileError as error:
        return Grade(row, "not checked", plan=plan, note=error.diagnostics[0].message)
    failed = [check for check in answer["checks"] if not check["passed"]]
    note = (failed[0]["why"] or failed[0]["say"] or failed[0]["check"]) if failed else ""
    both = "; ".join(text for text in (note, copied) if text)
    return Grade(row, "passed" if answer["passed"] else "failed", tuple(answer["medals"]), plan, both)


def _identity(receipt: Receipt) -> str:
    """Equal for receipts that were copied: a student's data, and so the seed, are the student's own."""
    submission = receipt.submission
    parts = [receipt.lesson, receipt.task, submission.seed, submission.answers, to_document(receipt.plan)]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def write(grades: Iterable[Grade], out: TextIO) -> None:
    """As CSV, one line for each receipt."""
    write_table(out, HEADER, map(row_of, grades), "\n")


def row_of(grade: Grade) -> tuple[str | int, ...]:
    receipt = grade.row.receipt
    named = (receipt.lesson, receipt.task) if isinstance(receipt, Receipt) else ("", "")
    return (grade.row.line, grade.row.student, *named, grade.result, " ".join(grade.medals), grade.plan, grade.note)
