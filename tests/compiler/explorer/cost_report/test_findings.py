"""What the account finds, and that each repair that it offers was counted: it changes what it says that it changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import heddle as hd
from heddle.explorer.cost_report.account import Account, entries
from heddle.explorer.cost_report.findings.finding import Finding
from heddle.explorer.cost_report.findings.table import findings
from heddle.explorer.cost_report.run import wrong
from heddle.lowering.environment.loop_sums import Unsegmented
from heddle.lowering.function import find_unsegmented
from heddle.pipeline import lower
from heddle.plan import parse_plan
from tests.compiler.explorer.cost_report.test_work import SPMM, SPMV


def skewed(rows: int, columns: int) -> np.ndarray[Any, Any]:
    """Row i has entries in its first columns, most of them in the first rows."""
    matrix = np.zeros((rows, columns))
    for row in range(rows):
        matrix[row, : max(1, columns >> (row // 2))] = row + 1
    return matrix


def scattered(rows: int, columns: int, nnz: int) -> np.ndarray[Any, Any]:
    matrix = np.zeros(rows * columns)
    matrix[np.random.default_rng(7).permutation(rows * columns)[:nnz]] = 1
    return matrix.reshape(rows, columns)


def account(
    expression: str, formats: dict[str, str], operands: dict[str, Any], schedule: list[str], target: str = "c"
) -> Account:
    tensors = {tensor: {"format": format} for tensor, format in formats.items()}
    plan = {"version": 2, "expression": expression, "tensors": tensors, "schedule": schedule, "target": target}
    result = lower(parse_plan(plan))
    result.raise_errors()
    return Account(result, operands)


def found(rule: str, one: Account) -> Finding:
    return next(each for each in findings(one) if each.rule == rule)


def repaired(one: Account, finding: Finding) -> Account:
    """The account of the plan with the repair, whose result must be right."""
    assert finding.fix is not None
    formats = {name: spec.format or "dense" for name, spec in one.result.plan.tensors.items()}
    fix = finding.fix
    schedule = list(one.result.plan.schedule if fix.schedule is None else fix.schedule)
    plan = one.result.plan
    changed = account(plan.expression, {**formats, **(fix.formats or {})}, dict(one.operands), schedule, plan.target)
    assert wrong(changed.result, changed.operands, changed.run) is None
    return changed


MATRIX = skewed(24, 24)
UNEVEN = {"A": MATRIX, "x": np.arange(1.0, 25)}


@pytest.mark.parametrize(
    "schedule",
    [
        ["parallelize(i, CPUThread, NoRaces)"],
        ["divide(i, i0, i1, 6)", "parallelize(i0, CPUThread, NoRaces)"],
        ["split(i, i0, i1, 4)", "parallelize(i0, CPUThread, NoRaces)"],
    ],
)
def test_unequal_shares_become_more_equal(schedule: list[str]) -> None:
    one = account(SPMV, {"A": "csr"}, UNEVEN, schedule)
    finding = found("uneven-workers", one)
    assert f"{one.counts.imbalance:.2f} times the mean" in finding.text
    after = repaired(one, finding).counts
    assert after.imbalance < 0.85 * one.counts.imbalance
    assert finding.gain is not None
    assert finding.gain.startswith(f"The largest share becomes {after.imbalance:.2f} times the mean")


def test_a_tensor_that_comes_from_memory_again_is_used_while_it_is_there() -> None:
    operands = {"A": scattered(40, 48, 240), "B": np.ones((48, 40))}
    one = account(SPMM, {"A": "csr"}, operands, [])
    finding = found("far-reuse", one)
    assert finding.text.startswith(f"B misses {one.misses(4096)['B']:,} times in a cache of 4 KiB, ")
    after = repaired(one, finding).misses(4096)
    assert sum(after.values()) <= 0.8 * sum(one.misses(4096).values())
    assert finding.gain is not None
    assert finding.gain.startswith(f"B then misses {after['B']:,} times")


def test_dense_storage_of_a_sparse_matrix() -> None:
    one = account(SPMV, {}, {"A": scattered(16, 16, 20), "x": np.ones(16)}, [])
    finding = found("zeros", one)
    assert "92% of its 256 values" in finding.text
    after = repaired(one, finding)
    assert after.counts.work == 20
    assert finding.gain == "20 values are then stored, and 20 operations are done instead of 256."


def test_what_a_tensor_does_not_store_is_no_entry_whatever_its_value() -> None:
    """Zeros of a matrix whose fill is infinity are entries: they were counted as padding."""
    plan = {
        "version": 2,
        "expression": "d(i) = min(j, A(i,j) + x(j))",
        "tensors": {"A": {"format": "csr", "fill": "inf"}},
    }
    matrix = np.full((8, 8), np.inf)
    np.fill_diagonal(matrix, 0)
    one = Account(lower(parse_plan(plan)), {"A": matrix, "x": np.ones(8)})
    tensor = one.tensor("A")
    assert tensor is not None
    assert np.count_nonzero(entries(tensor)) == 8
    assert not [each for each in findings(one) if each.rule == "zeros"]


def test_empty_rows_are_not_visited() -> None:
    matrix = np.zeros((64, 8))
    matrix[[3, 40]] = 1
    one = account(SPMV, {"A": "csr"}, {"A": matrix, "x": np.ones(8)}, [])
    finding = found("empty-rows", one)
    assert finding.text == "62 of 64 rows of A are empty, and the loop visits them all."
    assert repaired(one, finding).counts.iterations == 18


def test_an_atomic_update_for_each_product() -> None:
    one = account(SPMV, {"A": "csc"}, UNEVEN, ["parallelize(j, CPUThread, Atomics)"])
    finding = found("many-atomics", one)
    assert finding.text.startswith(f"{one.counts.atomics:,} atomic updates for {one.counts.work:,} operations")
    if finding.fix is not None:
        assert repaired(one, finding).counts.atomics <= 0.5 * one.counts.atomics


ROWS = ("fuse(i, j, f)", "pos(f, p, A)")
COLUMNS = ("reorder(j, i)", "fuse(j, i, f)", "pos(f, p, A)")
CHUNKS = ("split(p, p0, p1, 8)", "parallelize(p0, CPUThread, Atomics)")


@pytest.mark.parametrize(
    ("format", "schedule", "loop", "reason"),
    [
        ("csr", (*ROWS, "parallelize(p, CPUThread, Atomics)"), "p", Unsegmented.IN_PARALLEL),
        ("csc", (*COLUMNS, *CHUNKS), "p1", Unsegmented.OTHER_ROWS),
    ],
)
def test_why_rows_are_not_summed_before_they_are_stored(
    format: str, schedule: tuple[str, ...], loop: str, reason: Unsegmented
) -> None:
    operands = {"A": scattered(24, 24, 120), "x": np.arange(1.0, 25)}
    finding = found("many-atomics", account(SPMV, {"A": format}, operands, list(schedule)))
    assert finding.text.endswith(f" The rows of {loop} are not summed in registers, since {reason.value}.")


def test_rows_that_are_summed_need_no_reason() -> None:
    result = hd.lower(SPMV, {"A": "csr"}, (*ROWS, *CHUNKS))
    assert result.lowered_graph is not None
    assert find_unsegmented(result.lowered_graph) == {}


def test_one_thread_for_all_of_the_work() -> None:
    one = account(SPMV, {"A": "csr"}, UNEVEN, [])
    finding = found("one-worker", one)
    assert repaired(one, finding).counts.workers == 24
    assert not findings(account(SPMV, {"A": "csr"}, {"A": np.eye(4), "x": np.ones(4)}, []))


def test_lanes_that_wait_for_the_longest_row() -> None:
    rows = ["split(i, i0, i1, 32)", "parallelize(i0, GPUBlock, NoRaces)", "parallelize(i1, GPUThread, NoRaces)"]
    one = account(SPMV, {"A": "csr"}, UNEVEN, rows, "cuda")
    finding = found("idle-lanes", one)
    assert finding.fix is not None
    assert finding.gain is not None
    assert repaired(one, finding).result.launches


def test_a_run_that_ends_in_a_fault_says_nothing_more() -> None:
    one = account(SPMV, {"A": "csr"}, UNEVEN, ["bound(i, ib, 16, MaxExact)"])
    assert one.run.fault is not None
    assert findings(one) == []
