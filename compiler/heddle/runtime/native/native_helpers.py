"""C that the runtime brings itself, for what NumPy cannot vectorise: compiled and cached like kernels."""

from __future__ import annotations

import functools

from heddle.diagnostics import CompileError
from heddle.runtime.native import c_files, cache, library, toolchain

_VERSION = "1"
MOVED_TYPES = {1: "uint8_t", 2: "uint16_t", 4: "uint32_t", 8: "uint64_t", 16: "double _Complex"}
"""C types for values of so many bytes that are only moved, never computed with."""
_LEAST_SHARE = 1 << 15
"""Fewer entries are dealt with sooner than another thread has begun."""


@functools.cache
def moving(text: str, name: str, itemsize: int, index: str) -> library.Call | None:
    """The function ``name`` of ``text``, in which VALUE stands for values of ``itemsize`` bytes and INDEX for positions
    and coordinates of the dtype ``index``; None where there is no C compiler, for callers to go a slower way."""
    try:
        compiler = toolchain.discover()
    except CompileError:
        return None
    source = c_files.defining({"VALUE": MOVED_TYPES[itemsize], "INDEX": f"{index}_t"}, text)
    return library.load(cache.shared_library(source, _VERSION, compiler), name)


def threads(entries: int) -> int:
    """How many threads should share so many entries: at most those that kernels run on, too."""
    most = moving(c_files.text_of("threads.c"), "threads", 8, "int32")
    return 1 if most is None else max(1, min(most(), entries // _LEAST_SHARE))
