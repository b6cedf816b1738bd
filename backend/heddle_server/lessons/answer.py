"""The author's answer: what the solution of a task computes on probes.

The data that a student sees are positive, so that a maximum with 0, a dropped factor or another reduction may change
nothing on them. A program is judged on the same tensors with other values, against the solution and never against
itself.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable

import numpy as np

from heddle.plan import Plan, parse_plan
from heddle.result import CompileResult
from heddle_server.lessons.condition import facts_in
from heddle_server.lessons.data import document_of, inputs_of, operands_of
from heddle_server.lessons.lesson import Task
from heddle_server.lessons.probe import Probe, compute
from heddle_server.lessons.task_reader import ANSWER, plan_document

PALETTES: tuple[tuple[float, ...], ...] = (
    (-4, -3, -2, -1, 0, 1, 2, 3, 4),
    (-5, -4, -3, -2, -1, -1),
    (0, 0, 0, 1, -1, 2),
)
"""Values of a probe: signs and ties, nothing but negative numbers, and mostly zeros."""

Compile = Callable[[Plan], CompileResult]


def has_answer(task: Task) -> bool:
    """Whether what is computed is part of a task: its expression may change, or a check asks for the answer."""
    checks = (*task.checks, *task.medals.values(), *(hint.when for hint in task.hints if hint.when is not None))
    return "expression" in task.free or any(
        fact.name == ANSWER for check in checks for fact in facts_in(check.condition)
    )


def probes_of(task: Task, seed: int, compile_plan: Compile) -> tuple[Probe, ...]:
    """The probes of a task on the data of a student. Raises CompileError for a solution that cannot run."""
    result = compile_plan(parse_plan(plan_document(task.solutions[0].plan, document_of(task, seed))))
    result.raise_errors()
    probes: list[Probe] = []
    for operands, inputs in zip(operands_of(task, seed), inputs_of(task, seed), strict=True):
        for number, palette in enumerate(PALETTES):
            probe_seed = zlib.crc32(f"{task.id}/{number}/{seed}".encode())
            probe = Probe(palette, operands, inputs, probe_seed, np.zeros(0))
            probes.append(Probe(palette, operands, inputs, probe_seed, compute(result, probe)))
    return tuple(probes)
