"""Machine code with its lines: by whichever disassembler is here, of the same instructions as the kernel that runs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import heddle as hd
from heddle.diagnostics import CompileError
from heddle.explorer.views.code.assembly import assembly_view
from heddle.runtime.native import assembly, toolchain
from heddle.runtime.native.assembly import DISASSEMBLERS, disassemble, read_listing

SHARED_ROWS = ["split(i, i0, i1, 32)", "parallelize(i0, CPUThread, NoRaces)"]
SPMV = hd.lower("y(i) = A(i,j) * x(j)", formats={"A": "csr"}, schedule=SHARED_ROWS)
INSTALLED = [name for name in DISASSEMBLERS if shutil.which(name)]
NEEDS = pytest.mark.skipif(not INSTALLED, reason="needs objdump or llvm-objdump")

GNU = """
kernel.o:     file format elf64-x86-64

Disassembly of section .text:

0000000000000000 <kernel>:
kernel():
/tmp/heddle-asm-x/kernel.c:7 (discriminator 3)
   0:\tsub    rsp,0x38
   4:\tcall   9 <kernel+0x9>
\t\t\t5: R_X86_64_PLT32\tGOMP_parallel-0x4
/usr/include/math.h:12
   9:\tret
"""
LLVM = """
kernel.o:\tfile format elf64-x86-64

0000000000000000 <kernel>:
; kernel():
; /tmp/heddle-asm-x/kernel.c:7
       0:      \tsub\trsp, 56
       4:      \tcall\t0x9 <kernel+0x9>
\t\t0000000000000005:  R_X86_64_PLT32\tGOMP_parallel-0x4
; /usr/include/math.h:12
       9:      \tret
"""


@pytest.mark.parametrize("listing", [GNU, LLVM], ids=["gnu", "llvm"])
def test_both_listings_are_read_alike(listing: str) -> None:
    ((function,), left_out) = read_listing(listing)
    assert (function.name, left_out) == ("kernel", 0)
    assert [(one.address, one.text.split()[0], one.line, one.calls) for one in function.instructions] == [
        (0, "sub", 7, None),
        (4, "call", 7, "GOMP_parallel"),
        (9, "ret", None, None),
    ]


def test_a_long_listing_is_cut_and_says_by_how_much() -> None:
    ((function,), left_out) = read_listing(GNU, most=1)
    assert (len(function.instructions), left_out) == (1, 2)
    assert function.instructions[0].calls is None


@NEEDS
@pytest.mark.parametrize("program", INSTALLED)
def test_every_line_of_the_kernel_has_its_instructions(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "DISASSEMBLERS", (program,))
    assert SPMV.source is not None
    text = SPMV.source.text
    code = disassemble(text, toolchain.discover())
    lines = {one.line for function in code.functions for one in function.instructions} - {None}
    product = next(number for number, line in enumerate(text.splitlines(), 1) if "A_vals[jA] * x_vals[j]" in line)
    assert product in lines
    assert max(lines) <= len(text.splitlines())
    assert "-O3" in code.flags
    assert "-g" not in code.flags


@NEEDS
def test_line_tables_change_no_instruction_of_the_kernel(tmp_path: Path) -> None:
    compiler = toolchain.discover()
    assert SPMV.source is not None
    (tmp_path / "kernel.c").write_text(SPMV.source.text)
    listings = []
    for extra in ([], ["-g"]):
        flags = [flag for flag in compiler.flags if flag != "-shared"]
        subprocess.run(
            [*compiler.command, *flags, *extra, "-c", "kernel.c", "-o", "kernel.o"], cwd=tmp_path, check=True
        )
        command = [INSTALLED[0], "-d", "--no-show-raw-insn", "kernel.o"]
        listings.append(subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout)
    assert listings[0] == listings[1]


def test_without_a_disassembler_the_reason_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "DISASSEMBLERS", ("no-such-program",))
    assert "binutils" in (assembly.obstacle() or "")
    assert SPMV.source is not None
    with pytest.raises(CompileError) as error:
        disassemble(SPMV.source.text, toolchain.discover())
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "runtime/no-disassembler"
    assert "apt install binutils" in (diagnostic.hint or "")
    view = assembly_view(SPMV)
    assert (view["ok"], view["functions"]) == (False, [])


@pytest.mark.parametrize("target", ["cuda", "interpreter"])
def test_other_targets_say_so(target: str) -> None:
    view = assembly_view(hd.lower("y(i) = A(i,j) * x(j)", formats={"A": "csr"}, target=target))
    (diagnostic,) = view["diagnostics"]
    assert diagnostic["code"] == "plan/no-machine-code"
    assert diagnostic["found"] == target


def test_a_mistake_of_the_plan_is_told() -> None:
    view = assembly_view(hd.lower("y(i) = A(i,j) * x(j)", formats={"A": "csr"}, schedule=["split(k, k0, k1, 4)"]))
    assert not view["ok"]
    assert view["diagnostics"][0]["code"] == "schedule/unknown-variable"
