"""How many threads kernels and the C of the runtime run on: asked of the OpenMP that they are linked with."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from operator import index
from typing import Any

from heddle.diagnostics import CompileError, Diagnostic
from heddle.runtime.memory.c_types import c_types
from heddle.runtime.native import cache as compiled
from heddle.runtime.native import toolchain

MOST = 4095
_WAITING = frozenset({"KMP_BLOCKTIME", "KMP_LIBRARY", "OMP_WAIT_POLICY"})
"""By these variables people say themselves how threads of Intel's OpenMP wait."""


def get_num_threads() -> int:
    """The number of threads that a kernel called here runs on, where its schedule uses threads.

    Raises:
        CompileError: ``runtime/no-c-compiler``.
    """
    library = runtime()
    return 1 if library is None else int(library.omp_get_max_threads())


def set_num_threads(threads: int) -> None:
    """Kernels of this process run on so many threads from here on.

    To begin with they take as many as ``OMP_NUM_THREADS`` says, else as many as there are cores. The OpenMP of clang
    and zig keeps the number by thread: there it holds for kernels that the calling thread calls.

    Args:
        threads: their number, 1 or more.

    Raises:
        CompileError: ``runtime/threads`` for what is not a number of threads; ``runtime/no-c-compiler``.
    """
    number, library = _check(threads), runtime()
    if library is not None:
        library.omp_set_num_threads(number)


@contextmanager
def threads(number: int) -> Iterator[None]:
    """Within it, kernels that this thread calls run on so many threads, whatever the others do.

    Examples:
        >>> import heddle as hd
        >>> with hd.threads(1):
        ...     hd.get_num_threads()
        1

    Args:
        number: of threads, 1 or more.

    Raises:
        CompileError: as :func:`set_num_threads`.
    """
    number, library = _check(number), runtime()
    if library is None:
        yield
        return
    here = hasattr(library, "heddle_threads_here")
    # The OpenMP of clang keeps the number by thread.
    use = library.heddle_threads_here if here else library.omp_set_num_threads
    before = library.heddle_threads_here(number) if here else library.omp_get_max_threads()
    use(number)
    try:
        yield
    finally:
        use(before)


@cache
def runtime() -> Any | None:
    """What runs the parallel regions of kernels, loaded; None where they have none.

    Raises:
        CompileError: ``runtime/no-c-compiler``.
    """
    compiler, ctypes = toolchain.discover(), c_types()
    pool = compiled.thread_pool(compiler)
    if pool is not None:
        library = ctypes.CDLL(str(pool))
        library.heddle_spin.restype = ctypes.c_long
        return library
    match compiler.openmp:
        case None:
            return None
        case "libiomp5":
            library = ctypes.CDLL(str(toolchain.intel_openmp()))
            if not _WAITING.intersection(os.environ):
                _bound_waiting(library)
                if hasattr(os, "register_at_fork"):  # a forked child starts from the defaults of the library
                    os.register_at_fork(after_in_child=lambda: _bound_waiting(library))
            return library
        case name:
            return ctypes.CDLL(f"{name}.so")


def _bound_waiting(library: Any) -> None:
    """Threads of Intel's OpenMP that wait keep their core about as long as those of our pool, and not for 200 ms."""
    library.kmp_set_defaults(b"KMP_BLOCKTIME=50us")


def _check(threads: int) -> int:
    try:
        number = 0 if isinstance(threads, bool) else index(threads)
    except TypeError:
        number = 0
    if 1 <= number <= MOST:
        return number
    raise CompileError(
        Diagnostic(
            code="runtime/threads",
            message=f"{threads!r} is not a number of threads.",
            expected=f"a whole number from 1 to {MOST}",
            actual=repr(threads),
            hint="One thread per core is the usual number: os.cpu_count().",
        )
    )
