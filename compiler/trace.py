"""The record of a compile: every pass with its name, its result as text and its time (DESIGN §3.1)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Pass:
    """``text`` is the printed result of the pass; ``command`` the schedule command that it applied, if it was one."""

    name: str
    title: str
    text: str
    milliseconds: float
    command: int | None = None


class Step:
    """A pass under way: set ``text`` before it ends."""

    __slots__ = ("text",)

    def __init__(self) -> None:
        self.text = ""


class Trace:
    """Collects the passes of one compile in order; a pass that raises is not recorded."""

    def __init__(self) -> None:
        self.passes: list[Pass] = []

    @contextmanager
    def step(self, name: str, title: str, command: int | None = None) -> Iterator[Step]:
        """``with trace.step("parse", "Index notation") as step: ...; step.text = to_text(node)``."""
        step, start = Step(), perf_counter()
        yield step
        self.passes.append(Pass(name, title, step.text, (perf_counter() - start) * 1e3, command))
