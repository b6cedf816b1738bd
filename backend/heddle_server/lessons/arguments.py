"""The arguments of a program of patterns in a task: parts of the task's tensors, as each plan says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from heddle.measuring.patterns.arguments import make_arguments
from heddle.result import CompileResult

Inputs = Mapping[str, Mapping[str, Any]]
"""How each tensor is made: a generator with its parameters."""


def arguments_of(result: CompileResult, inputs: Inputs) -> dict[str, Any]:
    """What a program of patterns takes from the tensors of a task, as its plan says: by parameter, behind all steps.

    Raises CompileError for arguments that do not fit.
    """
    assert result.bound is not None
    sources = {name: dict(source) for name, source in inputs.items()}
    return make_arguments(replace(result.plan, inputs=sources), result.bound, {}).values
