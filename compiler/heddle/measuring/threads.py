"""The number of threads of everything that this process times."""

from __future__ import annotations

import os

from heddle.measuring.waiting import let_libraries_wait_alike
from heddle.runtime.native.blas_threads import use_threads
from heddle.runtime.native.cpu import available_cores


def set_threads(wanted: int | None) -> int:
    """The same number of threads for every library: the plan's, but not more than there are cores."""
    threads = min(wanted or available_cores(), available_cores())
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = str(threads)
    let_libraries_wait_alike()
    os.environ.setdefault("OMP_DYNAMIC", "false")
    os.environ.setdefault("MKL_DYNAMIC", "false")
    # What is loaded already has read the environment.
    use_threads(threads)
    return threads
