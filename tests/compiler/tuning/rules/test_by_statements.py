"""What is suggested for programs of several statements, and for comprehensions of dense operands."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.plan import Plan, TensorSpec
from heddle.tuning.facts.machine import Machine
from heddle.tuning.search.suggest import proposals, suggest
from tests.compiler.comprehensions.programs import CASES
from tests.compiler.comprehensions.test_programs import check_program

MACHINE = Machine(2, 64, 32, 32 << 20, True, 1 << 20)
DENSE = ("fcrelu", "mlp3", "softmax", "norm", "kru", "tmm", "tbmm", "gconv", "conv2d", "2LUT", "sgemm")


def plan_of(name: str) -> Plan:
    case = CASES[name]
    return Plan(case.text, language="comprehension", sizes=case.fixed)


def test_a_layer_is_one_loop_over_its_rows_with_lanes_along_memory() -> None:
    found = suggest(plan_of("fcrelu"), {}, MACHINE)
    assert found.rule == "statements"
    assert found.schedule[:3] == ("together(b, b2)", "together(b, b3)", "parallelize(b, CPUThread, NoRaces)")
    assert "parallelize(i, CPUVector, ParallelReduction)" in found.schedule
    assert len(found.reasons) == 3


def test_one_thread_shares_nothing_out() -> None:
    alone = Machine(1, 64, 32, 32 << 20, True, 1 << 20)
    assert not any("CPUThread" in command for command in suggest(plan_of("fcrelu"), {}, alone).schedule)


def test_one_thread_adds_up_a_row_in_lanes_as_several_do() -> None:
    """The loop over rows, free for once, was taken for that of lanes: a softmax took 1.7 times as long."""
    alone = Machine(1, 64, 32, 32 << 20, True, 1 << 20)
    serial, shared = (suggest(plan_of("softmax"), {}, machine).schedule for machine in (alone, MACHINE))
    assert serial == tuple(command for command in shared if "CPUThread" not in command)
    assert "parallelize(d2, CPUVector, ParallelReduction)" in serial


def test_too_little_work_is_not_worth_a_second_thread() -> None:
    shapes = {"in": TensorSpec(shape=(4, 6)), "weight": TensorSpec(shape=(5, 6))}
    small = Plan(CASES["fcrelu"].text, shapes, language="comprehension")
    found = suggest(small, {}, MACHINE)
    assert not any("CPUThread" in command for command in found.schedule)
    assert found.reasons[0].startswith("About 180 operations: too few to be worth a second thread")
    wide = {"in": TensorSpec(shape=(400_000, 6)), "weight": TensorSpec(shape=(5, 6))}
    found = suggest(Plan(CASES["fcrelu"].text, wide, language="comprehension"), {}, MACHINE)
    assert "parallelize(b, CPUThread, NoRaces)" in found.schedule


def test_sums_over_neighbours_are_lanes() -> None:
    assert suggest(plan_of("tmm"), {}, MACHINE).schedule == (
        "parallelize(m, CPUThread, NoRaces)",
        "parallelize(kk, CPUVector, ParallelReduction)",
    )


def test_other_rules_know_one_statement_over_sparse_operands_better() -> None:
    product = Plan("y(i) = A(i,j) * x(j)", {"A": TensorSpec("csr")})
    assert all(one.rule != "statements" for one in proposals(product, {}, MACHINE))
    mv = Plan(CASES["tmm"].text, {"A": TensorSpec("csr")}, language="comprehension")
    assert all(one.rule != "statements" for one in proposals(mv, {}, MACHINE))


@pytest.mark.combinations(3)
@pytest.mark.parametrize("name", DENSE)
def test_what_is_suggested_is_right(name: str) -> None:
    case = CASES[name]
    schedule = suggest(plan_of(name), {}, MACHINE).schedule
    kernel = hd.compile(case.text, language="comprehension", sizes=case.fixed, schedule=schedule)
    check_program(case.text, case, kernel, dict(case.sizes))
    check_program(case.text, case, kernel, dict.fromkeys(case.sizes, 1))


def test_the_largest_of_a_row_is_found_in_lanes() -> None:
    """It was compared element by element: a softmax took a third longer than NumPy's."""
    assert "parallelize(d, CPUVector, ParallelReduction)" in suggest(plan_of("softmax"), {}, MACHINE).schedule


def test_a_dot_product_beside_a_product_is_computed() -> None:
    """As in a step of conjugate gradients: a sum into a scalar has no parentheses in index notation."""
    text = """def step(double(N,N) A, double(N) p) -> (q, s) { q(i) +=! A(i,j) * p(j)  s +=! p(i) * q(i) }"""
    kernel = hd.compile(text, formats={"A": "csr"}, language="comprehension", options={"schedule": "auto"})
    matrix, vector = np.arange(36.0).reshape(6, 6) % 7, np.arange(6.0)
    results = kernel(A=matrix, p=vector)
    np.testing.assert_array_equal(results["q"].to_numpy(), matrix @ vector)
    assert results["s"].to_numpy() == vector @ (matrix @ vector)


def test_a_result_that_is_zeroed_first_still_sums_in_lanes() -> None:
    """As mv is printed (Vasilache et al. 2018): lanes over rows would load numbers that are rows apart."""
    text = "def mv(float(M,K) A, float(K) x) -> (C) { C(i) = 0  C(i) += A(i,k) * x(k) }"
    schedule = suggest(Plan(text, language="comprehension"), machine=MACHINE).schedule
    assert "parallelize(k, CPUVector, ParallelReduction)" in schedule
    assert "parallelize(i, CPUVector, NoRaces)" not in schedule
