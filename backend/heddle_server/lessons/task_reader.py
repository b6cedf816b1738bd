"""A fenced ``task`` block -> a Task. What is wrong names its line in the lesson."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from heddle.diagnostics import CompileError
from heddle.plan import parse_plan
from heddle_server.lessons.condition import BadCondition, facts_in, parse_condition
from heddle_server.lessons.lesson import Attempt, Check, Hint, Question, Task, Wrong
from heddle_server.lessons.places import LessonError, Placed
from heddle_server.lessons.predicates.table import check_fact

KEYS = {
    *("id", "say", "start", "inputs", "also", "free", "ask", "checks"),
    *("medals", "hints", "solutions", "right", "wrong", "after"),
}
PARTS = ("expression", "formats", "schedule", "target")
WRITTEN = (*PARTS, "arguments")
"""Of a plan; arguments, of a program of patterns, are free where its expression is."""
ANSWER = "result.answer"
"""The check that the result is the author's, which every task has whose expression is free."""
SAID = {
    "result.right": "The result is right.",
    ANSWER: "The result is that of the answer, also with signs, ties and zeros.",
}
"""What checks mean that need no words of their own."""
MEDALS = ("bronze", "silver", "gold")
NAME = re.compile(r"[a-z][a-z0-9-]{0,47}")
STUDENT = "per-student"
"""As a seed: each student has data of their own."""


class Fields:
    """A map of YAML with the line of each of its values; ``path`` is where it stands in the block."""

    def __init__(self, placed: Placed, *path: str | int) -> None:
        self._placed, self._path = placed, path
        value = placed.value
        for key in path:
            value = value[key]
        if not isinstance(value, dict):
            raise LessonError((self.line(), f"expected a map of keys and values, found {_show(value)}"))
        self.value: dict[str, Any] = value

    def line(self, *key: str | int) -> int:
        return self._placed.line(*self._path, *key)

    def at(self, *key: str | int) -> Fields:
        return Fields(self._placed, *self._path, *key)

    def known(self, keys: Iterable[str]) -> None:
        known = set(keys)
        wrong = [
            (self.line(key), f"unknown key {key}: expected {', '.join(sorted(known))}")
            for key in self.value
            if key not in known
        ]
        if wrong:
            raise LessonError(*wrong)

    def word(self, key: str, *, required: bool = False) -> Any:
        if required and self.value.get(key) is None:
            raise LessonError((self.line(), f"{key} is missing"))
        return self.value.get(key)

    def text(self, key: str) -> str:
        word = self.word(key, required=True)
        if not isinstance(word, str) or not word.strip():
            raise LessonError((self.line(key), f"{key} must be a text, found {_show(word)}"))
        return word.strip()

    def number(self, key: str, least: int, most: int) -> int:
        word = self.word(key, required=True)
        if not isinstance(word, int) or isinstance(word, bool) or not least <= word <= most:
            raise LessonError(
                (self.line(key), f"{key} must be a whole number from {least} to {most}, found {_show(word)}")
            )
        return word

    def items(self, key: str, *, required: bool = False) -> list[Any]:
        elements = self.value.get(key, [])
        if not isinstance(elements, list) or (required and not elements):
            raise LessonError(
                (self.line(key), f"{key} must be a list{' with entries' * required}, found {_show(elements)}")
            )
        return elements

    def map(self, key: str) -> dict[str, Any]:
        return self.at(key).value if self.value.get(key) is not None else {}


def read_task(fields: Fields, line: int) -> Task:
    """Raises LessonError."""
    fields.known(KEYS)
    identity = fields.text("id")
    if NAME.fullmatch(identity) is None:
        raise LessonError((fields.line("id"), f"an id has lower-case letters, digits and dashes, found {identity!r}"))
    start = _start(fields)
    questions = _questions(fields)
    names = tuple(question.name for question in questions)
    checks = tuple(
        _check(fields, names, item, "checks", place) for place, item in enumerate(fields.items("checks", required=True))
    )
    free = tuple(str(part) for part in fields.items("free"))
    for part in free:
        if part not in PARTS:
            raise LessonError((fields.line("free"), f"free has {', '.join(PARTS)}, found {part!r}"))
    task = Task(
        id=identity,
        say=fields.text("say"),
        line=line,
        start=start,
        free=free,
        inputs=_inputs(fields),
        checks=checks,
        questions=questions,
        medals={
            _medal(fields, name): _check(fields, names, text, "medals", name)
            for name, text in fields.map("medals").items()
        },
        hints=tuple(_hint(fields, names, place) for place in range(len(fields.items("hints")))),
        solutions=tuple(_attempt(fields, names, "solutions", place) for place in range(len(fields.items("solutions")))),
        right=tuple(_attempt(fields, names, "right", place) for place in range(len(fields.items("right")))),
        wrong=tuple(_wrong(fields, names, checks, place) for place in range(len(fields.items("wrong")))),
        after=fields.text("after") if "after" in fields.value else None,
    )
    if not task.solutions:
        raise LessonError((line, f"the task {identity} has no solution: expected at least one that passes"))
    if not task.wrong:
        raise LessonError((line, f"the task {identity} has no wrong plan: expected at least one that must fail"))
    for check in checks:
        if "run." in check.text:
            raise LessonError((check.line, "what was timed may give a medal, and never decides a task: move it there"))
    return task


