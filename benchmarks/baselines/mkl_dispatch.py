"""Which instructions opponents use: MKL made to take its code path for Intel processors, a stronger opponent (on others
it takes a generic one, whatever instructions they have), and held to the machine class that our kernels are for."""

from __future__ import annotations

from pathlib import Path

from heddle.runtime.native import cache, toolchain
from heddle.runtime.native.machine_class import read_requested_class

SHIPPED, INTEL = "shipped", "intel"

_ANSWERS = """typedef int (*answer)(void);
static int yes(void) { return 1; }
answer mkl_serv_get_cpu_true(void) { return yes; }
answer mkl_serv_get_cpu(void) { return yes; }
"""
"""What MKL asks itself whether the processor is Intel's: found first when it is loaded before MKL."""


def intel_path() -> Path:
    """The library to load before MKL (``LD_PRELOAD``). Which path MKL then takes is in the facts of each result.

    Raises
    ------
    CompileError
        there is no C compiler.
    """
    return Path(cache.shared_library(_ANSWERS, "1", toolchain.discover()))


def environment(path: str | None) -> dict[str, str]:
    """What a case's process is told: the code ``path`` of MKL, and the instructions of the class that HEDDLE_MARCH
    names. Off Intel's processors MKL heeds them on the path for Intel's alone, which is therefore the default there.

    Raises
    ------
    CompileError
        there is no C compiler, or no such class.
    """
    one = read_requested_class()
    preloaded = {"LD_PRELOAD": str(intel_path())} if code_path(path) == INTEL else {}
    if one is None or one.mkl is None:
        return preloaded
    return {**preloaded, "MKL_ENABLE_INSTRUCTIONS": one.mkl, "NUMBA_CPU_NAME": one.name}


def code_path(path: str | None) -> str:
    """The path that is asked for, else MKL's own choice, or Intel's where a class has to be kept to."""
    return path or (SHIPPED if read_requested_class() is None else INTEL)
