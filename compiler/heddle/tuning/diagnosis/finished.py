"""A kernel that was timed, as the rules of a diagnosis see it; and what they answer with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.diagnostics import CompileError, Fix
from heddle.notation.nodes import Access
from heddle.pipeline import lower
from heddle.plan import Plan, TensorSpec
from heddle.runtime.tensors.tensor import Tensor
from heddle.schedule.command import Command
from heddle.schedule.syntax.parser import parse_command
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.program import Program


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What held the kernel back, in words with the numbers of this run. ``fix`` compiles; None where no edit of the
    plan helps."""

    rule: str
    text: str
    fix: Fix | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Finished:
    """``seconds`` are the median of the kernel, ``unscheduled`` that of the same without its schedule where the run can
    tell that it is another. ``bandwidth_share`` is the part of STREAM's bandwidth that the kernel reached."""

    plan: Plan
    program: Program
    tensors: Mapping[str, Tensor]
    nonzeros: Mapping[str, int]
    seconds: float
    unscheduled: float | None = None
    bandwidth_share: float | None = None

    @property
    def commands(self) -> tuple[tuple[int, Command], ...]:
        """The schedule with the place of each command."""
        return tuple(
            (place, parse_command(text, place, self.plan.schedule).command)
            for place, text in enumerate(self.plan.schedule)
        )

    def with_schedule(self, title: str, *schedule: str) -> Fix | None:
        """The repair, where the plan compiles with it."""
        return Fix(title, schedule=schedule) if _compiles(replace(self.plan, schedule=schedule)) else None

    def with_format(self, tensor: str, text: str) -> Fix | None:
        """The plan with ``tensor`` in another format, where it compiles so."""
        spec = replace(self.plan.tensors.get(tensor, TensorSpec()), format=text)
        if not _compiles(replace(self.plan, tensors={**self.plan.tensors, tensor: spec})):
            return None
        return Fix(f"Store {tensor} as {text}", formats={tensor: text})

    def row_lengths(self, access: Access) -> NDArray[Any] | None:
        """The entries of each row of a matrix whose rows are counted; None for other formats."""
        if not self.program.has_rows(access):
            return None
        levels = self.tensors[access.tensor].levels
        pos = levels[1].pos if len(levels) == 2 else None
        return None if pos is None else np.diff(pos)


def _compiles(plan: Plan) -> bool:
    try:
        return lower(plan).ok
    except CompileError:
        return False


def duration(seconds: float) -> str:
    """``9.1 µs``."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def waking(machine: Machine) -> str:
    """What waking the threads takes, from quiet moments; what is usual where there was none."""
    spread = machine.region_spread
    if spread is None:
        return f"{duration(machine.region_seconds)} on most machines"
    moments = "1 quiet moment" if spread.times == 1 else f"{spread.times} quiet moments"
    interval = "" if spread.times == 1 else f"{duration(spread.low)} to {duration(spread.high)} in "
    return f"{duration(spread.median)} ({interval}{moments})"
