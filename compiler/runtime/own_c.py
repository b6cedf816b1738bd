"""C that the runtime brings itself, for what NumPy cannot vectorise: compiled and cached like kernels."""

from __future__ import annotations

import functools

from compiler.diagnostics import CompileError
from compiler.runtime import cache, library, toolchain

_VERSION = "1"
_MOVED = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t", 8: "uint64_t", 16: "double _Complex"}
"""C types for values of so many bytes that are only moved, never computed with."""


@functools.cache
def moving(text: str, name: str, itemsize: int, index: str) -> library.Call | None:
    """The function ``name`` of ``text``, in which VALUE stands for values of ``itemsize`` bytes and INDEX for positions
    and coordinates of the dtype ``index``; None where there is no C compiler, for callers to go a slower way."""
    try:
        compiler = toolchain.discover()
    except CompileError:
        return None
    types = f"typedef {_MOVED[itemsize]} VALUE;\ntypedef {index}_t INDEX;\n"
    source = f"#include <stdint.h>\n#include <string.h>\n{types}{text}"
    return library.load(cache.shared_library(source, _VERSION, compiler), name)
