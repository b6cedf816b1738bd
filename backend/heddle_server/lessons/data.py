"""The data of a task: small tensors from the generators, with whole numbers as values, other ones for each student."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from heddle.diagnostics import CompileError, Diagnostic
from heddle.explorer.cost_report.run import Operands
from heddle.frontends.patterns import PATTERNS
from heddle.measuring.inputs.make_inputs import make_inputs
from heddle.pipeline import lower
from heddle.plan import Plan, parse_plan
from heddle.runtime.tensors.coordinates import Entries
from heddle_server.lessons.arguments import Inputs
from heddle_server.lessons.lesson import Task
from heddle_server.lessons.task_reader import STUDENT

LARGEST = 1_000_000
"""Elements of one tensor of a task, zeros included."""


def document_of(task: Task, seed: int, data: int = 0) -> dict[str, Any]:
    """The plan that the task starts with, on a student's own data."""
    return {**task.start, "inputs": _seed(task, task.inputs[data], seed)}


def inputs_of(task: Task, seed: int) -> list[Inputs]:
    """How the data are made, for each data set of the task."""
    return [_seed(task, inputs, seed) for inputs in task.inputs]


def _seed(task: Task, inputs: Mapping[str, Mapping[str, Any]], seed: int) -> dict[str, dict[str, Any]]:
    seeded_inputs = {}
    for name, source in inputs.items():
        input_seed = zlib.crc32(f"{task.id}/{name}/{seed}".encode()) >> 1
        seeded_inputs[name] = {key: input_seed if value == STUDENT else value for key, value in source.items()}
    return seeded_inputs


def operands_of(task: Task, seed: int) -> list[Operands]:
    """One dense array for each operand, for each data set of the task. Every value is a whole number from 1 to 9. None
    for a program of patterns, whose arguments are made for each plan:
    :func:`heddle_server.lessons.arguments.arguments_of`.

    Raises CompileError for inputs that do not fit the plan at the start.
    """
    if parse_plan(dict(task.start)).language == PATTERNS.name:
        for inputs in task.inputs:
            for name, source in inputs.items():
                size = prod(int(extent) for extent in source.get("shape", ()))
                if size > LARGEST:
                    raise _too_large(name, size)
        return [{} for _ in task.inputs]
    return [_operands(parse_plan(document_of(task, seed, data)), seed) for data in range(len(task.inputs))]


def _operands(plan: Plan, seed: int) -> Operands:
    # Formats of the start must not make a difference: the data are those of the expression alone.
    result = lower(replace(plan, schedule=(), tensors={}, target="c"))
    if result.assignment is None or result.signature is None:
        result.raise_errors()
    assert result.assignment is not None
    assert result.signature is not None
    operands: dict[str, Any] = {}
    inputs = make_inputs(replace(plan, tensors={}), result.assignment, result.signature, {})
    for name, operand in inputs.operands.items():
        if isinstance(operand, Entries):
            raise TypeError("dense formats have dense data")
        if operand.size > LARGEST:
            raise _too_large(name, operand.size)
        rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
        values = rng.integers(1, 10, operand.shape).astype(operand.dtype)
        operands[name] = np.where(operand != 0, values, 0).astype(operand.dtype)
    return operands


def _too_large(name: str, count: int) -> CompileError:
    return CompileError(
        Diagnostic(
            "lesson/too-large",
            f"{name} has {count:,} elements, more than the data of a task may have.",
            expected=f"at most {LARGEST:,} elements",
            actual=f"{count:,}",
        )
    )
