"""What a person may want of a schedule: each goal that is shown compiles, and does what it says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heddle.explorer.schedule_sketches import find_reachable
from heddle.pipeline import lower
from heddle.plan import plan_from_arguments

SPMV = "y(i) = A(i,j) * x(j)"
SPMM = "C(i,k) = A(i,j) * B(j,k)"
CSR = {"A": "csr"}
ENTRIES = ("fuse(i, j, f)", "pos(f, p, A)", "split(p, p0, p1, 64)", "parallelize(p0, CPUThread, Atomics)")


def goals(expression: str, formats: dict[str, str], *schedule: str, target: str = "c") -> dict[str, tuple[str, ...]]:
    """The new commands of each goal; every schedule compiles and changes the code."""
    plan = plan_from_arguments(expression, formats, schedule, target)
    result = lower(plan)
    found = find_reachable(result)
    for one in found:
        made = lower(replace(plan, schedule=one.schedule))
        assert made.ok
        assert made.source is not None
        assert result.source is None or made.source.text != result.source.text
    return {one.goal.name: one.commands for one in found}


def test_a_sum_over_rows() -> None:
    assert goals(SPMV, CSR) == {
        "equal-work": ("balance(i, i0, i1, A, 64)", "parallelize(i0, CPUThread, NoRaces)"),
        "threads": ("split(i, i0, i1, 64)", "parallelize(i0, CPUThread, NoRaces)"),
        "lanes": ("parallelize(j, CPUVector, ParallelReduction)",),
        "fewer-steps": ("unroll(j, 4)",),
    }


def test_the_columns_of_a_dense_operand_are_cut_into_tiles_for_the_cache() -> None:
    found = goals(SPMM, CSR)
    assert found["reuse"] == ("split(k, k0, k1, 32)", "reorder(k0, i, j, k1)")
    assert found["lanes"] == ("parallelize(k, CPUVector, NoRaces)",)


def test_where_rows_cannot_be_balanced_the_entries_are() -> None:
    found = goals("A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", {"B": "csf"})
    assert found["equal-work"][2] == "pos(ikl, iklpos, B)"
    assert found["equal-work"][-1] == "parallelize(ikl0, CPUThread, Atomics)"


def test_atomic_updates_become_partial_results_in_the_place_of_the_command() -> None:
    found = goals(SPMV, CSR, *ENTRIES)
    assert found["fewer-atomics"] == ("parallelize(p0, CPUThread, ParallelReduction)",)
    assert {"equal-work", "threads"}.isdisjoint(found)


def test_a_sparse_result_gets_its_workspace_with_the_goal() -> None:
    found = goals("C(i,j) = A(i,k) * B(k,j)", {"A": "csr", "B": "csr", "C": "csr"})
    assert found["equal-work"][0].startswith("precompute(A(i,k) * B(k,j), j, ")
    assert found["equal-work"][-1] == "parallelize(i0, CPUThread, NoRaces)"


def test_behind_a_mistake_the_goals_start_from_what_applies() -> None:
    found = goals(SPMV, CSR, "split(i, i0, i1, 32)", "split(q, q0, q1, 4)")
    assert found["fewer-steps"] == ("unroll(j, 4)",)


def test_a_gpu_has_goals_of_its_own() -> None:
    found = goals(SPMV, CSR, "reorder(i, j)", target="cuda")
    assert list(found) == ["whole-gpu"]
    assert found["whole-gpu"][-1].startswith("parallelize(thread, GPUThread")


@pytest.mark.parametrize("expression", ["y(i) = A(i,", "s = a(i) * b(i)", "a = b"])
def test_any_program_may_have_none(expression: str) -> None:
    for commands in goals(expression, {}).values():
        assert commands
