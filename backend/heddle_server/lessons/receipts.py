"""Receipts of tasks: addresses of the page with a lesson, a task, the student's seed and answers, and the plan.

    https://host/?lesson=equal-work&task=balanced&seed=7&answers=%7B%7D#z1.…

A receipt says nothing that is believed but the answers: whoever grades checks the plan again.
"""

from __future__ import annotations

import base64
import binascii
import csv
import io
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from pydantic import ValidationError

from heddle.diagnostics import CompileError
from heddle.plan import Plan, parse_plan
from heddle.plan.schedule_text import without_comment
from heddle_server.lessons.course import lesson_named
from heddle_server.lessons.lesson import Lesson
from heddle_server.schema.lesson import Submission

LARGEST_FILE = 32_000_000
MOST_ROWS = 20_000
LONGEST_NAME = 80
LARGEST_PLAN = 1_000_000
"""Bytes of a plan's JSON, as in the page's addresses (frontend/src/state/address/url-codec.ts)."""
COLUMNS = ("student", "receipt")
NO_HOMEWORK: Mapping[str, Lesson] = {}


class BadReceipt(ValueError):  # noqa: N818 - the file is bad, not the program
    """Its text says what was expected and found."""


class NoReceipt(BadReceipt):
    """A row of a table whose student has handed nothing in for the task."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a student hands in for one task."""

    lesson: str
    task: str
    plan: Plan
    submission: Submission


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the file, ``line`` counted from 1: a receipt, or what is wrong with it."""

    line: int
    student: str
    receipt: Receipt | BadReceipt


def read_receipts(file: Path, homework: Mapping[str, Lesson] = NO_HOMEWORK) -> list[Row]:
    """The rows of a CSV file with the columns ``student`` and ``receipt``. Rows that are bad are among them.
    ``homework`` has lessons of classes by the ids in their files.

    Raises OSError, and BadReceipt for a file that is no such table.
    """
    size = file.stat().st_size
    if size > LARGEST_FILE:
        raise BadReceipt(f"expected at most {LARGEST_FILE:,} bytes of receipts, found {size:,}: grade them in parts")
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        actual = f"{error.object[error.start]:#04x}"
        raise BadReceipt(f"expected text in UTF-8, found the byte {actual}: save the table as CSV in UTF-8") from None
    csv.field_size_limit(LARGEST_FILE)
    return list(_rows(text, homework))


def _rows(text: str, homework: Mapping[str, Lesson]) -> Iterator[Row]:
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    table = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        names = [name.strip().lower() for name in table.fieldnames or ()]
        table.fieldnames = names
        missing = [column for column in COLUMNS if column not in names]
        if missing:
            actual = ", ".join(names)[:200] or "an empty file"
            raise BadReceipt(f"expected a first line with the columns {' and '.join(COLUMNS)}, found {actual}")
        for number, row in enumerate(table):
            if number >= MOST_ROWS:
                raise BadReceipt(f"expected at most {MOST_ROWS:,} receipts, found more: grade them in parts")
            student = " ".join((row["student"] or "").split())[:LONGEST_NAME]
            yield Row(table.line_num, student, _receipt_or_problem((row["receipt"] or "").strip(), homework))
    except csv.Error as error:
        raise BadReceipt(f"line {table.reader.line_num} is not CSV: {error}") from None


def _receipt_or_problem(text: str, homework: Mapping[str, Lesson]) -> Receipt | BadReceipt:
    try:
        return read_receipt(text, homework)
    except BadReceipt as problem:
        return problem


def read_receipt(text: str, homework: Mapping[str, Lesson] = NO_HOMEWORK) -> Receipt:
    """Raises BadReceipt."""
    if not text:
        raise NoReceipt("there is no receipt: expected a link with lesson, task, seed and plan")
    try:
        address = urlsplit(text)
        fields = {name: values[-1] for name, values in parse_qs(address.query, max_num_fields=20).items()}
    except ValueError:
        raise BadReceipt(f"expected a link, found {text[:60]!r}") from None
    missing = [name for name in ("lesson", "task", "seed") if name not in fields]
    if missing:
        raise BadReceipt(f"this link is not a receipt: it lacks {', '.join(missing)}")
    name = fields["lesson"]
    code, _, name_in_class = name.partition(".")
    lesson = homework.get(name_in_class) if name_in_class else lesson_named(name)
    if lesson is None and name_in_class:
        raise BadReceipt(f"{name[:60]} is a lesson of the class {code[:20]}: give its file with --lesson")
    if lesson is None:
        raise BadReceipt(f"there is no lesson {name[:60]!r}")
    if lesson.task(fields["task"]) is None:
        names = ", ".join(task.id for task in lesson.tasks)
        raise BadReceipt(f"the lesson {lesson.id} has no task {fields['task'][:60]!r}; it has {names}")
    plan = plan_in(address.fragment)
    try:
        answers = json.loads(fields.get("answers", "{}"))
        submission = Submission(plan={}, answers=answers, seed=fields["seed"])  # type: ignore[arg-type]
    except (ValidationError, ValueError) as error:
        errors = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        raise BadReceipt(f"its seed or its answers are broken: {errors}") from None
    except RecursionError:
        raise BadReceipt("its answers are nested too deeply") from None
    return Receipt(name, fields["task"], plan, submission)


def receipt_link(
    origin: str, lesson: str, task: str, seed: int, answers: Mapping[str, object], plan: Mapping[str, object]
) -> str:
    """The address of the page at ``origin`` with a task that was done; :func:`read_receipt` reads it."""
    query = urlencode({"lesson": lesson, "task": task, "seed": seed, "answers": json.dumps(answers)})
    packing = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packing.compress(json.dumps(plan, separators=(",", ":")).encode()) + packing.flush()
    return f"{origin}/?{query}#z1.{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def plan_in(fragment: str) -> Plan:
    """The plan in the part of an address that comes after #. Raises BadReceipt."""
    try:
        document = json.loads(_json_of(fragment))
        if not isinstance(document, dict):
            raise BadReceipt("its plan is broken: expected a map")
        plan = {key: value for key, value in document.items() if key not in ("view", "compare")}
        return parse_plan({**plan, **_without_comments(plan)})
    except CompileError as error:
        raise BadReceipt(f"its plan is none: {error.diagnostics[0].message}") from None
    except (ValueError, RecursionError, binascii.Error, zlib.error) as error:
        if isinstance(error, BadReceipt):
            raise
        raise BadReceipt("its plan is broken: part of the link is missing or was changed") from None


def _without_comments(plan: dict[str, Any]) -> dict[str, Any]:
    """An address keeps commands that are switched off, as comments."""
    schedule = plan.get("schedule")
    if not isinstance(schedule, list):
        return {}
    lines = [line for line in schedule if not isinstance(line, str) or without_comment(line)]
    return {"schedule": lines}


def _json_of(fragment: str) -> str:
    """The text in a fragment of either coding; that of a folder without a server begins with ``plan=``. Never more than
    a plan may have, whatever it unpacks to."""
    kind, _, content = fragment.removeprefix("plan=").partition(".")
    match kind:
        case "z1":
            packed = base64.b64decode(content + "=" * (-len(content) % 4), altchars=b"-_", validate=True)
            unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
            plain_bytes = unpacking.decompress(packed, LARGEST_PLAN)
            if not unpacking.eof:
                raise BadReceipt(f"its plan is broken, or has more than {LARGEST_PLAN:,} bytes")
            return plain_bytes.decode()
        case "j1":
            return unquote(content, errors="strict")
        case _:
            raise BadReceipt("this link has no plan in it: expected #z1.… or #j1.… at its end")
