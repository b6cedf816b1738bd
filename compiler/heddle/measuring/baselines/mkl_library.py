"""Intel MKL, through ctypes on the ``mkl`` wheel's ``libmkl_rt``: loading it, its threads, what it says of itself."""

from __future__ import annotations

import ctypes
import functools
import sysconfig
from ctypes import c_int
from pathlib import Path
from typing import TYPE_CHECKING

from heddle.runtime.extras import Extra
from heddle.runtime.native import toolchain

if TYPE_CHECKING:
    from heddle.measuring.schema import MklFacts

NON_TRANSPOSE, TRANSPOSE = 10, 11
_LAYERS = {toolchain.POOL: (3, "GNU OpenMP"), "libiomp5": (0, "Intel OpenMP"), None: (1, "sequential")}
THREADED = frozenset({toolchain.POOL, "libiomp5"})
"""Beside which OpenMP of our kernels it runs on several threads."""
_BRANCHES = {
    2: "generic", 3: "compatible", 4: "SSE2", 6: "SSSE3", 7: "SSE4.1", 8: "SSE4.2", 9: "AVX", 10: "AVX2",
    11: "AVX-512 (KNL)", 12: "AVX-512", 13: "AVX-512 E1 (KNL)", 14: "AVX-512 E1", 15: "AVX10",
}  # fmt: skip


class MklError(Exception):
    """MKL is missing, or refused a call."""


@functools.cache
def load(openmp: str | None) -> ctypes.CDLL:
    """The library, told before it does anything else which OpenMP to use: that of our kernels, or beside threads of
    our own GNU's, whose threads can be told to sleep soon, so that nobody waits for a core on which they spin.

    Raises
    ------
    MklError
        not installed, or not loadable.
    """
    library_paths = sorted(Path(sysconfig.get_path("data"), "lib").glob("libmkl_rt.so*"))
    if not library_paths:
        raise MklError(Extra.MKL.sentence)
    try:
        library = ctypes.CDLL(str(library_paths[-1]))
    except OSError as error:
        raise MklError(f"MKL cannot be loaded: {error}") from None
    layer, name = _LAYERS.get(openmp, _LAYERS[None])
    if library.MKL_Set_Threading_Layer(c_int(layer)) != layer:
        raise MklError(
            f"MKL did not accept {name}, which suits threads of ours: it keeps what this process asked for first."
        )
    return library


def set_threads(library: ctypes.CDLL, threads: int) -> None:
    library.MKL_Set_Num_Threads(c_int(threads))


def facts(openmp: str | None) -> MklFacts:
    """Version, threading and the instruction set that MKL chose (on processors of others it takes generic paths)."""
    library = load(openmp)
    text = ctypes.create_string_buffer(200)
    library.mkl_get_version_string(text, c_int(200))
    branch = int(library.mkl_cbwr_get_auto_branch())
    return {
        "version": text.value.decode(errors="replace")
        .strip()
        .removesuffix(" for Intel(R) 64 architecture applications"),
        "threading": _LAYERS.get(openmp, _LAYERS[None])[1],
        "dispatch": _BRANCHES.get(branch, f"branch {branch}"),
    }
