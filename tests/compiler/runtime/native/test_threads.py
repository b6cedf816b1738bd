"""How many threads kernels run on, and that another library's threads find a core between them."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import heddle as hd
from heddle.runtime.native import cache, library, threads, toolchain
from tests.errors.expect import refusal

ROOT = Path(__file__).resolve().parents[4]
ROWS = 40_000
pytestmark = pytest.mark.skipif(toolchain.discover().openmp != toolchain.POOL, reason="threads of another OpenMP")


@pytest.fixture(autouse=True)
def number() -> Iterator[None]:
    before = hd.get_num_threads()
    yield
    hd.set_num_threads(before)


@pytest.fixture(scope="module")
def numbered() -> hd.Kernel:
    """Rows on threads, of a matrix with an entry in each."""
    return hd.compile("y(i) = A(i,j) * x(j)", {"A": "csr"}, "parallelize(i, CPUThread, NoRaces)")


def call(kernel: hd.Kernel) -> None:
    places = np.arange(ROWS)
    x = np.arange(ROWS, dtype=float)
    matrix = (np.stack([places, places[::-1]]), np.full(ROWS, 2.0), (ROWS, ROWS))
    np.testing.assert_array_equal(kernel(A=hd.pack(matrix, "csr"), x=x).to_numpy(), 2 * x[::-1])


def begun() -> int:
    library = threads.runtime()
    assert library is not None
    return int(library.heddle_threads_begun())


def in_thread(*calls: object) -> None:
    def run() -> None:
        for each in calls:
            each()  # type: ignore[operator]

    worker = threading.Thread(target=run)
    worker.start()
    worker.join(60)
    assert not worker.is_alive()


def test_kernels_run_on_as_many_threads_as_set(numbered: hd.Kernel) -> None:
    counted = list[int]()
    for number in (1, 3, 2):
        hd.set_num_threads(number)
        assert hd.get_num_threads() == number
        in_thread(lambda: call(numbered), lambda: counted.append(begun()))
    assert counted == [1, 3, 2]


def test_a_block_counts_for_its_own_thread(numbered: hd.Kernel) -> None:
    hd.set_num_threads(2)
    others, counted = list[int](), list[int]()
    with hd.threads(5):
        assert hd.get_num_threads() == 5
        in_thread(lambda: others.append(hd.get_num_threads()))
        with hd.threads(1):
            assert hd.get_num_threads() == 1
        assert hd.get_num_threads() == 5
    assert (hd.get_num_threads(), others) == (2, [2])

    def four() -> None:
        with hd.threads(4):
            call(numbered)
        counted.append(begun())

    in_thread(four)
    assert counted == [4]


@pytest.mark.parametrize("number", [0, -2, 2.0, "2", True, None, 4096])
def test_what_is_not_a_number_of_threads_is_refused(number: object) -> None:
    for use in (hd.set_num_threads, lambda wrong: hd.threads(wrong).__enter__()):
        found = refusal(lambda use=use: use(number))  # type: ignore[misc]
        assert found.code == "runtime/threads"
        assert found.message == f"{number!r} is not a number of threads."
        assert found.expected == "a whole number from 1 to 4095"


ASKED = """
import os, sys
import heddle as hd
from heddle.runtime.native import threads
print(hd.get_num_threads(), sum("libgomp.so" in line for line in open("/proc/self/maps")), threads.runtime()._name)
"""


@pytest.mark.parametrize(
    ("variables", "number"),
    [({"OMP_NUM_THREADS": "3"}, "3"), ({"OMP_NUM_THREADS": "9,2", "OMP_THREAD_LIMIT": "5"}, "5")],
)
def test_the_environment_says_how_many_to_begin_with(variables: dict[str, str], number: str) -> None:
    given = {**os.environ, **variables}
    done = subprocess.run(
        [sys.executable, "-c", ASKED], capture_output=True, text=True, check=True, cwd=ROOT, env=given
    )
    found = done.stdout.split()
    assert found[:2] == [number, "0"]
    # By this beginning threadpoolctl knows a runtime of OpenMP, whose number of threads it then reads and sets.
    assert Path(found[2]).name.startswith("libgomp-heddle-")


def test_programs_that_know_openmp_set_the_number(numbered: hd.Kernel) -> None:
    library = threads.runtime()
    assert library is not None
    library.omp_set_num_threads(ctypes.c_int(3))
    assert (hd.get_num_threads(), library.omp_get_max_threads(), library.omp_get_num_threads()) == (3, 3, 1)


SPINNING = """
import os
import numpy as np
import heddle as hd
from heddle.runtime.native import threads
hd.set_num_threads(2)
kernel = hd.compile("y(i) = x(i) * 2", schedule="parallelize(i, CPUThread, NoRaces)")
kernel(x=np.ones(8))
print(threads.runtime().heddle_spin())
"""


@pytest.mark.takes_turns(8, among="whole programs")
@pytest.mark.parametrize(
    ("policy", "least", "most"), [("passive", 0, 0), (None, 1_000, 100_000), ("ACTIVE", 10**15, None)]
)
def test_waiting_threads_keep_their_core_for_a_bounded_time(policy: str | None, least: int, most: int | None) -> None:
    """Threads of OpenBLAS waited 8 ms for the core on which a thread of a kernel waited for the next one."""
    given = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"}
    if policy is not None:
        given["OMP_WAIT_POLICY"] = policy
    done = subprocess.run(
        [sys.executable, "-c", SPINNING], capture_output=True, text=True, check=True, cwd=ROOT, env=given
    )
    nanoseconds = int(done.stdout)
    assert nanoseconds >= least
    assert most is None or nanoseconds <= most


PARTS = """
#include <stdint.h>

