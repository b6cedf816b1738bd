"""What compilers make of generated C, in assembly: for each class of machines, whether or not this one could run it."""

from __future__ import annotations

import platform
import re
from dataclasses import dataclass

import pytest

from tests.compiler.codegen.machines import compiler

# As in compiler/heddle/runtime/native/toolchain.py, except for the class of machines.
_FLAGS = ("-std=gnu11", "-O3", "-fno-math-errno", "-fno-trapping-math", "-fPIC", "-w", "-S")
_OWN = {"gcc": ("-fira-region=all", "-fopenmp"), "zig": ("-fno-sanitize=undefined",)}


@dataclass(frozen=True, slots=True)
class Target:
    """``own`` matches the registers of the class's own width, ``wider`` those that it does not have."""

    name: str
    compiler: str
    flags: tuple[str, ...]
    own: str
    wider: str | None

    def assembly(self, text: str) -> str:
        """That of ``text``; skips the test where the compiler is not installed, or not one for this target."""
        found = compiler(self.compiler)
        if found is None:
            pytest.skip(f"{self.compiler} is not installed")
        if self.compiler == "gcc" and platform.machine() != "x86_64":
            pytest.skip("gcc of this machine is not one for x86-64")
        made = found.run(text, *_FLAGS, *_OWN[self.compiler], *self.flags).decode()
        return re.sub(r"\s*(#|//).*", "", made)


_X86 = {"v2": ("%xmm", "%[yz]mm"), "v3": ("%ymm", "%zmm"), "v4": ("%zmm", None)}
TARGETS = (
    *(Target(f"gcc {isa}", "gcc", (f"-march=x86-64-{isa}",), *own) for isa, own in _X86.items()),
    *(
        Target(f"zig {isa}", "zig", ("-target", "x86_64-linux-gnu", f"-mcpu=x86_64_{isa}"), *own)
        for isa, own in _X86.items()
    ),
    Target("zig aarch64", "zig", ("-target", "aarch64-linux-gnu"), r"\bq\d+|\bv\d+\.(2d|4s)", None),
)

_JUMP = re.compile(r"\s+(?:j\w+|b(?:\.\w+)?|cbn?z|tbn?z)\s+(?:.*,\s*)?(\.L\w+)$")
_LABEL = re.compile(r"(\.L\w+):")
_PRODUCT = re.compile(r"\sv?(?:mulp[ds]|fn?m(?:add|sub)\d*p[ds])\s|\s(?:fmul|fmla)(?:\.\d\w)?\s+v\d+")
_STACK = re.compile(r"[xyz]mm\d+, -?\d*\(%r[sb]p|-?\d*\(%r[sb]p[^)]*\), %[xyz]mm|(?:ld|st)[rpu]+\s+q\d+,.*\[(?:sp|x29)")


def innermost_loops(assembly: str) -> list[str]:
    """What stands between a label and a jump back to it, where no other such stretch lies inside."""
    lines = assembly.splitlines()
    labels = {match[1]: number for number, line in enumerate(lines) if (match := _LABEL.match(line))}
    jumps = ((_JUMP.match(line), number) for number, line in enumerate(lines))
    loops = [(labels[jump[1]], end) for jump, end in jumps if jump and labels.get(jump[1], end) < end]
    inner = [
        one for one in loops if not any(other != one and one[0] <= other[0] and other[1] <= one[1] for other in loops)
    ]
    return ["\n".join(lines[start:end]) for start, end in inner]


def products(loop: str) -> int:
    """How many products of vectors a stretch has."""
    return len(_PRODUCT.findall(loop))


def on_stack(loop: str) -> list[str]:
    """The instructions that load vectors from the stack, or store them there."""
    return [line for line in loop.splitlines() if _STACK.search(line)]
