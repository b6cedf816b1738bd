"""The C functions of hash maps, the workspaces whose memory grows with what is in them."""

from __future__ import annotations

from pathlib import Path

from heddle.codegen.c import memory_support, sort_support
from heddle.codegen.function_text import FunctionFile
from heddle.codegen.support import Support

_MAPS = FunctionFile(Path(__file__).with_name("functions") / "map.c")


def map_type(support: Support, dtype: str) -> str:
    """The type of a map with values of ``dtype``; its functions are called ``<type>_slot`` and so on."""
    name = f"map_{dtype}"
    support.header("stdbool.h")
    memory_support.allocate(support)
    memory_support.grow(support)
    support.add("map_cell", _MAPS.text("map_cell"))
    by_key = sort_support.sort_by_key(support, "map_cell")
    return support.add(name, _MAPS.text("map", {"MAP": name, "VALUE": support.type(dtype), "SORT": by_key}))
