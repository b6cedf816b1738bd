"""Builds a kernel with gcc and calls it, so that the generated text is judged by what it computes."""

from __future__ import annotations

import ctypes
import hashlib
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from compiler.codegen.c import generate
from compiler.loop_ir.nodes import Function

FLAGS = ("-std=c99", "-O1", "-fopenmp", "-Wall", "-Werror", "-Wno-unused-variable", "-Wno-unused-function")


@cache
def _directory() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="heddle-test-")


def build(text: str, *flags: str) -> Path:
    """The shared object of ``text``, compiled once per text with warnings as errors."""
    name = hashlib.sha256("\0".join((text, *flags)).encode()).hexdigest()[:16]
    library = Path(_directory().name) / f"{name}.so"
    if not library.exists():
        source = library.with_suffix(".c")
        source.write_text(text)
        command = ["gcc", *FLAGS, *flags, "-shared", "-fPIC", "-o", str(library), str(source), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{done.stderr}\n{text}"
    return library


def call(function: Function, arguments: dict[str, int | float | complex | np.ndarray]) -> int:
    """Runs the C text of ``function`` on ``arguments``; outputs are written in place. Returns the status."""
    kernel = getattr(ctypes.CDLL(str(build(generate(function).text))), function.name)
    kernel.restype = ctypes.c_int32
    values: list[object] = []
    for parameter in function.parameters:
        value = arguments[parameter.name]
        if parameter.array is not None:
            assert isinstance(value, np.ndarray)
            assert value.dtype == parameter.array.dtype
            values.append(ctypes.c_void_p(value.ctypes.data))
        elif parameter.dtype == "int64":
            values.append(ctypes.c_int64(int(value)))  # type: ignore[arg-type]
        elif parameter.dtype == "float32":
            values.append(ctypes.c_float(value))  # type: ignore[arg-type]
        else:
            values.append(ctypes.c_double(value))  # type: ignore[arg-type]
    return int(kernel(*values))
