"""Loading a compiled kernel and passing it arguments: the only place that knows the C calling convention.

``int32_t kernel(<Function.parameters>)``: ``int64_t`` for dimensions, ``T*`` for arrays, ``T`` for scalars.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from compiler.diagnostics import InternalError
from compiler.runtime.memory.result_buffers import lend_pool
from compiler.runtime.native import machine_class, threads

Call = Callable[..., int]
_Start = ctypes.c_char * 0
"""The start of a memory, which ctypes passes as its address."""


class _Complex64(ctypes.Structure):
    _fields_ = (("real", ctypes.c_float), ("imaginary", ctypes.c_float))


class _Complex128(ctypes.Structure):
    _fields_ = (("real", ctypes.c_double), ("imaginary", ctypes.c_double))


_SCALARS: dict[str, Callable[[Any], Any]] = {
    "float64": ctypes.c_double,
    "float32": ctypes.c_float,
    "int64": ctypes.c_int64,
    "int32": ctypes.c_int32,
    "int16": ctypes.c_int16,
    "int8": ctypes.c_int8,
    "uint64": ctypes.c_uint64,
    "uint32": ctypes.c_uint32,
    "uint16": ctypes.c_uint16,
    "uint8": ctypes.c_uint8,
    "bool": ctypes.c_bool,
    # The calling conventions of x86-64 and AArch64 pass a complex number like a structure of its two parts.
    "complex64": lambda value: _Complex64(value.real, value.imag),
    "complex128": lambda value: _Complex128(value.real, value.imag),
}


def load(path: Path, function: str) -> Call:
    """The C function of a compiled kernel. Its arguments must already be ctypes objects (:func:`scalar`, pointers).

    Raises:
        InternalError: the library cannot be loaded or lacks the function.
        CompileError: ``runtime/machine-class-beyond``: it is compiled for instructions that this processor lacks.
    """
    machine_class.require_executable()
    threads.runtime()  # Kernels find the library of their threads by its name among those that are loaded.
    try:
        library = ctypes.CDLL(str(path))
        entry = getattr(library, function)
    except (OSError, AttributeError) as error:
        raise InternalError(f"The compiled kernel cannot be loaded: {error}") from None
    lend_pool(library)
    entry.restype = ctypes.c_int32
    call: Call = entry
    return call


def declare(call: Call, dimensions: int, pointers: int) -> Call:
    """``call`` with the types of its arguments, dimensions first: it then takes Python's integers as they are, which
    saves microseconds where it is small."""
    function: Any = call
    function.argtypes = (ctypes.c_int64,) * dimensions + (ctypes.c_void_p,) * pointers
    return call


def scalar(value: complex, dtype: str) -> Any:
    """``value`` as a C argument of ``dtype``."""
    return _SCALARS[dtype](value)


def pointer(array: NDArray[Any]) -> Any:
    """The address of an array's first element as a C argument."""
    if array.flags.writeable:
        try:
            return _Start.from_buffer(array.data)  # four times as fast as asking NumPy for the address
        except (TypeError, ValueError, BufferError):  # not in one piece
            pass
    return ctypes.c_void_p(array.__array_interface__["data"][0])


def dimension(size: int) -> Any:
    """A dimension's size as a C argument."""
    return ctypes.c_int64(size)
