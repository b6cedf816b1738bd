"""What prints the text of each target that has one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from heddle.codegen.c import printer as c
from heddle.codegen.device import cuda, opencl
from heddle.codegen.device.launch_text import Launch, launches_of
from heddle.codegen.device.program import DeviceProgram
from heddle.loop_ir.nodes import For, Function, LoopKind
from heddle.loop_ir.printing.source_text import SourceText
from heddle.targets import CUDA, OPENCL, C, CodeLanguage, Target


@dataclass(frozen=True, slots=True)
class Generated:
    """The text of a function, and its launches on a GPU in the order of the text."""

    source: SourceText
    launches: tuple[Launch, ...] = ()


@dataclass(frozen=True, slots=True)
class Printer:
    """What prints kernels for a target. ``generate`` prints a verified function; ``statement_lines`` gives the 1-based
    line of each statement in that text, in the order of ``walk.statements``."""

    target: Target
    generate: Callable[[Function], Generated]
    statement_lines: Callable[[Function], tuple[int, ...]]

    @property
    def language(self) -> CodeLanguage:
        assert self.target.language is not None
        return self.target.language


def _on_device(program: DeviceProgram) -> Generated:
    return Generated(program.source, launches_of(program))


PRINTERS = {
    printer.target.name: printer
    for printer in (
        Printer(C, lambda function: Generated(c.generate(function)), c.statement_lines),
        Printer(CUDA, lambda function: _on_device(cuda.generate(function)), cuda.statement_lines),
        Printer(OPENCL, lambda function: _on_device(opencl.generate(function)), opencl.statement_lines),
    )
}


def printer_of(function: Function, target: Target) -> Printer:
    """What shows ``function``: the target's own language; for the interpreter C, or CUDA for launches."""
    if target.language is not None:
        return PRINTERS[target.name]
    return PRINTERS[CUDA.name if has_launches(function) else C.name]


def has_launches(function: Function) -> bool:
    """Whether ``function`` runs on a GPU."""
    return any(
        isinstance(statement, For) and statement.kind is LoopKind.GPU_BLOCK for statement in function.body.statements
    )
