"""NVIDIA's run-time compiler through its C interface: CUDA text to PTX and machine code, without a GPU or a driver.

Comes with the packages ``nvidia-cuda-nvrtc-cu12`` (CUDA 12) and ``nvidia-cuda-nvrtc`` (CUDA 13), or with a toolkit.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle.diagnostics import CompileError, Diagnostic, InternalError
from heddle.runtime.memory.c_types import c_types

INSTALL = "pip install nvidia-cuda-nvrtc-cu12"
_NAMES = ("libnvrtc.so.12", "libnvrtc.so.13", "libnvrtc.so")
OPTIONS = ("--std=c++14", "--fmad=true", "--ftz=false")
_DOES_NOT_COMPILE = 6  # NVRTC_ERROR_COMPILATION: the text is at fault; every other answer is about the machine


@dataclass(frozen=True, slots=True)
class Compiled:
    """``ptx`` text, and ``cubin``: machine code for one architecture."""

    ptx: str
    cubin: bytes


@functools.cache
def library() -> Any:
    """NVRTC.

    Raises
    ------
    CompileError
        ``runtime/no-nvrtc``.
    """
    for path in _candidates():
        try:
            for builtins in _builtins_of(path):
                c_types().CDLL(builtins)
            loaded = c_types().CDLL(path)
        except (ImportError, OSError):
            continue
        loaded.nvrtcGetErrorString.restype = c_types().c_char_p
        return loaded
    raise CompileError(
        Diagnostic(
            code="runtime/no-nvrtc",
            message="CUDA text cannot be compiled here: NVRTC is not installed.",
            expected="libnvrtc.so.12 or .13 of a Python package (nvidia-cuda-nvrtc-cu12, nvidia-cuda-nvrtc) or of a "
            "CUDA toolkit",
            hint=f"Install it with: {INSTALL}. No GPU is needed to compile.",
        )
    )


def version() -> str:
    """NVRTC's version, ``12.9``."""
    ctypes = c_types()
    major, minor = ctypes.c_int(), ctypes.c_int()
    _check(library().nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)))
    return f"{major.value}.{minor.value}"


def architectures() -> tuple[str, ...]:
    """Those that this NVRTC makes machine code for, oldest first: ``sm_75`` …

    Raises
    ------
    CompileError
        ``runtime/no-nvrtc``.
    """
    ctypes = c_types()
    count = ctypes.c_int()
    _check(library().nvrtcGetNumSupportedArchs(ctypes.byref(count)))
    numbers = (ctypes.c_int * count.value)()
    _check(library().nvrtcGetSupportedArchs(numbers))
    return tuple(f"sm_{number}" for number in sorted(numbers))


def compile_text(text: str, architecture: str) -> Compiled:
    """Compiles CUDA ``text`` for ``architecture``, e.g. ``sm_90``. Subnormal numbers are kept, as on every target.

    Raises
    ------
    InternalError
        NVRTC refuses the text; generated text must always compile.
    CompileError
        ``runtime/no-nvrtc``, ``runtime/cuda-architecture`` where this version has no such architecture,
        ``runtime/nvrtc`` where it fails for another reason.
    """
    if architecture not in architectures():
        raise CompileError(_no_architecture(architecture))
    ctypes, nvrtc = c_types(), library()
    program = ctypes.c_void_p()
    _check(nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"kernel.cu", 0, None, None))
    try:
        wishes = (f"--gpu-architecture={architecture}", *OPTIONS)
        options = (ctypes.c_char_p * len(wishes))(*(option.encode() for option in wishes))
        status = nvrtc.nvrtcCompileProgram(program, len(wishes), options)
        if status != 0:
            log = _obtain(program, "nvrtcGetProgramLog").decode(errors="replace").strip("\0\n ")
            if status == _DOES_NOT_COMPILE:
                raise InternalError(f"The generated CUDA does not compile for {architecture}:\n{log[:4000]}")
            raise CompileError(_failure(status, log))
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
        raise CompileError(_failure(status, ""))


def _failure(status: int, log: str) -> Diagnostic:
    answer = library().nvrtcGetErrorString(status).decode()
    reason = next((line.strip() for line in log.splitlines() if line.strip()), answer)
    return Diagnostic(
        code="runtime/nvrtc",
        message=f"NVRTC cannot compile on this machine: {reason.rstrip('.')}.",
        expected="a whole installation of NVRTC: libnvrtc, and libnvrtc-builtins of the same version beside it",
        actual=answer,
        hint=f"Install it again with: {INSTALL}. No GPU is needed to compile.",
    )


def _no_architecture(architecture: str) -> Diagnostic:
    known = architectures()
    newer = int(architecture.removeprefix("sm_")) > int(known[-1].removeprefix("sm_"))
    return Diagnostic(
        code="runtime/cuda-architecture",
        message=f"NVRTC {version()} has no machine code for {architecture}.",
        expected=f"one of {', '.join(known)}",
        actual=architecture,
        hint="Install a newer version: pip install -U nvidia-cuda-nvrtc (CUDA 13)."
        if newer
        else f"NVRTC of CUDA 12 has older architectures: {INSTALL}.",
    )


def _builtins_of(path: str) -> list[str]:
    """What NVRTC opens by its name when it compiles, and finds only where it is loaded: in a package it lies beside it,
    in a folder that the linker does not search."""
    folder = Path(path).parent
    if not folder.is_absolute():
        return []
    return [str(file) for file in sorted(folder.glob("libnvrtc-builtins.so*"))]


def _candidates() -> list[str]:
    libraries: list[str] = []
    spec = importlib.util.find_spec("nvidia")
    for folder in spec.submodule_search_locations or () if spec is not None else ():
        libraries += [str(path) for name in _NAMES for path in sorted(Path(folder).glob(f"*/lib/{name}"))]
    for toolkit in (os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME"), "/usr/local/cuda", sys.prefix):
        for folder in ("lib64", "lib") if toolkit else ():
            libraries += [str(path) for name in _NAMES if (path := Path(toolkit or "", folder, name)).exists()]
    return [*libraries, *_NAMES]
