"""Loading a compiled kernel and passing it arguments: the only place that knows the C calling convention.

``int32_t kernel(<Function.parameters>)``: ``int64_t`` for dimensions, ``T*`` for arrays, ``T`` for scalars.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from heddle.diagnostics import CompileError, InternalError
from heddle.runtime.memory.c_types import c_types
from heddle.runtime.memory.result_buffers import lend_pool
from heddle.runtime.native import machine_class, threads

Call = Callable[..., int]
_NAMES = {"float64": "c_double", "float32": "c_float", "bool": "c_bool"}
"""What ctypes calls a scalar, where that is not its dtype between ``c_`` and nothing."""


def load(path: Path, function: str) -> Call:
    """The C function of a compiled kernel. Its arguments must already be ctypes objects (:func:`scalar`, pointers).

    Raises
    ------
    InternalError
        the library cannot be loaded or lacks the function.
    CompileError
        ``runtime/machine-class-beyond``: it is compiled for instructions that this processor lacks.
    """
    machine_class.require_executable()
    with suppress(CompileError):  # A saved kernel has its own threads, and needs no compiler.
        threads.runtime()  # Kernels find the library of their threads by its name among those that are loaded.
    try:
        library = c_types().CDLL(str(path))
        entry = getattr(library, function)
    except (OSError, AttributeError) as error:
        raise InternalError(f"The compiled kernel cannot be loaded: {error}") from None
    lend_pool(library)
    entry.restype = c_types().c_int32
    call: Call = entry
    return call


def declare(call: Call, dimensions: int, pointers: int) -> Call:
    """``call`` with the types of its arguments, dimensions first: it then takes Python's integers as they are, which
    saves microseconds where it is small."""
    function: Any = call
    function.argtypes = (c_types().c_int64,) * dimensions + (c_types().c_void_p,) * pointers
    return call


def scalar(value: complex, dtype: str) -> Any:
    """``value`` as a C argument of ``dtype``."""
    if dtype in ("complex64", "complex128"):
        return _complex(dtype)(value.real, value.imag)
    return getattr(c_types(), _NAMES.get(dtype, f"c_{dtype}"))(value)


def pointer(array: NDArray[Any]) -> Any:
    """The address of an array's first element as a C argument."""
    if array.flags.writeable:
        try:
            return _start().from_buffer(array)  # four times as fast as asking NumPy for the address
        except (TypeError, ValueError, BufferError):  # not in one piece
            pass
    return c_types().c_void_p(array.__array_interface__["data"][0])


def without_owner(argument: Any) -> Any:
    """The same C argument; an address without the memory that it keeps alive."""
    ctypes = c_types()
    return ctypes.c_void_p(ctypes.addressof(argument)) if isinstance(argument, _start()) else argument


def dimension(size: int) -> Any:
    """A dimension's size as a C argument."""
    return c_types().c_int64(size)


@cache
def _start() -> Any:
    """The start of a memory, which ctypes passes as its address."""
    return c_types().c_char * 0


@cache
def _complex(dtype: str) -> Any:
    """The calling conventions of x86-64 and AArch64 pass a complex number like a structure of its two parts."""
    part = c_types().c_float if dtype == "complex64" else c_types().c_double
    return type(dtype, (c_types().Structure,), {"_fields_": (("real", part), ("imaginary", part))})
