"""Rules look at the loops that a plan starts with: their schedules are right for plans of every version."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heddle.plan import plan_from_arguments
from heddle.tuning.facts.machine import Machine
from heddle.tuning.search.suggest import Suggestion, suggest
from tests.compiler.tuning.programs import ALL_CSR, GEMM, MTTKRP, SDDMM, SPMM, SPMV, TTM
from tests.differential.check import check

MACHINE = Machine(threads=2, vector_bytes=64, registers=32, cache_bytes=32 << 20)
SCATTERED = "A(k,r) = B(i,k,l) * C(i,r) * D(l,r)"


def suggested(expression: str, formats: dict[str, str], version: int) -> Suggestion:
    return suggest(replace(plan_from_arguments(expression, formats), version=version), None, MACHINE)


@pytest.mark.combinations(2)
@pytest.mark.parametrize(
    ("expression", "formats"),
    [
        (SPMV, {"A": "csr"}),
        (SPMM, {"A": "csr"}),
        (SPMM, {"A": "csc"}),
        (SPMM, {"A": "sell(8)"}),
        (SPMM, {"A": "bcsr(8)"}),
        (SPMM, {"A": "bcsr(2,2)"}),
        (SDDMM, {"B": "csr"}),
        (GEMM, ALL_CSR),
        (GEMM, {"A": "csr", "B": "csr"}),
        (TTM, {"B": "csf"}),
        (MTTKRP, {"B": "csf"}),
        (SCATTERED, {"B": "csf"}),
    ],
)
def test_a_rule_schedules_plans_of_both_versions(expression: str, formats: dict[str, str]) -> None:
    first, second = (suggested(expression, formats, version) for version in (1, 2))
    assert first.rule == second.rule
    assert first.result.graphs[-1].statement == second.result.graphs[-1].statement
    assert first.result.plan.version == 1
    few = {"r", "l"} & set(expression)  # columns of tensors of order 3, which take long
    check(expression, formats, "\n".join(first.schedule), sizes=dict.fromkeys(few, 3), version=1)


def test_a_loop_that_is_in_its_place_is_not_moved() -> None:
    assert suggested(SCATTERED, {"B": "csf"}, 1).schedule[0] == "reorder(i, k, l, r)"
    assert suggested(SCATTERED, {"B": "csf"}, 2).schedule == ("parallelize(r, CPUVector, NoRaces)",)


@pytest.mark.parametrize(
    ("expression", "formats", "schedule"),
    [
        (
            "y(i) = A(j,i) * x(j)",
            {},
            ("divide(i, i0, i1, 2)", "reorder(i0, j, i1)", "parallelize(i0, CPUThread, NoRaces)"),
        ),
        ("C(i,j,k) = A(l,i) * B(l,j) * D(l,k)", {}, ("parallelize(i, CPUThread, NoRaces)",)),
        (
            "C(i,k,l) = A(i,j) * B(j,k,l)",
            {"A": "csc"},
            ("reorder(k, j, i, l)", "parallelize(k, CPUThread, NoRaces)"),
        ),
    ],
)
def test_threads_share_a_loop_inside_of_sums(
    expression: str, formats: dict[str, str], schedule: tuple[str, ...]
) -> None:
    """The outermost one adds into the same places in every iteration, so that it cannot be shared."""
    suggestion = suggested(expression, formats, 2)
    assert (suggestion.rule, suggestion.schedule) == ("outer-threads", schedule)
    assert ("because iterations of j write to the same places" in suggestion.reasons[0]) == (len(schedule) > 1)
    check(expression, formats, "\n".join(schedule))


def test_columns_of_which_every_row_is_summed_up_are_no_tiles() -> None:
    """No loop of the sparse operand is one of the result's."""
    assert suggested("y(k) = A(i,j) * B(j,k)", {"A": "csr"}, 2).rule != "register-tiles"
