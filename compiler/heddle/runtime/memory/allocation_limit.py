"""How much memory one array may take, so that a wrong format ends in a message and not in a killed process."""

from __future__ import annotations

import os
import sys

import numpy as np

from heddle.diagnostics import Diagnostic, OperandError

_ALWAYS = 64 << 20
"""Fewer bytes are asked for without a look at the limit."""


def memory_limit() -> int:
    """Bytes that this process may hold at most: the machine's memory, the limit set on the process, or what an index
    can count, which in a browser is less."""
    limits = [_physical_memory(), sys.maxsize]
    try:
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_AS)
        if soft != resource.RLIM_INFINITY:
            limits.append(soft)
    except ImportError:
        pass
    return min(limits)


def _physical_memory() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return 1 << 62


def exceeds_memory(size: int) -> bool:
    """Whether so many bytes cannot be had."""
    return size >= _ALWAYS and size > memory_limit()


def require_memory(size: int, what: str) -> None:
    """Refuses an allocation of ``size`` bytes that cannot succeed.

    Raises
    ------
    CompileError
        ``runtime/too-large``.
    """
    if exceeds_memory(size):
        raise too_large(size, memory_limit(), what)


def require_values(count: int, dtype: str, name: str) -> int:
    """``count``, when so many values fit into memory.

    Raises
    ------
    CompileError
        ``runtime/too-large``.
    """
    size = count * np.dtype(dtype).itemsize
    if size >= _ALWAYS:
        require_memory(size, f"{count:,} values of {name} in this format")
    return count


def too_large(size: int, limit: int, what: str) -> OperandError:
    """The error for an array that does not fit."""
    return OperandError(
        Diagnostic(
            code="runtime/too-large",
            message=f"{what} need {_readable(size)}, but at most {_readable(limit)} are available.",
            expected=f"at most {_readable(limit)}",
            actual=_readable(size),
            hint="Store the tensor in a sparse format, or use smaller dimensions.",
        )
    )


def _readable(size: int) -> str:
    """Bytes for a person: ``1.5 GiB``."""
    value, units = float(size), ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    while value >= 1024 and len(units) > 1:
        value /= 1024
        units.pop(0)
    return f"{value:.0f} {units[0]}" if units[0] == "bytes" else f"{value:.1f} {units[0]}"
