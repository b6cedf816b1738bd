"""Runs a program through the checked interpreter and keeps what happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import heddle as hd
from heddle.loop_ir.interpreter.interpreter import interpret
from heddle.loop_ir.interpreter.trace import Event, LoopEvent, ScalarEvent
from heddle.loop_ir.nodes import Function, Parameter, ParameterKind, Stmt
from heddle.loop_ir.walk import statements

Array = NDArray[np.float64]

RUNNING = np.array([[6, 0, 9, 0, 0, 0], [0, 0, 0, 0, 0, 0], [5, 0, 0, 7, 0, 1], [0, 2, 0, 0, 8, 0]], dtype=np.float64)
"""The running example: row 1 is empty, the rows have 2, 0, 3 and 2 nonzeros."""


@dataclass(frozen=True)
class Traced:
    function: Function
    events: tuple[Event, ...]
    result: Array

    def statement(self, event: Event) -> Stmt:
        return list(statements(self.function.body))[event.statement]

    def per_iteration(self, variable: str) -> dict[int, list[Event]]:
        """The events of each iteration of the only loop over ``variable``."""
        found: dict[int, list[Event]] = {}
        for event in self.events:
            if isinstance(event, LoopEvent) and event.variable == variable:
                found[event.value] = []
            elif found:
                found[next(reversed(found))].append(event)
        return found


def traced(
    expression: str, formats: Mapping[str, str], schedule: tuple[str, ...], shape: tuple[int, ...], **operands: Array
) -> Traced:
    """``shape`` is the result's."""
    result = hd.lower(expression, dict(formats), schedule)
    assert not result.diagnostics, result.diagnostics
    assert result.function is not None
    assert result.signature is not None
    packed = {tensor.name: hd.pack(operands[tensor.name], tensor.format) for tensor in result.signature.operands}
    output = np.full(int(np.prod(shape)), np.nan)
    arguments = {
        parameter.name: _argument(parameter, packed, output, shape) for parameter in result.function.parameters
    }
    run = interpret(result.function, arguments, trace=True)
    assert run.status == 0
    return Traced(result.function, run.trace, output.reshape(shape))


def _argument(
    parameter: Parameter, packed: Mapping[str, hd.Tensor], output: Array, shape: tuple[int, ...]
) -> int | float | NDArray[np.generic]:
    tensor = packed.get(parameter.tensor)
    if parameter.kind is ParameterKind.DIMENSION:
        assert parameter.dimension is not None
        return (tensor.shape if tensor is not None else shape)[parameter.dimension]
    if tensor is None:
        return output
    if parameter.array is None:
        return float(tensor.item())
    return tensor.arrays()[parameter.array.role.value, parameter.array.level]


def values(events: list[Event], name: str) -> list[int]:
    """What the scalar ``name`` was given, in order."""
    return [int(e.value.real) for e in events if isinstance(e, ScalarEvent) and e.name == name]
