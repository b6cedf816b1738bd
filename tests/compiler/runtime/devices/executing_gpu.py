"""A stand-in for CuPy whose launches are executed by the checked interpreter: the host half of a run on a GPU (packing,
copies, arguments, the order of launches, results) is run as it stands, on arrays that know their ends."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from heddle.codegen.device import cuda as codegen
from heddle.codegen.device.program import Argument, DeviceKernel, DeviceProgram
from heddle.loop_ir import build
from heddle.loop_ir.interpreter.interpreter import interpret
from heddle.loop_ir.interpreter.trace import Event
from heddle.loop_ir.nodes import BOOL, INDEX, Block, Function, Parameter, ParameterKind
from heddle.loop_ir.walk import statements, written_arrays
from tests.compiler.runtime.devices.recorded_gpu import DeviceArray, RecordedGpu


class ExecutingGpu(RecordedGpu):
    """``programs`` by their text: what a real GPU gets from the text, the interpreter gets from the loops behind it.
    ``watch`` is called behind each launch with what happened in it."""

    def __init__(self) -> None:
        super().__init__()
        self.watch: Callable[[list[Event]], None] | None = None
        self.programs: dict[str, DeviceProgram] = {}

    def kernel(self, text: str, name: str) -> Any:
        recorded = super().kernel(text, name)
        (kernel,) = (kernel for kernel in self.programs[text].kernels if kernel.name == name)

        def launch(groups: tuple[int], threads: tuple[int], arguments: tuple[Any, ...]) -> None:
            if self.captured is not None:
                self.captured.append(lambda: launch(groups, threads, arguments))
                return
            recorded(groups, threads, arguments)
            events: list[Event] | None = None if self.watch is None else []
            _execute(kernel, groups[0], threads[0], arguments, events)
            if self.watch is not None and events is not None:
                self.watch(events)

        return launch


def _execute(
    kernel: DeviceKernel, groups: int, threads: int, arguments: tuple[Any, ...], events: list[Event] | None
) -> None:
    assert threads == kernel.threads
    assert groups >= 1, "CUDA refuses a launch without blocks"
    assert len(arguments) == len(kernel.arguments)
    loop = replace(kernel.loop, upper=build.add(kernel.loop.lower, build.index(groups // kernel.groups)))
    written = {array for statement in statements(loop) for array in written_arrays(statement)}
    parameters = tuple(_parameter(one, one.name in written, kernel.short or ()) for one in kernel.arguments)
    values = {one.name: _value(one, given) for one, given in zip(kernel.arguments, arguments, strict=True)}
    function = Function(kernel.name, parameters, Block((loop,)))
    interpret(function, values, initialised=frozenset(written) & set(values), events=events)


def _parameter(argument: Argument, written: bool, short: Container[str]) -> Parameter:
    if argument.array is not None:
        return Parameter(
            ParameterKind.ARRAY, argument.name, argument.dtype, "operand", argument.array, None, output=written
        )
    if argument.dtype == INDEX or argument.name in short:
        return Parameter(ParameterKind.DIMENSION, argument.name, INDEX, "operand", None, 0)
    return Parameter(ParameterKind.SCALAR, argument.name, argument.dtype, "operand")


def _value(argument: Argument, given: Any) -> Any:
    """What a kernel finds behind an argument: CuPy takes arrays that are on the GPU and scalars of NumPy's types."""
    if argument.array is not None:
        assert isinstance(given, DeviceArray), f"{argument.name} is not on the GPU"
        assert given.dtype == np.dtype(argument.dtype), argument.name
        return given._memory
    assert isinstance(given, np.generic), f"{argument.name} has no size of its own"
    assert given.dtype == np.dtype("uint8" if argument.dtype == BOOL else argument.dtype), argument.name
    return given.item()


def executing_gpu(monkeypatch: pytest.MonkeyPatch, gpu: ExecutingGpu | None = None) -> ExecutingGpu:
    """``gpu``, or a plain one, is the GPU of this machine as long as the test runs."""
    made, generate = gpu or ExecutingGpu(), codegen.generate

    def generated(function: Function, short: bool | None = None) -> DeviceProgram:
        program = generate(function, short)
        made.programs[program.source.text] = program
        return program

    monkeypatch.setattr(codegen, "generate", generated)
    made.use(monkeypatch)
    return made
