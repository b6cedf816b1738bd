"""What runs the kernels of each target, by its name."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from heddle.codegen.c import printer as c
from heddle.codegen.device.program import DeviceProgram
from heddle.loop_ir.nodes import Function
from heddle.runtime.kernels.calling import (
    Executor,
    make_compiled_executor,
    make_interpreted_executor,
    make_loaded_executor,
)
from heddle.runtime.kernels.offload.device_calls import Queue, make_offloaded_executor
from heddle.signature import Signature
from heddle.targets import CUDA, INTERPRETER, OPENCL, C

OnDevice = tuple[DeviceProgram, Callable[[], DeviceProgram], Queue]
"""The text of a function for this machine's device, built there; how to make the one whose indices have 64 bits; and
what runs it."""


@dataclass(frozen=True, slots=True)
class Executable:
    """``text`` is what runs, where that is made for this machine's device; None where it is that of the compile."""

    execute: Executor
    text: str | None = None


def _interpret(function: Function, text: str, signature: Signature, copies: Sequence[str]) -> Executable:
    return Executable(make_interpreted_executor(function, signature.result, signature.accumulates))


def _compile(function: Function, text: str, signature: Signature, copies: Sequence[str]) -> Executable:
    names = _operand_names(signature, copies)
    return Executable(make_compiled_executor(function, text or c.generate(function).text, names, signature.result))


def load_executor(function: Function, path: Path, signature: Signature, copies: Sequence[str]) -> Executor:
    """Calls of the compiled library at ``path``."""
    return make_loaded_executor(function, path, _operand_names(signature, copies), signature.result)


def _operand_names(signature: Signature, copies: Sequence[str]) -> list[str]:
    in_parts = [tensor.name for tensor in signature.operands if tensor.format.composition is not None]
    names = [*(tensor.name for tensor in signature.operands if tensor.name not in in_parts), *copies]
    return [*names, *(signature.program.exported if signature.program is not None else ())]


def _offload(build: Callable[[Function], OnDevice], function: Function, signature: Signature) -> Executable:
    program, wide, queue = build(function)
    execute = make_offloaded_executor(program, wide, queue, signature.accumulates, signature.result)
    return Executable(execute, program.source.text)


def _on_cuda(function: Function) -> OnDevice:
    from heddle.runtime.devices import cuda

    program, stream = cuda.program_on_device(function)
    return program, functools.cache(lambda: cuda.wide_program(function)), stream


def _on_opencl(function: Function) -> OnDevice:
    from heddle.runtime.devices import opencl

    device = opencl.default_queue()
    program = opencl.program_for(function, device.device)
    wide = functools.cache(lambda: opencl.program_for(function, device.device, short=False))
    return program, wide, device.launcher(program)


EXECUTORS: dict[str, Callable[[Function, str, Signature, Sequence[str]], Executable]] = {
    C.name: _compile,
    INTERPRETER.name: _interpret,
    CUDA.name: lambda function, text, signature, copies: _offload(_on_cuda, function, signature),
    OPENCL.name: lambda function, text, signature, copies: _offload(_on_opencl, function, signature),
}
"""From a function, its text, its signature and the names of copied operands to what runs it.

Raise:
    CompileError: ``runtime/no-opencl``, ``runtime/no-cuda``, or a device that cannot run the function.
"""
