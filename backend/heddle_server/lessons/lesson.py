"""What a lesson is: prose, panels, predictions and tasks, in the order of its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from heddle_server.lessons.condition import Condition


@dataclass(frozen=True, slots=True)
class Check:
    """``text`` as it stands in the lesson; ``say`` tells the student what it means, else the text does."""

    text: str
    condition: Condition
    line: int
    say: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """Something to answer in a task; with ``choices``, one of these."""

    name: str
    say: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hint:
    """Shown where ``when`` holds; without it, always."""

    say: str
    when: Check | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """A way to do the task: what of the start it replaces, and its answers. An answer may be a condition's text that
    is evaluated, after an ``=``."""

    line: int
    plan: Mapping[str, Any]
    answers: Mapping[str, str | float]


@dataclass(frozen=True, slots=True)
class Wrong:
    """An attempt that must fail at the check with the text ``fails`` (or ``compiles``) and show the hint, or the code
    of a refusal, ``shows``."""

    attempt: Attempt
    fails: str
    shows: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """``start`` is the document of a plan; ``free`` names the parts of it that may change. ``inputs`` are the data, by
    tensor, in each of several data sets: the first is what the student sees. ``right`` are mutants of a solution that
    do what the task asks for, too."""

    id: str
    say: str
    line: int
    start: Mapping[str, Any]
    free: tuple[str, ...]
    inputs: tuple[Mapping[str, Mapping[str, Any]], ...]
    checks: tuple[Check, ...]
    questions: tuple[Question, ...] = ()
    medals: Mapping[str, Check] = field(default_factory=dict)
    hints: tuple[Hint, ...] = ()
    solutions: tuple[Attempt, ...] = ()
    wrong: tuple[Wrong, ...] = ()
    right: tuple[Attempt, ...] = ()
    after: str | None = None

    @property
    def may_be_refused(self) -> bool:
        """Whether the task asks for a plan that the compiler refuses."""
        return any("event.refused" in check.text for check in self.checks)


@dataclass(frozen=True, slots=True)
class Text:
    """Markdown."""

    markdown: str
    line: int


@dataclass(frozen=True, slots=True)
class Panel:
    """A tab of the page, as ``pane/tab``."""

    where: str
    line: int


@dataclass(frozen=True, slots=True)
class Prediction:
    """Asked before something is shown; ``because`` comes with the answer."""

    ask: str
    choices: tuple[str, ...]
    answer: str
    because: str
    line: int


Block = Text | Panel | Prediction | Task


@dataclass(frozen=True, slots=True)
class Lesson:
    id: str
    title: str
    goal: str
    minutes: int
    number: int
    needs: tuple[str, ...]
    version: int
    blocks: tuple[Block, ...]
    line: int = 1

    @property
    def tasks(self) -> tuple[Task, ...]:
        return tuple(block for block in self.blocks if isinstance(block, Task))

    def task(self, identity: str) -> Task | None:
        return next((task for task in self.tasks if task.id == identity), None)
