"""NVIDIA's run-time compiler through its C interface: CUDA text to PTX and machine code, without a GPU or a driver.

Comes with the package ``nvidia-cuda-nvrtc-cu12`` or with a CUDA toolkit.
"""

from __future__ import annotations

import functools
import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle.diagnostics import CompileError, Diagnostic, InternalError
from heddle.runtime.memory.c_types import c_types

INSTALL = "pip install nvidia-cuda-nvrtc-cu12"
_NAMES = ("libnvrtc.so.12", "libnvrtc.so.13", "libnvrtc.so")


@dataclass(frozen=True, slots=True)
class Compiled:
    """``ptx`` text, and ``cubin``: machine code for one architecture."""

    ptx: str
    cubin: bytes


@functools.cache
def library() -> Any:
    """NVRTC.

    Raises:
        CompileError: ``runtime/no-nvrtc``.
    """
    for path in _candidates():
        try:
            loaded = c_types().CDLL(path)
        except (ImportError, OSError):
            continue
        loaded.nvrtcGetErrorString.restype = c_types().c_char_p
        return loaded
    raise CompileError(
        Diagnostic(
            code="runtime/no-nvrtc",
            message="CUDA text cannot be compiled here: NVRTC is not installed.",
            expected="libnvrtc.so.12 of the Python package nvidia-cuda-nvrtc-cu12 or of a CUDA toolkit",
            hint=f"Install it with: {INSTALL}. No GPU is needed to compile.",
        )
    )


def version() -> str:
    """NVRTC's version, ``12.9``."""
    ctypes = c_types()
    major, minor = ctypes.c_int(), ctypes.c_int()
    _check(library().nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
    return f"{major.value}.{minor.value}"


def compile_text(text: str, architecture: str) -> Compiled:
    """Compiles CUDA ``text`` for ``architecture``, e.g. ``sm_90``.

    Raises:
        InternalError: NVRTC refuses the text; generated text must always compile.
        CompileError: ``runtime/no-nvrtc``.
    """
    ctypes, nvrtc = c_types(), library()
    program = ctypes.c_void_p()
    _check(nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"kernel.cu", 0, None, None))
    try:
        wishes = (f"--gpu-architecture={architecture}", "--std=c++14", "--fmad=true")
        options = (ctypes.c_char_p * len(wishes))(*(option.encode() for option in wishes))
        if nvrtc.nvrtcCompileProgram(program, len(wishes), options) != 0:
            log = _obtain(program, "nvrtcGetProgramLog").decode(errors="replace").strip("\0\n ")
            raise InternalError(f"The generated CUDA does not compile for {architecture}:\n{log[:4000]}")
        ptx = _obtain(program, "nvrtcGetPTX").decode().rstrip("\0")
        return Compiled(ptx, _obtain(program, "nvrtcGetCUBIN"))
    finally:
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))


def _obtain(program: Any, function: str) -> bytes:
    """What ``function`` gives of the program; its size has its own function."""
    ctypes = c_types()
    size = ctypes.c_size_t()
    _check(getattr(library(), f"{function}Size")(program, ctypes.byref(size)))
    buffer = ctypes.create_string_buffer(size.value)
    _check(getattr(library(), function)(program, buffer))
    return bytes(buffer.raw)


def _check(status: int) -> None:
    if status != 0:
        raise InternalError(f"NVRTC answers: {library().nvrtcGetErrorString(status).decode()}")


def _candidates() -> list[str]:
    libraries: list[str] = []
    spec = importlib.util.find_spec("nvidia")
    for folder in spec.submodule_search_locations or () if spec is not None else ():
        libraries += [str(path) for name in _NAMES for path in sorted(Path(folder).glob(f"*/lib/{name}"))]
    return [*libraries, *_NAMES]
