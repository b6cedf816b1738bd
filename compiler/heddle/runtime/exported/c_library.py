"""The files of an exported kernel: source, header, build file, and a program that tries it."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from heddle.codegen.c import printer as c
from heddle.codegen.identifiers import is_identifier, is_reserved
from heddle.diagnostics import Diagnostic, OperandError
from heddle.formats.printer import format_text
from heddle.loop_ir.dtypes import COMPLEX
from heddle.loop_ir.nodes import Function
from heddle.plan import Plan, to_document
from heddle.runtime.data_files.data_file import input_error
from heddle.runtime.exported.arguments import Argument, describe_arguments, read_arguments
from heddle.runtime.exported.sample import ConvertedFormats, Sample
from heddle.runtime.exported.sample_program import program_text
from heddle.signature import TensorSignature
from heddle.version import VERSION

_STATIC = {
    "void* (*obtain_memory)": "static void* (*obtain_memory)",
    "void (*release_memory)": "static void (*release_memory)",
}
"""What the runtime sets in libraries of its own, and nobody in an exported one."""
_LICENSE = "SPDX-License-Identifier: MIT"
_COPYRIGHT = "Copyright (c) 2026 The Heddle authors; the whole license is in Heddle's LICENSE"
_QUIET = '#pragma GCC diagnostic ignored "-Wunused-variable"'
_COMPLEX = {"complex64": "float", "complex128": "double"}


def library_files(
    name: str,
    function: Function,
    plan: Plan,
    tensors: Sequence[TensorSignature],
    converted: ConvertedFormats,
    sample: Sample | None,
) -> dict[str, str]:
    """The texts of the files, by name."""
    renamed = replace(function, name=name)
    text = c.generate(renamed).text
    for shared, private in _STATIC.items():
        text = text.replace(f"\n{shared}", f"\n{private}")
    arguments = read_arguments(renamed, text)
    head = f"// {_LICENSE}\n// {_COPYRIGHT}\n// Made by Heddle {VERSION} of this plan:\n{_plan_text(plan)}\n"
    files = {
        f"{name}.c": head + _with_header(text, name),
        f"{name}.h": _header(name, renamed, plan, arguments, tensors, converted),
    }
    if sample is not None:
        files["main.c"] = program_text(name, arguments, sample)
    files["Makefile"] = _makefile(name, sample is not None)
    return files


def _plan_text(plan: Plan) -> str:
    document = json.dumps(to_document(plan), indent=1, ensure_ascii=False)
    return "\n".join(f"// {line}" for line in document.splitlines())


def _with_header(text: str, name: str) -> str:
    """The text, which includes its own header, so that the compiler holds one against the other."""
    lines = text.splitlines()
    last = max((number for number, line in enumerate(lines) if line.startswith("#include <")), default=-1)
    return "\n".join([*lines[: last + 1], f'#include "{name}.h"', _QUIET, *lines[last + 1 :]]) + "\n"


def _header(
    name: str,
    function: Function,
    plan: Plan,
    arguments: Sequence[Argument],
    tensors: Sequence[TensorSignature],
    converted: ConvertedFormats,
) -> str:
    formats = ", ".join(f"{tensor.name}: {format_text(tensor.format)} of {tensor.dtype}" for tensor in tensors)
    statuses = {0: "done", -1: "no memory", -2: "the result has more entries than its positions can count"}
    statuses |= {requirement.code: requirement.message for requirement in function.requirements}
    table = [*_wrapped(describe_arguments(arguments, tensors, converted))]
    dtypes = {_dtype(argument) for argument in arguments}
    prototype = ",\n    ".join(argument.prototype for argument in arguments) or "void"
    lines = [
        f"// {_LICENSE}",
        *_wrapped([plan.expression.replace("\n", " "), formats]),
        "//",
        "// Arguments, in the order of the call; arrays begin at 0:",
        *table,
        "//",
        "// Returns:",
        *_wrapped(f"{code:>3}  {message}" for code, message in statuses.items()),
        f"#ifndef HEDDLE_{name.upper()}_H",
        f"#define HEDDLE_{name.upper()}_H",
        "",
        "#include <stdbool.h>",
        "#include <stdint.h>",
        *(_complex_types() if dtypes & COMPLEX else ()),
        "",
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        "",
        f"int32_t {name}(\n    {prototype});",
        "",
        "#ifdef __cplusplus",
        "}",
        "#endif",
        "",
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def _dtype(argument: Argument) -> str:
    parameter = argument.parameter
    return parameter.dtype if parameter.array is None else parameter.array.dtype


def _complex_types() -> list[str]:
    """Names for complex numbers that C and C++ both have, each for its own type of the same layout."""
    guard = "HEDDLE_COMPLEX_TYPES"
    return [
        f"#ifndef {guard}",
        f"#define {guard}",
        "#ifdef __cplusplus",
        "#include <complex>",
        *(f"typedef std::complex<{real}> heddle_{dtype};" for dtype, real in _COMPLEX.items()),
        "#else",
        "#include <complex.h>",
        *(f"typedef {real} complex heddle_{dtype};" for dtype, real in _COMPLEX.items()),
        "#endif",
        "#endif",
    ]


def _wrapped(lines: Iterable[str]) -> list[str]:
    return [
        row
        for line in lines
        for row in textwrap.wrap(line, 116, initial_indent="//   ", subsequent_indent="//       ") or ["//"]
    ]


def _makefile(name: str, tried: bool) -> str:
    """For all kernels of the folder: each with the flags that its own text asks for."""
    made = f"main, which tries {name} on small data" if tried else "the objects"
    program = "main: main.c $(OBJECTS)\n\t$(CC) $(CFLAGS) $(FLAGS) $^ -o $@ -lm" if tried else "all: $(OBJECTS)"
    return f"""# make: {made}. -march=native makes objects for this processor alone.
