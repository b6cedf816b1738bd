"""The C functions that sort coordinates and the keys of hash maps."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from heddle.codegen.c import memory_support
from heddle.codegen.function_text import FunctionFile
from heddle.codegen.support import Support

_SORTS = FunctionFile(Path(__file__).with_name("functions") / "sort.c")


def sort(support: Support, dtype: str) -> str:
    """``sort(array, count)`` for integers of ``dtype``."""
    name, type = f"sort_{dtype}", support.type(dtype)
    macros = {"TYPE": type, "BITS": f"{name}_bits"}
    support.add(f"{name}_bits", _SORTS.text("bits", macros))
    return _sort(support, name, {**macros, "KEY(element)": "element"})


def sort_by_key(support: Support, type: str) -> str:
    """``sort(array, count)`` for structures of ``type``, by their member ``key``."""
    return _sort(support, f"sort_{type}", {"TYPE": type, "KEY(element)": "element.key"})


def _sort(support: Support, name: str, macros: Mapping[str, str]) -> str:
    support.header("stdbool.h")
    support.header("string.h")
    memory_support.allocate(support)
    return support.add(name, _SORTS.text("sort", {"SORT": name, **macros}))
