"""The languages of generated code: one table of what prints each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from compiler.codegen import c, cuda, opencl
from compiler.loop_ir.nodes import For, Function, LoopKind
from compiler.loop_ir.source_text import SourceText

LanguageName = Literal["c", "cuda", "opencl"]


@dataclass(frozen=True, slots=True)
class Language:
    """``statement_lines`` gives the 1-based line of each statement, in the order of ``walk.statements``."""

    name: LanguageName
    title: str
    generate: Callable[[Function], SourceText]
    statement_lines: Callable[[Function], tuple[int, ...]]


C = Language("c", "C", c.generate, c.statement_lines)
CUDA = Language("cuda", "CUDA", lambda function: cuda.generate(function).source, cuda.statement_lines)
OPENCL = Language("opencl", "OpenCL", lambda function: opencl.generate(function).source, opencl.statement_lines)
_OF_TARGET = {"c": C, "cuda": CUDA, "opencl": OPENCL}


def language_of(function: Function, target: str) -> Language:
    """The language that shows ``function``: the target's own; for the interpreter C, or CUDA for launches."""
    if target in _OF_TARGET:
        return _OF_TARGET[target]
    return CUDA if has_launches(function) else C


def has_launches(function: Function) -> bool:
    """Whether ``function`` runs on a GPU."""
    return any(isinstance(one, For) and one.kind is LoopKind.GPU_BLOCK for one in function.body.statements)
