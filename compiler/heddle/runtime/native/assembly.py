"""Machine code of generated C, as the disassembler of this machine reads it, with the line that each instruction is of.

The text is compiled a second time, with tables of its lines (``-g``) and without being linked: the kernel that runs
is another file, and its instructions are the same, since compilers promise that ``-g`` changes none.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from heddle.codegen.c.printer import WRAPPING
from heddle.diagnostics import CompileError, Diagnostic, InternalError
from heddle.runtime.native import machine_class
from heddle.runtime.native.toolchain import Toolchain, program_environment, programs

DISASSEMBLERS = ("objdump", "llvm-objdump")
"""Programs in the order in which they are asked for."""

TIMEOUT_SECONDS = 20.0
MOST_INSTRUCTIONS = 6000
"""Of one kernel; nobody reads more, and a page draws no more at once."""

_SOURCE = "kernel.c"
_FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
_INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s+(\S.*?)\s*$")
_LINE = re.compile(rf"^(?:; )?(?:\S*[/\\])?{re.escape(_SOURCE)}:(\d+)\b")
_OTHER_LINE = re.compile(r"^(?:; )?\S+\.\w+:\d+\b")
_RELOCATION = re.compile(r"^\s*[0-9a-f]+:\s+R_\w+\s+(\S+)")
_TAIL = re.compile(r"[-+]0x[0-9a-f]+$")


@dataclass(frozen=True, slots=True)
class Instruction:
    """``line`` is that of the C text, from 1; None for what the compiler adds. ``calls`` is the symbol that linking
    fills in."""

    address: int
    text: str
    line: int | None
    calls: str | None = None


@dataclass(frozen=True, slots=True)
class MachineFunction:
    name: str
    instructions: tuple[Instruction, ...]


@dataclass(frozen=True, slots=True)
class Assembly:
    """``flags`` are those of the kernel that runs; ``left_out`` instructions come behind the last one."""

    flags: tuple[str, ...]
    disassembler: str
    functions: tuple[MachineFunction, ...]
    left_out: int


def disassembler() -> str | None:
    """The program that reads machine code here; None where there is none."""
    return next((path for name in DISASSEMBLERS if (path := shutil.which(name))), None)


def obstacle() -> str | None:
    """Why no machine code can be shown here; None where it can. Costs no compile."""
    if disassembler() is not None:
        return None
    return f"None of the programs {' and '.join(DISASSEMBLERS)} is installed here. The package binutils has the first."


def disassemble(text: str, toolchain: Toolchain) -> Assembly:
    """The machine code of generated C ``text`` as ``toolchain`` compiles it.

    Raises
    ------
    CompileError
        ``runtime/no-disassembler``, ``runtime/disassembly-timeout``.
    InternalError
        the compiler refuses the text, or the disassembler what the compiler wrote.
    """
    program = disassembler()
    if program is None:
        raise CompileError(
            Diagnostic(
                code="runtime/no-disassembler",
                message=obstacle() or "",
                expected=" or ".join(DISASSEMBLERS),
                actual="neither",
                hint="Install binutils on the machine that compiles, for example with: apt install binutils.",
            )
        )
    flags = (*toolchain.flags, *(("-fwrapv",) if text.startswith(WRAPPING) else ()))
    unlinked = [flag for flag in flags if flag != "-shared"]
    with tempfile.TemporaryDirectory(prefix="heddle-asm-") as folder:
        Path(folder, _SOURCE).write_text(text, encoding="utf-8")
        _run([*toolchain.command, *unlinked, "-g", "-c", _SOURCE, "-o", "kernel.o"], folder, toolchain)
        listing = _run([program, *_options(program), "kernel.o"], folder, toolchain)
    functions, left_out = read_listing(listing)
    return Assembly(flags, Path(program).name, functions, left_out)


def _options(program: str) -> list[str]:
    """Instructions and the lines that they are of, without their bytes; in Intel's order where there is a choice."""
    options = ["-d", "-r", "-l", "--no-show-raw-insn"]
    if not machine_class.in_force().name.startswith("x86-64"):
        return options
    return [*options, "--x86-asm-syntax=intel" if Path(program).name.startswith("llvm") else "-Mintel"]


def _run(command: list[str], folder: str, toolchain: Toolchain) -> str:
    try:
        done = programs().run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIMEOUT_SECONDS,
            env=program_environment(toolchain.command),
            check=False,
        )
    except programs().TimeoutExpired:
        raise CompileError(
            Diagnostic(
                code="runtime/disassembly-timeout",
                message=f"{Path(command[0]).name} did not finish this kernel within {TIMEOUT_SECONDS:.0f} s.",
                expected=f"at most {TIMEOUT_SECONDS:.0f} s",
                hint="Unroll less or use smaller constant bounds: the generated code is very long.",
            )
        ) from None
    if done.returncode != 0:
        raise InternalError(f"{Path(command[0]).name} failed on generated C:\n{done.stderr.strip()[:4000]}")
    output: str = done.stdout
    return output


def read_listing(listing: str, most: int = MOST_INSTRUCTIONS) -> tuple[tuple[MachineFunction, ...], int]:
    """The functions of what GNU's or LLVM's objdump prints, and how many instructions behind the first ``most`` are
    left out."""
    functions: list[tuple[str, list[Instruction]]] = []
    line: int | None = None
    number = 0
    for text in listing.splitlines():
        if (function := _FUNCTION.match(text)) is not None:
            functions.append((function[1], []))
            line = None
        elif (place := _LINE.match(text)) is not None:
            line = int(place[1])
        elif _OTHER_LINE.match(text) is not None:
            line = None
        elif (relocation := _RELOCATION.match(text)) is not None:
            if functions and functions[-1][1] and number <= most:
                _call(functions[-1][1], relocation[1])
        elif (instruction := _INSTRUCTION.match(text)) is not None and functions:
            number += 1
            if number <= most:
                operation = " ".join(instruction[2].split())
                functions[-1][1].append(Instruction(int(instruction[1], 16), operation, line))
    written = tuple(MachineFunction(name, tuple(instructions)) for name, instructions in functions if instructions)
    return written, max(0, number - most)


def _call(instructions: list[Instruction], symbol: str) -> None:
    last = instructions[-1]
    name = _TAIL.sub("", symbol)
    # Places inside of sections are constants and jumps, which have no name.
    if not name.startswith("."):
        instructions[-1] = Instruction(last.address, last.text, last.line, name)
