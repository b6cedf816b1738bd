"""GenTen's MTTKRP. Its Python module offers whole decompositions alone, so that its own C++ function is called: the
wheel of ``pygenten`` ships library and headers, and ``genten_mttkrp/mttkrp.cpp`` is compiled against them, optimised
for the same machine class as our kernels. The method is the one that GenTen chooses on its own."""

from __future__ import annotations

import ctypes
import importlib.util
import shutil
import subprocess
import weakref
from collections.abc import Callable, Mapping
from ctypes import c_double, c_int, c_int64, c_size_t, c_void_p
from pathlib import Path
from typing import Any

import numpy as np

from heddle.runtime.native import cache, machine_class, toolchain

SOURCES = Path(__file__).resolve().parent / "genten_mttkrp"
_INCLUDED = ("genten", "kokkos", "nlohmann", "")


def mttkrp(given: Mapping[str, Any], threads: int) -> tuple[Callable[[], None], Callable[[], Any]]:
    """What computes ``A(i,r) = B(i,k,…) * C(k,r) * …`` in double precision, and the result; B are sorted coordinates.

    Raises
    ------
    ImportError
        ``pygenten`` is not installed.
    OSError
        there is no g++, or it cannot compile against the wheel.
    NotImplementedError
        for other values than float64, the only ones that the wheel computes with.
    """
    tensor = given["B"]
    if tensor.values.dtype != np.float64:
        raise NotImplementedError("the wheel of pygenten computes with float64 alone")
    library = _library()
    factors = [np.ascontiguousarray(given[name]) for name in "CDEF"[: len(tensor.shape) - 1]]
    order, rank = len(tensor.shape), factors[0].shape[1]
    coordinates = np.stack(tensor.columns, axis=1).astype(np.uintp)
    values = np.ascontiguousarray(tensor.values)
    problem = c_void_p(
        library.prepare(
            c_int(threads),
            c_int64(order),
            (c_size_t * order)(*tensor.shape),
            c_int64(values.size),
            c_void_p(values.ctypes.data),
            c_void_p(coordinates.ctypes.data),
            c_int64(rank),
            (c_void_p * len(factors))(*(factor.ctypes.data for factor in factors)),
        )
    )

    def call() -> None:
        library.compute(problem)

    def result() -> Any:
        out = np.empty((tensor.shape[0], rank))
        library.copy_result(problem, out.ctypes.data_as(ctypes.POINTER(c_double)))
        return out

    weakref.finalize(call, library.destroy, problem)  # Before Kokkos ends with the process.
    return call, result


def _library() -> ctypes.CDLL:
    found = importlib.util.find_spec("pygenten")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("No module named 'pygenten'")
    compiler, wheel = shutil.which("g++"), Path(found.origin).parent
    if compiler is None:
        raise OSError("GenTen's MTTKRP needs g++, which is not installed")
    library = ctypes.CDLL(str(_compiled(compiler, wheel)))
    library.prepare.restype = c_void_p
    return library


def _compiled(compiler: str, wheel: Path) -> Path:
    """``mttkrp.cpp`` as a shared library, from the cache of kernels or built now."""
    folders = (str(SOURCES), *(str(wheel / "include" / name) for name in _INCLUDED))
    flags = ("-std=c++17", "-O3", f"-march={machine_class.march()}", "-fopenmp", "-fPIC", "-shared", "-w")
    linked = ("-x", "none", f"-L{wheel / 'lib64'}", f"-Wl,-rpath,{wheel / 'lib64'}", "-lgentenlib", "-lkokkoscore")
    version = subprocess.run([compiler, "-dumpfullversion"], capture_output=True, text=True, check=True).stdout.strip()
    tools = toolchain.Toolchain(
        name="g++",
        version=version,
        command=(compiler, "-x", "c++"),
        flags=(*flags, *(f"-I{folder}" for folder in folders)),
        link=(*linked, "-Wl,--allow-shlib-undefined"),  # The wheel's other libraries: found when this one is loaded.
        openmp="libgomp",
    )
    text = (SOURCES / "mttkrp.cpp").read_text(encoding="utf-8")
    key = cache.key_of(text, "1", tools)
    known = cache.lookup(key)
    if known is not None:
        return known
    code, messages, content = toolchain.run_compiler(tools, text)
    if code != 0:
        raise OSError(f"g++ cannot compile GenTen's MTTKRP: {next(iter(messages.splitlines()), '')}")
    return cache.store(key, content)