def _start(fields: Fields) -> dict[str, Any]:
    fields.text("say")
    fields.word("start", required=True)
    at = fields.at("start")
    at.known({*WRITTEN, "language"})
    document = plan_document({**at.value, "expression": at.text("expression")}, {})
    try:
        parse_plan(document)
    except CompileError as error:
        raise LessonError((fields.line("start"), f"this is not a plan: {error}")) from None
    return document


def plan_document(written: Mapping[str, Any], start: Mapping[str, Any]) -> dict[str, Any]:
    """The document of a plan from what a lesson writes of it, on top of ``start``."""
    document = {"version": 2, **start}
    for key in ("language", "expression", "target", "arguments"):
        if key in written:
            document[key] = written[key]
    if "schedule" in written:
        document["schedule"] = [str(command) for command in written["schedule"]]
    if "formats" in written:
        old = document.get("tensors", {})
        changed = {name: {**old.get(name, {}), "format": format} for name, format in written["formats"].items()}
        document["tensors"] = {**old, **changed}
    return document


def _inputs(fields: Fields) -> tuple[dict[str, dict[str, Any]], ...]:
    """The first data set, and the others, which say only how they differ."""
    first = {name: dict(fields.at("inputs", name).value) for name in fields.map("inputs")}
    others = []
    for place in range(len(fields.items("also"))):
        changed = fields.at("also", place)
        others.append({**first, **{name: {**first.get(name, {}), **changed.at(name).value} for name in changed.value}})
    return (first, *others)


def _questions(fields: Fields) -> tuple[Question, ...]:
    questions = []
    for name in fields.map("ask"):
        at = fields.at("ask", name)
        at.known({"say", "choices"})
        questions.append(Question(name, at.text("say"), tuple(str(choice) for choice in at.items("choices"))))
    return tuple(questions)


def _check(fields: Fields, questions: tuple[str, ...], written: Any, *path: str | int) -> Check:
    line, say = fields.line(*path), None
    if isinstance(written, dict):
        at = fields.at(*path)
        at.known({"check", "say"})
        written, say = at.text("check"), at.text("say")
    if not isinstance(written, str):
        raise LessonError((line, f"a check is a text, found {_show(written)}"))
    return condition_at(written, line, questions, say or SAID.get(written))


def condition_at(text: str, line: int, questions: tuple[str, ...], say: str | None = None) -> Check:
    """Raises LessonError for a text that is no condition, and for facts that nobody knows."""
    try:
        condition = parse_condition(text)
    except BadCondition as error:
        raise LessonError((line, str(error))) from None
    problems = [problem for fact in facts_in(condition) if (problem := check_fact(fact, questions))]
    if problems:
        raise LessonError(*((line, problem) for problem in problems))
    return Check(text, condition, line, say)


def _medal(fields: Fields, name: str) -> str:
    if name not in MEDALS:
        raise LessonError((fields.line("medals", name), f"medals are {', '.join(MEDALS)}, found {name}"))
    return name


def _hint(fields: Fields, questions: tuple[str, ...], place: int) -> Hint:
    written = fields.items("hints")[place]
    if isinstance(written, str):
        return Hint(written)
    at = fields.at("hints", place)
    at.known({"when", "say"})
    when = None if "when" not in at.value else condition_at(at.text("when"), at.line("when"), questions)
    return Hint(at.text("say"), when)


def _attempt(fields: Fields, questions: tuple[str, ...], *path: str | int) -> Attempt:
    """A list is a schedule; a map says what changes."""
    value: Any = fields.value
    for key in path:
        value = value[key]
    if isinstance(value, list):
        return Attempt(fields.line(*path), {"schedule": value}, {})
    at = fields.at(*path)
    at.known({*WRITTEN, "answers", "fails", "shows"})
    answers = at.map("answers")
    for name, answer in answers.items():
        if name not in questions:
            raise LessonError((at.line("answers", name), f"there is no question {name} in this task"))
        if isinstance(answer, str) and answer.startswith("="):
            condition_at(answer[1:].strip(), at.line("answers", name), questions)
    return Attempt(at.line(), {key: at.value[key] for key in WRITTEN if key in at.value}, answers)


def _wrong(fields: Fields, questions: tuple[str, ...], checks: tuple[Check, ...], place: int) -> Wrong:
    at = fields.at("wrong", place)
    fails = at.text("fails")
    known = ["compiles", *(check.text for check in checks), *[ANSWER] * ("expression" in fields.items("free"))]
    if fails not in known:
        raise LessonError((at.line("fails"), f"fails names a check of this task or compiles, found {fails!r}"))
    return Wrong(_attempt(fields, questions, "wrong", place), fails, at.value.get("shows"))


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"
