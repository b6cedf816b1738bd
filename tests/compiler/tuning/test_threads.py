"""A second thread is woken where the work pays for it, by what a parallel region costs on the machine."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from heddle.plan import plan_from_arguments
from heddle.runtime.tensors.coordinates import Entries
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.statistics import statistics_of
from heddle.tuning.rules.threads import least_work
from heddle.tuning.search.suggest import suggest
from tests.compiler.tuning.programs import SPMV

MACHINE = Machine(threads=2, vector_bytes=32, registers=16, cache_bytes=32 << 20)
SHARED = ("balance(i, i0, i1, A, 2)", "parallelize(i0, CPUThread, NoRaces)")


def diagonals(entries: int) -> Entries:
    rows = np.repeat(np.arange(entries // 4), 4)
    return Entries((entries // 4, entries), (rows, np.arange(4 * (entries // 4))), np.ones(rows.size))


@pytest.mark.parametrize(
    ("microseconds", "entries", "schedule"),
    [
        (0.4, 11_000, ()),  # even where threads spin: the machine may become busy
        (0.4, 13_000, SHARED),
        (8, 23_000, ()),
        (8, 25_000, SHARED),
        (13, 37_000, ()),
        (13, 40_000, SHARED),
        (400, 1_190_000, ()),  # a virtual machine whose cores sleep: a kernel of 0.1 ms would lose by ten times
        (400, 1_210_000, ("parallelize(i, CPUThread, NoRaces)",)),
        (5000, 2_090_000, ()),
        (5000, 2_110_000, ("parallelize(i, CPUThread, NoRaces)",)),
    ],
)
def test_the_work_must_pay_for_the_region(microseconds: float, entries: int, schedule: tuple[str, ...]) -> None:
    machine = replace(MACHINE, region_seconds=microseconds * 1e-6)
    known = {"A": statistics_of(diagonals(entries), (0, 1))}
    found = suggest(plan_from_arguments(SPMV, {"A": "csr"}), known, machine)
    reason = (
        f"About {entries:,} operations: too few to be worth a second thread (a parallel region takes "
        f"{microseconds:.1f} µs)."
    )
    assert (reason in found.reasons) == (not schedule)
    side_by_side, *shared = found.schedule
    assert side_by_side == "unroll(j, 4)"
    if entries < 60_000:
        assert tuple(shared) == schedule
    assert bool(shared) == bool(schedule)


def test_more_threads_are_repaid_sooner() -> None:
    assert least_work(replace(MACHINE, threads=4)) == pytest.approx(2 / 3 * least_work(MACHINE))


@pytest.mark.parametrize(
    ("microseconds", "entries", "alone"),
    [
        (1, 25_000, False),  # threads that come late are not waited for: the quiet machine decides
        (50, 59_000, True),
        (50, 61_000, False),
        (260, 311_000, True),
        (260, 313_000, False),
        (8_000, 839_000, True),  # a runtime that waits for a busy core: longer kernels gain whenever one is free
        (8_000, 841_000, False),
    ],
)
def test_shorter_kernels_than_a_wake_costs_on_a_busy_machine_run_on_one_thread(
    microseconds: float, entries: int, alone: bool
) -> None:
    """A sweep of 1.1 ms on one thread took 80 to 160 ms on two where other programs kept both cores busy."""
    machine = replace(MACHINE, loaded_seconds=microseconds * 1e-6)
    chosen = suggest(plan_from_arguments(SPMV, {"A": "csr"}), {"A": statistics_of(diagonals(entries), (0, 1))}, machine)
    reason = (
        f"About {entries:,} operations, {entries / 1200:,.0f} µs on one thread: less than what more threads cost where "
        f"other programs keep all cores busy ({microseconds:,.0f} µs)."
    )
    assert (not any("CPUThread" in command for command in chosen.schedule)) == (reason in chosen.reasons) == alone


@pytest.mark.parametrize(("size", "alone"), [(100, True), (400, False)])
def test_dense_loops_count_their_iterations(size: int, alone: bool) -> None:
    plan = plan_from_arguments("y(i) = max(j, A(i,j) + x(j))")
    chosen = suggest(plan, {}, MACHINE, {"A": (size, size), "x": (size,)})
    reason = "About 10,000 operations: too few to be worth a second thread (a parallel region takes 8.0 µs)."
    assert (not any("CPUThread" in command for command in chosen.schedule)) == (reason in chosen.reasons) == alone
