"""The languages of generated code: one table of what prints each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from compiler.codegen.c import printer as c
from compiler.codegen.device import cuda, opencl
from compiler.codegen.device.launch_text import Launch, launches_of
from compiler.codegen.device.program import DeviceProgram
from compiler.loop_ir.nodes import For, Function, LoopKind
from compiler.loop_ir.printing.source_text import SourceText

LanguageName = Literal["c", "cuda", "opencl"]


@dataclass(frozen=True, slots=True)
class Generated:
    """The text of a function, and its launches on a GPU in the order of the text."""

    source: SourceText
    launches: tuple[Launch, ...] = ()


@dataclass(frozen=True, slots=True)
class Language:
    """A language that kernels are printed in. ``generate`` prints a verified function; ``statement_lines`` gives the
    1-based line of each statement in that text, in the order of ``walk.statements``."""

    name: LanguageName
    title: str
    generate: Callable[[Function], Generated]
    statement_lines: Callable[[Function], tuple[int, ...]]


def _on_device(program: DeviceProgram) -> Generated:
    return Generated(program.source, launches_of(program))


C = Language("c", "C", lambda function: Generated(c.generate(function)), c.statement_lines)
CUDA = Language("cuda", "CUDA", lambda function: _on_device(cuda.generate(function)), cuda.statement_lines)
OPENCL = Language("opencl", "OpenCL", lambda function: _on_device(opencl.generate(function)), opencl.statement_lines)
_OF_TARGET = {"c": C, "cuda": CUDA, "opencl": OPENCL}


def language_of(function: Function, target: str) -> Language:
    """The language that shows ``function``: the target's own; for the interpreter C, or CUDA for launches."""
    if target in _OF_TARGET:
        return _OF_TARGET[target]
    return CUDA if has_launches(function) else C


def has_launches(function: Function) -> bool:
    """Whether ``function`` runs on a GPU."""
    return any(isinstance(one, For) and one.kind is LoopKind.GPU_BLOCK for one in function.body.statements)
