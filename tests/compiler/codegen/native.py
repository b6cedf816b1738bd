"""Builds a kernel and calls it, so that the generated text is judged by what it computes."""

from __future__ import annotations

import ctypes
import hashlib
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.codegen.c.printer import generate
from heddle.loop_ir.nodes import Function
from heddle.runtime.native.toolchain import discover, run_compiler

# With gcc the text must also be free of warnings, except for names that a test never uses.
STRICT = (
    *("-std=c99", "-O1", "-fopenmp", "-shared", "-fPIC"),
    # psabi: functions with vectors are inlined, so that it does not matter how compilers pass them.
    *("-Wall", "-Werror", "-Wno-unused-variable", "-Wno-unused-function", "-Wno-psabi"),
)


@cache
def _directory() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="heddle-test-")


def has_gcc() -> bool:
    return discover().name == "gcc"


def build(text: str, *flags: str) -> Path:
    """The shared object of ``text``, compiled once per text with the machine's compiler."""
    toolchain = discover()
    own = STRICT if has_gcc() else tuple("-O1" if flag == "-O3" else flag for flag in toolchain.flags)
    name = hashlib.sha256("\0".join((text, *flags)).encode()).hexdigest()[:16]
    library = Path(_directory().name) / f"{name}.so"
    if not library.exists():
        code, messages, content = run_compiler(replace(toolchain, flags=(*own, *flags)), text)
        assert code == 0, f"{messages}\n{text}"
        library.write_bytes(content)
    return library


def call_assembling(
    function: Function, arguments: Mapping[str, Any], *flags: str, appended: str = ""
) -> tuple[int, dict[str, NDArray[Any]], ctypes.CDLL]:
    """Runs a kernel that assembles a CSR matrix A. Returns the status, copies of ``A2_pos``, ``A2_crd`` and ``A_vals``
    (empty after a failure), and the library. What the kernel obtained is freed."""
    library = ctypes.CDLL(str(build(generate(function).text + appended, *flags)))
    kernel = getattr(library, function.name)
    kernel.restype = ctypes.c_int32
    results = {parameter.name: ctypes.c_void_p() for parameter in function.parameters if parameter.allocated}
    values: list[object] = []
    for parameter in function.parameters:
        value = arguments.get(parameter.name)
        if parameter.allocated:
            values.append(ctypes.byref(results[parameter.name]))
        elif isinstance(value, np.ndarray):
            values.append(ctypes.c_void_p(value.ctypes.data))
        else:
            values.append(ctypes.c_int64(value))
    status = int(kernel(*values))
    obtained: dict[str, NDArray[Any]] = {}
    size = arguments["A1_dimension"] + 1
    for parameter in function.parameters:
        address = results.get(parameter.name)
        if address is not None and address.value is not None and status == 0:
            assert address.value % 64 == 0
            dtype = np.dtype(parameter.dtype)
            content = ctypes.string_at(address, size * dtype.itemsize)
            obtained[parameter.name] = np.frombuffer(content, dtype)
            if parameter.name.endswith("_pos"):
                size = int(obtained[parameter.name][-1])
    free = library.counted_free if appended else ctypes.CDLL(None).free
    for address in results.values():
        if address.value is not None:
            free(address)
    return status, obtained, library


def call(function: Function, arguments: Mapping[str, object], *flags: str) -> int:
    """Runs the C text of ``function`` on ``arguments``; outputs are written in place. Returns the status."""
    return call_of(build(generate(function).text, *flags), function, arguments)


def call_of(library: Path, function: Function, arguments: Mapping[str, object]) -> int:
    """Runs ``function`` of a library that was built before."""
    kernel = getattr(ctypes.CDLL(str(library)), function.name)
    kernel.restype = ctypes.c_int32
    values: list[object] = []
    for parameter in function.parameters:
        value = arguments[parameter.name]
        if parameter.array is not None:
            assert isinstance(value, np.ndarray)
            assert value.dtype == parameter.array.dtype
            values.append(ctypes.c_void_p(value.ctypes.data))
        elif parameter.dtype == "int64":
            assert isinstance(value, int)
            values.append(ctypes.c_int64(value))
        else:
            assert isinstance(value, float)
            values.append(ctypes.c_float(value) if parameter.dtype == "float32" else ctypes.c_double(value))
    return int(kernel(*values))
