"""The C functions that allocate workspaces and results, and prefix sums over them."""

from __future__ import annotations

from pathlib import Path

from heddle.codegen.function_text import FunctionFile
from heddle.codegen.support import Support

_FUNCTIONS = Path(__file__).with_name("functions")
_MEMORY = FunctionFile(_FUNCTIONS / "memory.c")
_SCANS = FunctionFile(_FUNCTIONS / "scan.c")


def allocate(support: Support, zero: bool = False) -> str:
    support.header("stdlib.h")
    return _memory(support, "allocate_zero" if zero else "allocate")


def allocate_result(support: Support) -> str:
    support.header("stdlib.h")
    return _memory(support, "allocate_result")


def more(support: Support) -> str:
    return _memory(support, "more")


def grow(support: Support) -> str:
    support.header("stdlib.h")
    return _memory(support, "grow")


def grow_result(support: Support) -> str:
    allocate_result(support)
    support.header("string.h")
    return _memory(support, "grow_result")


def scan(support: Support, dtype: str) -> str:
    support.header("stdbool.h")
    name = f"scan_{dtype}"
    return support.add(name, _SCANS.text("scan", {"SCAN": name, "TYPE": support.type(dtype)}))


def _memory(support: Support, name: str) -> str:
    return support.add(name, _MEMORY.text(name))
