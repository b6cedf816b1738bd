"""How many threads the libraries of linear algebra use that NumPy and SciPy brought along.

Their sums have other bits with another number of threads. Where a result must not depend on it, they run on one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from heddle.runtime.memory.c_types import c_types

_MAPS = Path("/proc/self/maps")
LIBRARIES = ("openblas", "libmkl_rt", "libblis")
_NAMES = (
    ("scipy_openblas_get_num_threads64_", "scipy_openblas_set_num_threads64_"),
    ("scipy_openblas_get_num_threads", "scipy_openblas_set_num_threads"),
    ("openblas_get_num_threads64_", "openblas_set_num_threads64_"),
    ("openblas_get_num_threads", "openblas_set_num_threads"),
    ("MKL_Get_Max_Threads", "MKL_Set_Num_Threads"),
    ("bli_thread_get_num_threads", "bli_thread_set_num_threads"),
    ("omp_get_max_threads", "omp_set_num_threads"),
)
"""Of functions that say and set the number, as these libraries spell them."""

Control = tuple[Callable[[], int], Callable[[int], object]]


@contextmanager
def limit_blas_threads() -> Iterator[bool]:
    """Within it the libraries that are loaded use one thread. Whether any was found that can be told."""
    controls = _controls()
    before = [get() for get, _ in controls]
    for _, set_threads in controls:
        set_threads(1)
    try:
        yield bool(controls)
    finally:
        for (_, set_threads), threads in zip(controls, before, strict=True):
            set_threads(threads)


def use_threads(threads: int) -> None:
    """So many from here on, for the libraries of linear algebra that are loaded already, and for OpenMP where it is:
    for our kernels, and with libgomp for parallel loops that this thread begins. What is loaded later asks the
    environment."""
    for _, set_threads in loaded_controls((*LIBRARIES, "libgomp")):
        set_threads(threads)


def loaded_controls(libraries: Sequence[str] = LIBRARIES) -> tuple[Control, ...]:
    """What says and sets the number of threads of those that are loaded by now."""
    return tuple(control for path in _find_loaded(libraries) if (control := _control(path)) is not None)


@cache
def _controls() -> tuple[Control, ...]:
    import scipy.linalg.blas  # noqa: F401  loads SciPy's library, so that it is among those that are found

    return loaded_controls()


def _find_loaded(libraries: Sequence[str]) -> list[str]:
    """The paths of libraries with such names in this process; none where the system does not list them."""
    try:
        lines = _MAPS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    paths = dict.fromkeys(line.split(maxsplit=5)[5] for line in lines if len(line.split(maxsplit=5)) == 6)
    return [path for path in paths if any(name in Path(path).name for name in libraries)]


def _control(path: str) -> Control | None:
    try:
        library = c_types().CDLL(path)
    except OSError:
        return None
    for get_name, set_name in _NAMES:
        get, set_threads = getattr(library, get_name, None), getattr(library, set_name, None)
        if get is not None and set_threads is not None:
            get.restype, set_threads.argtypes = c_types().c_int, [c_types().c_int]
            return get, set_threads
    return None
