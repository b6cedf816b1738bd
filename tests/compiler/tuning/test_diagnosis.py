"""After a run: each rule says what it is certain of, with the numbers of the run and a repair that compiles."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from heddle.pipeline import lower
from heddle.plan import Plan, TensorSpec
from heddle.runtime.native.quiet_moment import Spread
from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.tensor import Tensor
from heddle.tuning.diagnosis.finished import Diagnosis, Finished, waking
from heddle.tuning.diagnosis.table import RULES, diagnose
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.program import program_of
from heddle.tuning.facts.statistics import statistics_of
from tests.compiler.tuning.programs import SPMV

TWO = Machine(2, 64, 32, 1 << 20, region_seconds=5e-6, region_spread=Spread(5e-6, 4e-6, 6.5e-6, 9))
TILED = ("split(i, i0, i1, 3)", "parallelize(i0, CPUThread, NoRaces)")


def banded(rows: int, diagonals: int = 3) -> Any:
    return sparse.diags_array([np.ones(rows)] * diagonals, offsets=range(diagonals), shape=(rows, rows)).tocsr()


def skewed(rows: int, heavy: int) -> Any:
    """``heavy`` rows at the top with 500 entries each, one entry in each other row."""
    lengths = np.where(np.arange(rows) < heavy, 500, 1)
    columns = np.concatenate([np.arange(length) for length in lengths])
    return sparse.csr_array((np.ones(columns.size), columns, np.append(0, np.cumsum(lengths))), shape=(rows, rows))


def finished(
    matrix: Any,
    schedule: tuple[str, ...] = (),
    seconds: float = 44.5e-6,
    unscheduled: float | None = None,
    machine: Machine = TWO,
    format: str = "csr",
    bandwidth_share: float | None = None,
) -> Finished:
    plan = Plan(SPMV, {"A": TensorSpec(format=format)} if format != "dense" else {}, schedule)
    assert lower(plan).ok
    made = lower(plan).signature
    assert made is not None
    operands: dict[str, Tensor] = {
        "A": pack(matrix, made.tensors["A"].format, "float64", "A", 0),
        "x": pack(np.ones(matrix.shape[1]), made.tensors["x"].format, "float64", "x", 0),
    }
    looked_at = {"A": statistics_of(operands["A"])} if format != "dense" else {}
    program = program_of(plan, looked_at, machine, {name: one.shape for name, one in operands.items()})
    nonzeros = {"A": int(matrix.nnz), "x": int(matrix.shape[1])}
    return Finished(plan, program, operands, nonzeros, seconds, unscheduled, bandwidth_share)


def repaired(run: Finished, found: Diagnosis) -> Plan:
    """The plan after the repair, which must compile."""
    assert found.fix is not None
    plan = run.plan if found.fix.schedule is None else replace(run.plan, schedule=found.fix.schedule)
    for tensor, text in (found.fix.formats or {}).items():
        plan = replace(plan, tensors={**plan.tensors, tensor: TensorSpec(format=text)})
    assert lower(plan).ok
    return plan


def test_few_operations_want_one_thread() -> None:
    run = finished(banded(2000), TILED, unscheduled=9.1e-6)
    found = diagnose(run)
    assert found is not None
    assert found.text == (
        "About 5,997 operations are too few for 2 threads: waking them takes 5 µs (4 µs to 6.5 µs in 9 quiet moments). "
        "Without its schedule the kernel takes 9.1 µs in place of 44.5 µs: one thread is faster."
    )
    assert repaired(run, found).schedule == ("split(i, i0, i1, 3)",)


def test_small_tiles_become_large_ones() -> None:
    run = finished(banded(60_000), ("split(i, i0, i1, 3)",), seconds=300e-6, unscheduled=100e-6)
    found = diagnose(run)
    assert found is not None
    assert found.text == (
        "20,000 tiles of 3: the loop over the tiles of i costs more than what is in them. Without its schedule the "
        "kernel takes 100 µs in place of 300 µs. Try 256."
    )
    assert repaired(run, found).schedule == ("split(i, i0, i1, 256)",)


@pytest.mark.parametrize("unscheduled", [None, 500e-6])
def test_small_tiles_that_cost_nothing_are_left_alone(unscheduled: float | None) -> None:
    run = finished(banded(60_000), TILED, seconds=300e-6, unscheduled=unscheduled)
    assert diagnose(run) is None


def test_a_part_with_most_of_the_nonzeros_is_shared_out() -> None:
    schedule = ("divide(i, i0, i1, 2)", "parallelize(i0, CPUThread, NoRaces)")
    run = finished(skewed(4000, 200), schedule)
    found = diagnose(run)
    assert found is not None
    assert found.text == (
        "One of 2 parts of i holds 98% of the 103,800 nonzeros of A, where each of 2 threads should have 50%: the "
        "others wait for it."
    )
    assert repaired(run, found).schedule == ("balance(i, i0, i1, A, 16)", "parallelize(i0, CPUThread, NoRaces)")


def test_parts_that_are_alike_are_left_alone() -> None:
    schedule = ("divide(i, i0, i1, 2)", "parallelize(i0, CPUThread, NoRaces)")
    assert diagnose(finished(banded(60_000), schedule)) is None


def test_work_for_all_threads_on_one() -> None:
    run = finished(banded(200_000), seconds=400e-6)
    found = diagnose(run)
    assert found is not None
    assert found.text == (
        "About 599,997 operations in 400 µs, all on one of 2 threads: the schedule shares nothing out, and waking the "
        "threads takes 5 µs (4 µs to 6.5 µs in 9 quiet moments)."
    )
    assert repaired(run, found).schedule == ("parallelize(i, CPUThread, NoRaces)",)


def test_what_waking_takes_is_of_quiet_moments_or_of_most_machines() -> None:
    """A run said 714 µs and another 541 ns, each of the one moment in which it looked."""
    assert waking(replace(TWO, region_spread=Spread(7e-6, 7e-6, 7e-6, 1))) == "7 µs (1 quiet moment)"
    assert waking(replace(TWO, region_seconds=8e-6, region_spread=None)) == "8 µs on most machines"


def test_one_thread_is_all_there_is() -> None:
    assert diagnose(finished(banded(200_000), machine=replace(TWO, threads=1))) is None


def long_row() -> Any:
    """300 entries in the first row, one in each of the others."""
    columns = np.append(np.arange(300), np.arange(299))
    return sparse.csr_array((np.ones(599), columns, np.append(0, 300 + np.arange(300))), shape=(300, 300))


@pytest.mark.parametrize(
    ("format", "words"),
    [
        ("dense", "A is stored dense: 99.3% of its 90,000 values are zeros."),
        ("ell", "The format of A stores 90,000 values for 599 nonzeros: 150.3 for each, the rest is padding."),
    ],
)
def test_a_format_that_stores_zeros(format: str, words: str) -> None:
    run = finished(long_row(), format=format)
    found = diagnose(run)
    assert found is not None
    assert found.text == words
    assert repaired(run, found).tensors["A"].format == "csr"


def test_a_format_that_stores_little_else_is_left_alone() -> None:
    assert diagnose(finished(long_row())) is None


def test_empty_rows_are_not_stored() -> None:
    matrix = sparse.csr_array((np.ones(50), (np.arange(50) * 300, np.arange(50))), shape=(20_000, 20_000))
    run = finished(matrix)
    found = diagnose(run)
    assert found is not None
    assert found.text == (
        "19,950 of 20,000 rows of A are empty, and the loop visits them all: dcsr stores only the 50 that hold "
        "something."
    )
    assert repaired(run, found).tensors["A"].format == "dcsr"


def test_what_is_as_fast_as_the_memory_needs_fewer_bytes() -> None:
    run = finished(banded(200_000), ("parallelize(i, CPUThread, NoRaces)",), bandwidth_share=0.93)
    found = diagnose(run)
    assert found is not None
    assert found.fix is None
    assert found.text.startswith("The kernel moves its operands at 93% of the bandwidth that STREAM reaches")
    assert diagnose(replace(run, bandwidth_share=0.5)) is None


def test_every_rule_is_asked_at_most_once() -> None:
    assert len(set(RULES)) == len(RULES)