int omp_get_thread_num(void);
long heddle_taken_over(void);

/* Adds to `done` what each member of so many regions has done: regions without a barrier, then regions with one. */
int32_t regions(int64_t count, int64_t threads, int64_t* done) {
  for (int64_t region = 0; region < count; region++) {
    const int64_t members = 2 + region % (threads - 1);
    #pragma omp parallel num_threads(members)
    done[omp_get_thread_num()]++;
    int64_t sum = 0;
    #pragma omp parallel for schedule(guided) num_threads(members) reduction(+ : sum)
    for (int64_t k = 0; k < 64; k++) sum += k;
    done[threads] += sum == 64 * 63 / 2;
    if (region % 16) continue;
    #pragma omp parallel num_threads(members)
    {
      #pragma omp barrier
      done[omp_get_thread_num()]++;
    }
  }
  return (int32_t)heddle_taken_over();
}
"""


def test_the_part_of_a_thread_that_comes_late_is_done_once_and_by_another() -> None:
    """Threads that a busy machine woke late were waited for: for 160 ms, in a kernel of 1 ms."""
    count, members, taken_over = 3000, 5, list[int]()
    done = np.zeros(members + 1, np.int64)

    def run() -> None:
        regions = library.load(cache.shared_library(PARTS, "1"), "regions")
        taken_over.append(regions(ctypes.c_int64(count), ctypes.c_int64(members), library.pointer(done)))

    in_thread(run)
    sizes = 2 + np.arange(count) % (members - 1)
    expected = [(sizes > member).sum() + (sizes[::16] > member).sum() for member in range(members)]
    assert done.tolist() == [*expected, count]
    assert taken_over[0] > 0


@pytest.mark.skipif(not hasattr(os, "SCHED_BATCH"), reason="another system")
def test_woken_threads_put_nobody_off_a_core(numbered: hd.Kernel) -> None:
    """The thread that began a region was: another program then had its core for milliseconds."""
    policies = list[list[int]]()

    def look() -> None:
        before = {int(number) for number in os.listdir("/proc/self/task")}
        with hd.threads(3):
            call(numbered)
        begun = {int(number) for number in os.listdir("/proc/self/task")} - before
        # A new thread may still wait for its first turn.
        end = time.monotonic() + 30
        while os.SCHED_OTHER in map(os.sched_getscheduler, begun) and time.monotonic() < end:
            time.sleep(0.001)
        policies.extend([[os.sched_getscheduler(0)], [*map(os.sched_getscheduler, begun)]])

    in_thread(look)
    assert policies == [[os.SCHED_OTHER], [os.SCHED_BATCH] * 2]
