"""The record of a compile: every pass with its name, its result as text and its time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Pass:
    """``printed`` is the result of the pass as text, or prints it when it is asked for; ``command`` the schedule
    command that it applied, if it was one. A pass over loops has a ``summary``; one that is not ``changed`` left them
    as they were, and has no text."""

    name: str
    title: str
    printed: str | Callable[[], str]
    milliseconds: float
    command: int | None = None
    summary: str | None = None
    changed: bool = True

    @property
    def text(self) -> str:
        return self.printed if isinstance(self.printed, str) else self.printed()


class Step:
    """A pass under way: set ``text`` before it ends, to a function where few ever read it."""

    __slots__ = ("changed", "text")

    def __init__(self) -> None:
        self.text: str | Callable[[], str] = ""
        self.changed = True


class Trace:
    """Collects the passes of one compile in order, behind ``passes``; a pass that raises is not recorded."""

    def __init__(self, passes: Iterable[Pass] = ()) -> None:
        self.passes: list[Pass] = [*passes]

    @contextmanager
    def step(self, name: str, title: str, command: int | None = None, summary: str | None = None) -> Iterator[Step]:
        """``with trace.step("parse", "Index notation") as step: ...; step.text = to_text(node)``."""
        step, start = Step(), perf_counter()
        yield step
        milliseconds = (perf_counter() - start) * 1e3
        self.passes.append(Pass(name, title, step.text, milliseconds, command, summary, step.changed))

    def insert_before_last(self, name: str, title: str, text: Callable[[], str]) -> None:
        """Records what the last pass did first, as a pass of its own, whose time is in that of the last one."""
        self.passes.insert(-1, Pass(name, title, text, 0.0))
