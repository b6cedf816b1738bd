"""Every repair of a refusal is there to press, compiles, and does not take the person to the next refusal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heddle.diagnostics import Diagnostic
from heddle.explorer.quick_fixes import explain_result
from heddle.explorer.quick_fixes.fixes import MOST_OFFERED, with_fix
from heddle.pipeline import lower
from heddle.plan import Plan, plan_from_arguments
from tests.errors.refusals.commands import COMMANDS
from tests.errors.refusals.graphs import GRAPHS
from tests.errors.refusals.parallel import PARALLEL
from tests.errors.refusals.positions import POSITIONS
from tests.errors.refusals.refused import Refused

SPMV = "y(i) = A(i,j) * x(j)"
ADDITION = "C(i,j) = A(i,j) + B(i,j)"
BOTH = {"A": "csr", "B": "csr"}
REFUSED = [one for one in (*COMMANDS, *POSITIONS, *GRAPHS, *PARALLEL) if not one.warning]


def plan_of(case: Refused) -> Plan:
    return plan_from_arguments(case.expression, case.formats, case.schedule, case.target, case.dtypes, fills=case.fills)


def repaired(expression: str, formats: dict[str, str], *schedule: str) -> Diagnostic:
    plan = plan_from_arguments(expression, formats, schedule)
    (diagnostic,) = explain_result(lower(plan)).diagnostics
    return diagnostic


def titles(diagnostic: Diagnostic) -> list[str]:
    return [fix.title for fix in diagnostic.fixes]


@pytest.mark.combinations(8, "code")
@pytest.mark.parametrize(
    ("code", "case"), [pytest.param(one.code, one, id=f"{one.code} {' '.join(one.schedule[-1:])}") for one in REFUSED]
)
def test_every_repair_that_is_offered_compiles(code: str, case: Refused) -> None:
    plan = plan_of(case)
    result = lower(plan)
    (diagnostic,) = explain_result(result).diagnostics
    assert diagnostic.code == code
    assert len(diagnostic.fixes) <= MOST_OFFERED
    assert {fix.title for fix in result.diagnostics[0].fixes} <= {fix.title for fix in diagnostic.fixes}
    for fix in diagnostic.fixes:
        assert lower(with_fix(plan, fix)).ok, fix


def test_a_race_has_all_its_repairs_the_advised_one_first_and_the_removal_last() -> None:
    assert titles(repaired(SPMV, {"A": "csr"}, "parallelize(j, CPUThread, NoRaces)")) == [
        "Write parallelize(j, CPUThread, ParallelReduction)",
        "Write parallelize(i, CPUThread, NoRaces)",
        "Write parallelize(j, CPUThread, Atomics)",
        "Write parallelize(j, CPUThread, Temporary)",
        "Remove parallelize(j, CPUThread, NoRaces)",
    ]


@pytest.mark.parametrize(
    ("expression", "formats", "schedule", "title"),
    [
        (ADDITION, BOTH, ("unroll(j, 4)",), "Write split(j, j0, j1, 64), unroll(j0, 4)"),
        (SPMV, {"A": "csr"}, ("fuse(j, i, f)",), "Write fuse(i, j, f)"),
        (
            SPMV,
            {"A": "csr"},
            ("fuse(i, j, f)", "split(f, f0, f1, 4)"),
            "Write pos(f, fpos, A), split(fpos, f0, f1, 4)",
        ),
        (
            SPMV,
            {"A": "coo"},
            ("parallelize(i, CPUThread, NoRaces)",),
            "Write fuse(i, j, ij), pos(ij, ijpos, A), parallelize(ijpos, CPUThread, Atomics)",
        ),
        (SPMV, {"A": "csr"}, ("unroll(i, 4)", "split(i, i0, i1, 4)"), "Remove unroll(i, 4)"),
        (SPMV, {"A": "csr"}, ("split(k, k0, k1, 4)",), "Write split(j, k0, k1, 4)"),
        (
            "C(i,k) = A(i,j) * B(j,k)",
            {},
            ("fuse(i, k, f)",),
            "Write reorder(i, k, j), fuse(i, k, f)",
        ),
        (
            "C(i,k) = A(i,j) * B(j,k)",
            {"A": "hyb(4,3)"},
            ("concat(t, A[*])", "parallelize(t, CPUThread, NoRaces)"),
            "Store A as hyb(1,3,whole)",
        ),
        (
            "C(i,k) = A(i,j) * B(j,k)",
            {"A": "hyb(4,3)"},
            ("concat(t, A[*])", "parallelize(t, CPUThread, NoRaces)"),
            "Store A as hyb(4,3,64), and write share(i_part, A[*]), parallelize(i_part, CPUThread, NoRaces)",
        ),
    ],
)
def test_what_a_message_advises_is_a_repair(
    expression: str, formats: dict[str, str], schedule: tuple[str, ...], title: str
) -> None:
    assert title in titles(repaired(expression, formats, *schedule))


def test_a_loop_that_a_later_command_makes_race_is_protected_where_it_runs_in_parallel() -> None:
    """Splitting a loop gives its tag to nobody, but what walks it afterwards may meet."""
    schedule = ("fuse(i, j, f)", "pos(f, p, A)", "split(p, p0, p1, 4)", "parallelize(p0, CPUThread, IgnoreRaces)")
    assert "Write parallelize(p0, CPUThread, Atomics)" in titles(repaired(SPMV, {"A": "csr"}, *schedule))


def test_with_a_second_mistake_the_repairs_leave_only_that_one() -> None:
    schedule = ("parallelize(j, CPUThread, NoRaces)", "split(q, q0, q1, 4)")
    diagnostic = repaired(SPMV, {"A": "csr"}, *schedule)
    assert len(diagnostic.fixes) > 3
    plan = plan_from_arguments(SPMV, {"A": "csr"}, schedule)
    for fix in diagnostic.fixes:
        (left,) = lower(with_fix(plan, fix)).diagnostics
        assert left.code == "schedule/unknown-variable", fix


def test_what_compiles_stays_as_it_is() -> None:
    result = lower(plan_from_arguments(SPMV, {"A": "csr"}))
    assert explain_result(result) is result


def test_a_plan_takes_every_part_of_a_repair() -> None:
    plan = plan_from_arguments(SPMV, {"A": "csr"}, ("reorder(j, i)",))
    (diagnostic,) = explain_result(lower(plan)).diagnostics
    by_title = {fix.title: fix for fix in diagnostic.fixes}
    assert with_fix(plan, by_title["Store A as csc"]).tensors["A"].format == "csc"
    assert with_fix(plan, by_title["Convert automatically at each call"]).options.convert == "automatic"
    assert with_fix(plan, by_title["Remove reorder(j, i)"]) == replace(plan, schedule=())