CFLAGS ?= -O3 -march=native
FLAGS = -std=gnu11 -fno-math-errno -fno-trapping-math -fopenmp
SOURCES = $(filter-out main.c,$(wildcard *.c))
OBJECTS = $(SOURCES:.c=.o)
WRAPPING = $(shell grep -l "compile this with -fwrapv" $(SOURCES))

{program}

$(WRAPPING:.c=.o): FLAGS += -fwrapv

%.o: %.c
\t$(CC) $(CFLAGS) $(FLAGS) -c $< -o $@
"""


_OF_PROGRAMS = {"main", "printf", "fprintf", "sprintf", "puts", "abs", "labs", "exit", "abort", "rand", "qsort"}
"""Names that a program which calls the function, such as ``main.c``, has from its headers."""


def require_name(name: object) -> str:
    """``name``, which C can call a function.

    Raises
    ------
    OperandError
        ``runtime/function-name``.
    """
    if isinstance(name, str) and is_identifier(name) and (name == "kernel" or not _is_taken(name)):
        return name
    raise OperandError(
        Diagnostic(
            code="runtime/function-name",
            message=f"A function in C cannot be called {name!r}.",
            expected="an identifier that is no word of C and no function of its library",
            actual=repr(name),
            hint='Choose a name like spmv: kernel.export_c("out", name="spmv").',
        )
    )


def _is_taken(name: str) -> bool:
    return is_reserved(name) or name in _OF_PROGRAMS


def write_files(folder: Path, files: Mapping[str, str]) -> list[Path]:
    """Writes the files into ``folder``, which is made where there is none.

    Raises
    ------
    OperandError
        ``input/not-written``.
    """
    paths = [folder / name for name in files]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in zip(paths, files.values(), strict=True):
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise input_error(
            "not-written",
            f"The C files cannot be written into {folder}: {error.strerror or error}.",
            expected="a folder that this user may write to",
            actual=str(error.filename or folder),
            hint="Choose another folder.",
        ) from None
    return paths
