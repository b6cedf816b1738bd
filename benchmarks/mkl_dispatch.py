"""MKL made to take its code path for Intel processors, a stronger opponent: on others it takes a generic one, whatever
instructions they have."""

from __future__ import annotations

from pathlib import Path

from compiler.runtime import cache, toolchain

_ANSWERS = """typedef int (*answer)(void);
static int yes(void) { return 1; }
answer mkl_serv_get_cpu_true(void) { return yes; }
answer mkl_serv_get_cpu(void) { return yes; }
"""
"""What MKL asks itself whether the processor is Intel's: found first when it is loaded before MKL."""


def intel_path() -> Path:
    """The library to load before MKL (``LD_PRELOAD``). Which path MKL then takes is in the facts of each result.

    Raises:
        CompileError: there is no C compiler.
    """
    return Path(cache.shared_library(_ANSWERS, "1", toolchain.discover()))
