"""What a refusal shows of itself: numbers of a run on the running example, which change with the program."""

from __future__ import annotations

import pytest

from heddle.explorer.quick_fixes import explain_result
from heddle.pipeline import lower
from heddle.plan import plan_from_arguments

SPMV = "y(i) = A(i,j) * x(j)"
CSR = {"A": "csr"}
POSITIONS = ("fuse(i, j, f)", "pos(f, p, A)", "split(p, b, t, 3)")


def evidence(expression: str, formats: dict[str, str], *schedule: str, target: str = "c") -> tuple[str, ...]:
    (diagnostic,) = explain_result(lower(plan_from_arguments(expression, formats, schedule, target))).diagnostics
    return diagnostic.evidence


@pytest.mark.parametrize(
    ("expression", "formats", "schedule", "sentence"),
    [
        (
            SPMV,
            CSR,
            ("parallelize(j, CPUThread, NoRaces)",),
            "On the running example, at i = 2: j = 0, 3, 5 all add into y(2).",
        ),
        (
            "y(j) = A(i,j) * x(i)",
            CSR,
            ("parallelize(i, CPUThread, NoRaces)",),
            "On the running example: i = 0, 2 both add into y(0).",
        ),
        (
            "s = A(i,j)",
            CSR,
            ("parallelize(i, CPUThread, NoRaces)",),
            "On the running example: i = 0, 2, 3 all add into s.",
        ),
        (  # tiles of positions: row 2 has positions 2, 3, 4
            SPMV,
            CSR,
            (*POSITIONS, "parallelize(b, CPUThread, NoRaces)"),
            "On the running example: b = 0, 1 both add into y(2).",
        ),
        (
            SPMV,
            CSR,
            ("reorder(j, i)",),
            "On the running example, A stores its entries with j = 0, 2, 0, 3, 5, 1, 4: those with j = 0 are at "
            "positions 0, 2.",
        ),
    ],
)
def test_the_evidence_names_what_meets(
    expression: str, formats: dict[str, str], schedule: tuple[str, ...], sentence: str
) -> None:
    assert evidence(expression, formats, *schedule) == (sentence,)


def test_threads_of_a_gpu_meet_like_those_of_a_processor() -> None:
    schedule = (*POSITIONS, "parallelize(b, GPUBlock, IgnoreRaces)", "parallelize(t, GPUThread, IgnoreRaces)")
    (sentence,) = evidence(SPMV, CSR, *schedule, target="cuda")
    assert sentence == "On the running example, at b = 0: t = 0, 1 both add into y(0)."


def test_where_nothing_meets_on_small_data_nothing_is_said() -> None:
    """Two rows of tiles so long that the example has only one."""
    schedule = (*POSITIONS[:2], "split(p, b, t, 4096)", "parallelize(b, CPUThread, NoRaces)")
    assert evidence(SPMV, CSR, *schedule) == ()


def test_a_mistake_of_the_text_has_no_evidence() -> None:
    assert evidence(SPMV, CSR, "split(i, i0, i1)") == ()
