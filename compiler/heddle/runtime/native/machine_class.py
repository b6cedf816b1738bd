"""Classes of machines: what kernels are compiled for, and what the rules choose for.

``HEDDLE_MARCH`` names a class, so that an AVX-512 machine compiles and chooses as one that has AVX2 alone. Without it
kernels are compiled for this very processor (``native``), which belongs to the highest class whose instructions it has.
The text of a kernel is the same for all of them.
"""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass

from heddle.diagnostics import CompileError, Diagnostic
from heddle.runtime.native import cpu

VARIABLE, NATIVE = "HEDDLE_MARCH", "native"


@dataclass(frozen=True, slots=True)
class MachineClass:
    """``march`` is what a compiler is told, None for a class that only processors belong to. ``vector_bytes`` of one
    register, of which there are ``registers``. ``gathers``: eight elements are loaded from anywhere under a mask.
    ``mkl`` holds MKL to the same instructions (``MKL_ENABLE_INSTRUCTIONS``). ``features`` are what the class adds to
    the one above it in the table, in the words of Linux."""

    name: str
    march: str | None
    vector_bytes: int
    registers: int
    gathers: bool
    mkl: str | None
    features: frozenset[str]


def _row(
    name: str, march: str | None, size: int, registers: int, gathers: bool, mkl: str | None, features: str
) -> MachineClass:
    return MachineClass(name, march, size, registers, gathers, mkl, frozenset(features.split()))


_X86 = (
    _row("x86-64", None, 16, 16, False, None, ""),
    _row("x86-64-v2", "x86-64-v2", 16, 16, False, "SSE4_2", "cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3"),
    _row("x86-64-v3", "x86-64-v3", 32, 16, False, "AVX2", "abm avx avx2 bmi1 bmi2 f16c fma movbe"),
    _row("x86-64-v4", "x86-64-v4", 64, 32, True, "AVX512", "avx512bw avx512cd avx512dq avx512f avx512vl"),
)
CLASSES = (*_X86, _row("aarch64", None, 16, 32, False, None, ""))

_OTHER_NAMES = {"amd64": "x86-64", "x86_64": "x86-64", "arm64": "aarch64"}
"""What systems call a processor's architecture."""


def parse_name(text: str) -> MachineClass:
    """The class of a name as it is asked for: ``x86-64-v3``, or ``v3`` for short.

    Raises
    ------
    CompileError
        ``runtime/unknown-machine-class``.
    """
    for machine_class in CLASSES:
        if machine_class.march is not None and text in (machine_class.name, machine_class.name.removeprefix("x86-64-")):
            return machine_class
    names = (NATIVE, *(machine_class.name for machine_class in CLASSES if machine_class.march is not None))
    listed = ", ".join(names)
    raise CompileError(
        Diagnostic(
            code="runtime/unknown-machine-class",
            message=f"There is no machine class {text!r}. The classes are {listed} (v2, v3, v4 for short).",
            expected=listed,
            actual=text,
            candidates=names,
            hint=f"Set {VARIABLE} to one of them, or leave it out to compile for this processor.",
        )
    )


def read_requested_class() -> MachineClass | None:
    """The class that ``HEDDLE_MARCH`` names; None where kernels are compiled for this very processor.

    Raises
    ------
    CompileError
        ``runtime/unknown-machine-class``.
    """
    text = os.environ.get(VARIABLE, "")
    return None if text in ("", NATIVE) else parse_name(text)


def detect() -> MachineClass:
    """The class that this processor belongs to: the highest whose instructions it has."""
    machine = platform.machine().lower()
    architecture = _OTHER_NAMES.get(machine, machine)
    if architecture != "x86-64":
        other = (machine_class for machine_class in CLASSES if machine_class.name == architecture)
        return next(other, MachineClass(machine or "unknown", None, 16, 16, False, None, frozenset()))
    has, highest = set(cpu.features()), _X86[0]
    for candidate in _X86:
        if not candidate.features <= has:
            break
        highest = candidate
    return highest


def in_force() -> MachineClass:
    """The class that kernels are compiled for, and that the rules choose for. Raises as :func:`asked`."""
    return read_requested_class() or detect()


def march() -> str:
    """What a compiler is told: ``native``, or the name of a class. Raises as :func:`asked`."""
    machine_class = read_requested_class()
    return NATIVE if machine_class is None or machine_class.march is None else machine_class.march


def require_executable(machine_class: MachineClass | None = None) -> None:
    """Refuses to run what this processor has no instructions for: kernels for the class in force, or for
    ``machine_class``. A processor that does not tell what it has is trusted.

    Raises
    ------
    CompileError
        ``runtime/machine-class-beyond``, and as :func:`asked`.
    """
    machine_class, mine = machine_class or read_requested_class(), detect()
    if machine_class is None or (
        mine in _X86 and (not cpu.features() or _X86.index(mine) >= _X86.index(machine_class))
    ):
        return
    raise CompileError(
        Diagnostic(
            code="runtime/machine-class-beyond",
            message=f"Kernels are compiled for {machine_class.name}, whose instructions this processor "
            f"({cpu.model()}) lacks.",
            expected=f"a processor of the class {machine_class.name}",
            actual=mine.name,
            hint=f"Set {VARIABLE} to {NATIVE}.",
        )
    )
