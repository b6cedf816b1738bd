"""A forked child works behind a parallel region of its parent: it makes threads of its own. libgomp waited there for
threads that only the parent has."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
import pytest

import heddle as hd
from heddle.runtime.native import threads
from heddle.runtime.native.toolchain import POOL, discover

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork"),
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
]
ROWS, ENTRIES, LONGEST_SECONDS = 3000, 200_000, 120
_rng = np.random.default_rng(0)
COORDINATES = np.unique(_rng.integers(0, ROWS, (2, ENTRIES)), axis=1)
MATRIX = (COORDINATES, _rng.integers(-9, 9, COORDINATES.shape[1]).astype(float), (ROWS, ROWS))
X = _rng.integers(-9, 9, ROWS).astype(float)
EXPECTED = np.bincount(COORDINATES[0], MATRIX[1] * X[COORDINATES[1]], ROWS)


def work() -> int:
    """Packs a matrix on threads and multiplies it on threads, two or more; how many there are then."""
    with hd.threads(3):
        kernel = hd.compile("y(i) = A(i,j) * x(j)", {"A": "csr"}, "parallelize(i, CPUThread, NoRaces)")
        np.testing.assert_array_equal(kernel(A=hd.pack(MATRIX, "csr"), x=X).to_numpy(), EXPECTED)
    return begun()


def begun() -> int:
    """The threads of our own pool, where kernels run on it; else how many another OpenMP would take."""
    library = threads.runtime()
    return int(library.heddle_threads_begun()) if hasattr(library, "heddle_threads_begun") else hd.get_num_threads()


def child_of(run: Callable[[], object]) -> int:
    """The status of a child that runs this; it is ended where it hangs."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            run()
            status = 0
        finally:
            os._exit(status)
    deadline = time.monotonic() + LONGEST_SECONDS
    while time.monotonic() < deadline:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    raise AssertionError("the forked child hangs")


def test_a_child_computes_behind_a_region_of_its_parent() -> None:
    before = work()
    assert child_of(work) == 0
    assert work() == before  # the parent's threads are still there


@pytest.mark.skipif(discover().openmp != POOL, reason=f"kernels run on the threads of {discover().openmp}")
def test_a_child_has_threads_of_its_own() -> None:
    there = work()

    def fresh() -> None:
        assert begun() == 1
        assert work() == min(there, 3)

    assert child_of(fresh) == 0


def test_a_childs_child_computes() -> None:
    work()

    def nested() -> None:
        work()
        assert child_of(work) == 0

    assert child_of(nested) == 0


def test_a_child_of_a_thread_computes_while_others_do() -> None:
    ends, found = threading.Event(), list[int]()

    def busy() -> None:
        while not ends.is_set():
            work()

    others = [threading.Thread(target=busy) for _ in range(2)]
    for other in others:
        other.start()
    forking = threading.Thread(target=lambda: found.extend(child_of(work) for _ in range(3)))
    forking.start()
    forking.join(4 * LONGEST_SECONDS)
    ends.set()
    for other in others:
        other.join(LONGEST_SECONDS)
    assert found == [0, 0, 0]


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_pools_of_processes(method: str) -> None:
    work()
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(2, context) as pool:
        found = [pool.submit(partial(work)).result(LONGEST_SECONDS) for _ in range(2)]
    assert set(found) <= ({1, 3} if discover().openmp == POOL else {begun()})
