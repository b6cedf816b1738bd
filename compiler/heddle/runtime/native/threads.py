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
from heddle.runtime.native.cpu import available_cores

MOST = 4095
_WAITING = frozenset({"KMP_BLOCKTIME", "KMP_LIBRARY", "OMP_WAIT_POLICY"})
"""By these variables people say themselves how threads of Intel's OpenMP wait."""


def get_num_threads() -> int:
    """The number of threads that a kernel called here runs on, where its schedule uses threads.

    Without a C compiler that holds for kernels that :func:`heddle.load` has, or will load.
    """
    try:
        library = runtime()
    except toolchain.MissingCompilerError:
        return SAVED.number()
    return 1 if library is None else int(library.omp_get_max_threads())


def set_num_threads(threads: int) -> None:
    """Kernels of this process run on so many threads from here on.

    To begin with they take as many as ``OMP_NUM_THREADS`` says when the first kernel is loaded, at most
    ``OMP_THREAD_LIMIT``, else as many as there are cores. ``threadpool_limits`` of threadpoolctl holds for kernels. The
    OpenMP of clang and zig keeps the number by thread: there it holds for kernels that the calling thread calls.
    Without a C compiler it holds for loaded kernels.

    Threads that wait spin for microseconds and then sleep. With ``OMP_WAIT_POLICY=passive`` they sleep at once, with
    ``active`` never; for the OpenMP of clang and zig ``KMP_BLOCKTIME`` says when.

    Parameters
    ----------
    threads
        their number, 1 or more.

    Raises
    ------
    CompileError
        ``runtime/threads`` for what is not a number of threads.
    """
    number = _check(threads)
    try:
        library = runtime()
    except toolchain.MissingCompilerError:
        SAVED.set_number(number)
        return
    if library is not None:
        library.omp_set_num_threads(number)


@contextmanager
def threads(number: int) -> Iterator[None]:
    """Within it, kernels that this thread calls run on so many threads, whatever the others do.

    Parameters
    ----------
    number
        of threads, 1 or more.

    Raises
    ------
    CompileError
        as :func:`set_num_threads`.

    Examples
    --------
    >>> import heddle as hd
    >>> with hd.threads(1):
    ...     hd.get_num_threads()
    1
    """
    number = _check(number)
    try:
        library = runtime()
    except toolchain.MissingCompilerError:
        before = SAVED.number()
        SAVED.set_number(number)
        try:
            yield
        finally:
            SAVED.set_number(before)
        return
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


class SavedThreads:
    """The threads of saved kernels where there is no compiler, with the number that was asked for before they came."""

    def __init__(self) -> None:
        self._wanted: int | None = None
        self._library: Any | None = None

    def take(self, library: Any) -> None:
        """``library`` is the pool that a saved kernel brought."""
        self._library = library
        if self._wanted is not None:
            library.omp_set_num_threads(self._wanted)

    def set_number(self, number: int) -> None:
        """For loaded kernels, and for those to come."""
        self._wanted = number
        if self._library is not None:
            self._library.omp_set_num_threads(number)

    def number(self) -> int:
        """As the pool says, else as it will begin."""
        if self._library is not None:
            return int(self._library.omp_get_max_threads())
        named = os.environ.get("OMP_NUM_THREADS", "")
        return self._wanted or (int(named) if named.isdecimal() and int(named) else available_cores())


SAVED = SavedThreads()


@cache
def runtime() -> Any | None:
    """What runs the parallel regions of kernels, loaded; None where they have none.

    Raises
    ------
    CompileError
        ``runtime/no-c-compiler``.
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
