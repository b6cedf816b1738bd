"""Classes of x86-64 processors and the compilers of this machine, so that one text is built for each of them."""

from __future__ import annotations

import hashlib
import platform
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from heddle.codegen.c.printer import generate
from heddle.loop_ir.nodes import Function
from heddle.runtime.native import zig_wheel
from heddle.runtime.native.toolchain import Toolchain, run_compiler

NEEDED = {
    "v2": ("sse4_2", "ssse3", "popcnt"),
    "v3": ("avx2", "fma", "bmi2"),
    "v4": ("avx512f", "avx512dq", "avx512vl", "avx512bw", "avx512cd"),
}
"""What /proc/cpuinfo must say of a processor that runs the class."""

# Without contraction a product and a sum are rounded one by one on every class.
COMMON = ("-std=c99", "-O1", "-ffp-contract=off", "-fno-math-errno", "-fPIC", "-shared", "-Wno-unknown-pragmas")
WARNINGS = ("-Wall", "-Werror", "-Wno-unused-variable", "-Wno-unused-function", "-Wno-psabi")


@dataclass(frozen=True, slots=True)
class Compiler:
    """``name`` is gcc, clang or zig; ``command`` its argv."""

    name: str
    command: tuple[str, ...]

    def flags(self, isa: str) -> tuple[str, ...]:
        if self.name == "zig":
            # Without its own runtime, which it would build for each class, in six seconds: no kernel here calls it.
            library = "--rtlib=none"
            return "-target", "x86_64-linux-gnu", f"-mcpu=x86_64_{isa}", "-fno-sanitize=undefined", library
        return (f"-march=x86-64-{isa}",)

    def run(self, text: str, *flags: str) -> bytes:
        """The bytes of what ``text`` becomes.

        Raises
        ------
        AssertionError
            the compiler does not take it.
        """
        code, messages, content = run_compiler(Toolchain(self.name, "", self.command, flags, (), None), text)
        assert code == 0, f"{self.name} {' '.join(flags)}: {messages[:4000]}"
        return content


def compilers() -> tuple[Compiler, ...]:
    """Those of this machine; zig is the package of Python or the program of this name."""
    found = [Compiler(name, (path,)) for name in ("gcc", "clang") if (path := shutil.which(name))]
    if zig := zig_wheel.program() or shutil.which("zig"):
        found.append(Compiler("zig", (str(zig), "cc")))
    return tuple(found)


def compiler(name: str) -> Compiler | None:
    return next((one for one in compilers() if one.name == name), None)


@cache
def runs(isa: str) -> bool:
    """Whether this processor has what the class has."""
    if platform.machine() != "x86_64":
        return False
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return False
    found = next((line.split(":")[1].split() for line in lines if line.startswith("flags")), [])
    return set(NEEDED[isa]) <= set(found)


@cache
def _directory() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="heddle-machines-")


def library(text: str, isa: str, by: Compiler, *flags: str) -> Path:
    """The shared object of ``text`` for a class of processors, compiled once; with gcc it is free of warnings."""
    every = (*COMMON, *(WARNINGS if by.name == "gcc" else ()), *by.flags(isa), *flags)
    name = hashlib.sha256("\0".join((text, *by.command, *every)).encode()).hexdigest()[:16]
    path = Path(_directory().name) / f"{name}.so"
    if not path.exists():
        path.write_bytes(by.run(text, *every))
    return path


def together(functions: Sequence[Function]) -> str:
    """One text with all ``functions``, whose names differ and whose widest elements have the same size: what is in
    front of them once, in the order of first use."""
    shared: dict[str, None] = {}
    kernels: list[str] = []
    for function in functions:
        before, start, after = generate(function).text.partition(f"int32_t {function.name}(")
        blocks = before.strip().split("\n\n")
        headers = blocks.pop(0).splitlines() if blocks[0].startswith("#include") else []
        shared.update(dict.fromkeys((*headers, *blocks)))
        kernels.append(start + after)
    headers = [one for one in shared if one.startswith("#include")]
    return "\n\n".join(("\n".join(headers), *(one for one in shared if one not in headers), *kernels))
