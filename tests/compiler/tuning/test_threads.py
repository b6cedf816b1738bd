"""A second thread is woken where the work pays for it, by what a parallel region costs on the machine."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from compiler.plan import plan_from_arguments
from compiler.runtime.tensors.coordinates import Entries
from compiler.tuning.facts.machine import Machine
from compiler.tuning.facts.statistics import statistics_of
from compiler.tuning.rules.threads import least_work
from compiler.tuning.search.suggest import suggest
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
    if entries < 60_000:
        assert found.schedule == schedule
    assert bool(found.schedule) == bool(schedule)


def test_more_threads_are_repaid_sooner() -> None:
    assert least_work(replace(MACHINE, threads=4)) == pytest.approx(2 / 3 * least_work(MACHINE))
