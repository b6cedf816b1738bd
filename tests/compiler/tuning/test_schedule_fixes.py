"""A schedule for another target is repaired by the one that the rules choose."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heddle.pipeline import lower
from heddle.plan import plan_from_arguments
from heddle.tuning.search.schedule_fixes import with_chosen_schedule
from tests.compiler.tuning.programs import MTTKRP, SPMM, SPMV

BLOCKS = ("split(i, block, thread, 32)", "parallelize(block, GPUBlock, NoRaces)")


@pytest.mark.parametrize(
    ("expression", "formats", "schedule", "target", "code"),
    [
        (SPMV, {"A": "csr"}, ("parallelize(i, CPUThread, NoRaces)",), "cuda", "schedule/unit-of-target"),
        (SPMM, {"A": "csr"}, ("parallelize(k, CPUVector, NoRaces)",), "opencl", "schedule/unit-of-target"),
        (MTTKRP, {"B": "csf"}, ("parallelize(i, CPUThread, NoRaces)",), "cuda", "schedule/unit-of-target"),
        (SPMV, {"A": "csr"}, ("unroll(j, 4)",), "cuda", "schedule/gpu-unmapped"),
        (SPMV, {"A": "csr"}, ("prefetch(x(j), 8)",), "cuda", "schedule/prefetch-target"),
        (SPMV, {"A": "csr"}, BLOCKS, "c", "schedule/unit-of-target"),
    ],
)
def test_every_repair_compiles_and_the_first_is_the_chosen_schedule(
    expression: str, formats: dict[str, str], schedule: tuple[str, ...], target: str, code: str
) -> None:
    plan = plan_from_arguments(expression, formats, schedule, target)
    (diagnostic,) = with_chosen_schedule(lower(plan)).diagnostics
    assert diagnostic.code == code
    assert diagnostic.fixes[0].title == f"Let the rules choose a schedule for {target}"
    for fix in diagnostic.fixes:
        assert fix.schedule is not None
        assert lower(replace(plan, schedule=fix.schedule)).ok, fix


def test_a_program_that_no_schedule_suits_keeps_its_diagnostic() -> None:
    dcsr = dict.fromkeys("ABC", "dcsr")
    result = lower(plan_from_arguments("C(i,j) = A(i,j) + B(i,j)", dcsr, BLOCKS[:1], "cuda"))
    assert with_chosen_schedule(result) == result


def test_other_mistakes_are_left_alone() -> None:
    result = lower(plan_from_arguments(SPMV, {"A": "csr"}, ("split(z, a, b, 4)",), "cuda"))
    assert with_chosen_schedule(result) is result
