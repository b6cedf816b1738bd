"""What CuPy and the driver raise, as diagnostics that say what helps."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from heddle.diagnostics import CompileError, Diagnostic
from heddle.runtime.extras import Extra

MAX_GROUPS = 2**31 - 1
"""Blocks of a launch, on every CUDA device."""

P = ParamSpec("P")
R = TypeVar("R")


class _OnCupy(Protocol):
    """What calls CuPy."""

    @property
    def cupy(self) -> Any:
        """The module."""
        ...


S = TypeVar("S", bound=_OnCupy)


@dataclass(frozen=True, slots=True)
class _Failure:
    """``names`` are parts of what the runtime and the driver call it."""

    names: tuple[str, ...]
    code: str
    message: str
    expected: str
    hint: str


_MEMORY = _Failure(
    ("OUT_OF_MEMORY", "MemoryAllocation"),
    "runtime/gpu-memory",
    "The GPU's memory is full",
    "free memory on the GPU",
    "Use smaller operands, or fewer threads where each has a workspace. "
    "cupy.get_default_memory_pool().free_all_blocks() gives back what CuPy keeps; nvidia-smi lists other programs.",
)
_FAILURES = (
    _MEMORY,
    _Failure(
        ("NO_BINARY_FOR_GPU", "INVALID_IMAGE", "UNSUPPORTED_PTX", "INVALID_PTX", "InsufficientDriver", "NoKernelImage"),
        "runtime/cuda-driver",
        "The GPU's driver does not take these kernels",
        "a driver as new as the CUDA version that compiles them",
        f"Update the driver, or use CUDA 12: {Extra.GPU12.install}.",
    ),
    _Failure(
        ("OUT_OF_RESOURCES", "OutOfResources", "INVALID_CONFIGURATION", "InvalidConfiguration"),
        "runtime/cuda-resources",
        "A block of this schedule needs more than the GPU has for it",
        "fewer threads, registers or bytes of shared memory in a block",
        "Split the loops so that a block has fewer threads.",
    ),
    _Failure(
        ("LAUNCH_TIMEOUT", "LaunchTimeout"),
        "runtime/cuda-timeout",
        "The driver ended a kernel that took too long",
        "a kernel of less than some seconds on a GPU that also draws a screen",
        "Use smaller operands, or a GPU without a screen. Start this process again before the next run.",
    ),
)
_FAULT = _Failure(
    (),
    "runtime/cuda-fault",
    "The GPU stopped a kernel",
    "a launch that ends without an error",
    "Start this process again: the GPU is lost to it. The target interpreter runs the same schedule on small operands "
    "and names the access that is at fault; a kernel that is right there is a defect in Heddle.",
)


def explains_failures(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """``method`` with what CuPy raises in it as a diagnostic."""

    @functools.wraps(method)
    def explaining(self: S, /, *arguments: P.args, **named: P.kwargs) -> R:
        try:
            return method(self, *arguments, **named)
        except Exception as error:
            diagnostic = diagnose(self.cupy, error)
            if diagnostic is None:
                raise
            raise CompileError(diagnostic) from error

    return explaining


def diagnose(cupy: Any, error: Exception) -> Diagnostic | None:
    """What to say of an ``error`` of CuPy; None where it is none of its."""
    reason = next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")
    if isinstance(error, cupy.cuda.memory.OutOfMemoryError):
        return _diagnostic(_MEMORY, reason)
    if not isinstance(error, cupy.cuda.runtime.CUDARuntimeError | cupy.cuda.driver.CUDADriverError):
        return None
    for failure in _FAILURES:
        if any(name in reason for name in failure.names):
            return _diagnostic(failure, reason)
    return _diagnostic(_FAULT, reason)


def too_many_blocks(kernel: str, groups: int) -> CompileError:
    """A launch beyond what CUDA counts; CuPy would launch another number of blocks."""
    return CompileError(
        Diagnostic(
            code="runtime/cuda-grid",
            message=f"{kernel} would be launched with {groups:,} blocks; a GPU has at most {MAX_GROUPS:,}.",
            expected=f"at most {MAX_GROUPS:,} blocks",
            actual=f"{groups:,} blocks",
            hint="Split the loop over blocks by a larger factor, so that each block has more of it.",
        )
    )


def _diagnostic(failure: _Failure, reason: str) -> Diagnostic:
    return Diagnostic(
        code=failure.code,
        message=f"{failure.message}: {reason}.",
        expected=failure.expected,
        actual=reason,
        hint=failure.hint,
    )
