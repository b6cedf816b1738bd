"""A lesson's file -> a Lesson, or all that is wrong with it, by line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from heddle_server.lessons.lesson import Block, Lesson, Panel, Prediction, Text
from heddle_server.lessons.panels import PANELS
from heddle_server.lessons.places import LessonError, Placed, read_yaml
from heddle_server.lessons.task_reader import Fields, read_task

LARGEST = 1_000_000
"""Bytes of a lesson's file. 64 kB is a long lesson."""
MOST_BLOCKS = 200
KEYS = {"id", "title", "goal", "minutes", "number", "needs", "version"}
NAME = re.compile(r"[a-z][a-z0-9-]{0,47}")
Made = TypeVar("Made")
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]*)\)")


def read_lesson(file: Path) -> Lesson:
    """Raises LessonError with every problem that was found, OSError for a file that cannot be read."""
    size = file.stat().st_size
    if size > LARGEST:
        raise LessonError((1, f"a lesson has at most {LARGEST:,} bytes, this file has {size:,}"))
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise LessonError((1, f"expected text in UTF-8, found the byte {error.object[error.start]:#04x}")) from None
    return lesson_of(text)


def lesson_of(text: str) -> Lesson:
    """Raises LessonError."""
    lines = text.replace("\r\n", "\n").split("\n")
    problems: list[tuple[int, str]] = []
    end = next((number for number, line in enumerate(lines[1:], 1) if line.strip() == "---"), None)
    if lines[0].strip() != "---" or end is None:
        raise LessonError((1, "a lesson begins with its front matter between two lines of ---: id, title, goal, …"))
    front = _collect(problems, lambda: read_yaml("\n".join(lines[1:end]), 2)) or Placed({})
    blocks: list[Block] = []
    for kind, first, body in _pieces(lines, end + 1):
        block = _collect(problems, lambda kind=kind, first=first, body=body: _block(kind, first, body))  # type: ignore[misc]
        if block is not None:
            blocks.append(block)
    if len(blocks) > MOST_BLOCKS:
        problems.append((1, f"a lesson has at most {MOST_BLOCKS} blocks, this one has {len(blocks)}"))
    lesson = _collect(problems, lambda: _lesson(front, tuple(blocks)))
    if lesson is not None and not problems:
        problems += _twice(lesson)
    if problems or lesson is None:
        raise LessonError(*sorted(problems))
    return lesson


def _collect(problems: list[tuple[int, str]], make: Callable[[], Made]) -> Made | None:
    try:
        return make()
    except LessonError as error:
        problems += error.problems
        return None


def _pieces(lines: list[str], start: int) -> Iterator[tuple[str, int, str]]:
    """Prose and fenced blocks in turn: what the fence says, the number of the first line inside, and the text. A fence
    ends at one of as many backticks; other fences are part of the prose."""
    prose: list[str] = []
    began, at = start, start
    while at < len(lines):
        fence = re.fullmatch(r"(`{3,})\s*(\w*)\s*", lines[at])
        if fence is None:
            prose.append(lines[at])
            at += 1
            continue
        ticks, kind = fence[1], fence[2]
        close = next((n for n in range(at + 1, len(lines)) if lines[n].strip() == ticks), None)
        if close is None:
            raise LessonError((at + 1, f"this block of {kind or 'code'} does not end: expected a line of {ticks}"))
        if kind in ("task", "panel", "predict"):
            if any(line.strip() for line in prose):
                yield "text", began + 1, "\n".join(prose)
            yield kind, at + 2, "\n".join(lines[at + 1 : close])
            prose, began = [], close + 1
        else:
            prose += lines[at : close + 1]
        at = close + 1
    if any(line.strip() for line in prose):
        yield "text", began + 1, "\n".join(prose)


def _block(kind: str, first: int, body: str) -> Block:
    match kind:
        case "text":
            _check_prose(body, first)
            return Text(body.strip("\n"), first)
        case "panel":
            where = body.strip()
            if where not in PANELS:
                raise LessonError((first, f"expected a panel, one of {', '.join(PANELS)}; found {where!r}"))
            return Panel(where, first)
        case "predict":
            return _prediction(Fields(read_yaml(body, first)))
        case "task":
            return read_task(Fields(read_yaml(body, first)), first)
        case _:
            raise TypeError(f"unexpected block {kind!r}")


def _check_prose(body: str, first: int) -> None:
    """Pictures say in words what they show. Links lead to other lessons or to the web; no address runs a script."""
    problems = []
    for number, line in enumerate(body.split("\n"), first):
        for picture, words, to in LINK.findall(line):
            if picture and not words.strip():
                problems.append((number, f"the picture {to} needs a text in its brackets: what it shows"))
            if not re.match(r"https://|lesson:[a-z][a-z0-9-]*$", to) and not (picture and to.startswith("images/")):
                problems.append((number, f"expected a link to https://… or lesson:<id>, found {to!r}"))
    if problems:
        raise LessonError(*problems)


def _prediction(fields: Fields) -> Prediction:
    fields.known({"ask", "choices", "answer", "because"})
    choices = tuple(str(choice) for choice in fields.items("choices", required=True))
    answer = str(fields.word("answer", required=True))
    if answer not in choices:
        raise LessonError((fields.line("answer"), f"expected one of the choices as the answer, found {answer!r}"))
    return Prediction(fields.text("ask"), choices, answer, fields.text("because"), fields.line())


def _lesson(front: Placed, blocks: tuple[Block, ...]) -> Lesson:
    fields = Fields(front)
    fields.known(KEYS)
    identity = fields.text("id")
    if NAME.fullmatch(identity) is None:
        raise LessonError((fields.line("id"), f"an id has lower-case letters, digits and dashes, found {identity!r}"))
    needs = tuple(str(need) for need in fields.items("needs"))
    if identity in needs:
        raise LessonError((fields.line("needs"), "a lesson cannot need itself"))
    return Lesson(
        id=identity,
        title=fields.text("title"),
        goal=fields.text("goal"),
        minutes=fields.number("minutes", 1, 240),
        number=fields.number("number", 0, 999),
        needs=needs,
        version=fields.number("version", 1, 1),
        blocks=blocks,
    )


def _twice(lesson: Lesson) -> list[tuple[int, str]]:
    seen: dict[str, int] = {}
    problems = []
    for task in lesson.tasks:
        if task.id in seen:
            problems.append((task.line, f"there is a task {task.id} in line {seen[task.id]} already: names differ"))
        seen[task.id] = task.line
    if not lesson.tasks:
        problems.append((lesson.line, "a lesson has at least one task"))
    return problems
