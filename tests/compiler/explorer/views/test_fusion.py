"""One launch for all parts beside one for each: the same blocks, in the order of the cases."""

from __future__ import annotations

import pytest

import heddle as hd
from heddle.explorer.views.trace.fusion import fusion_view
from heddle.pipeline import lower
from tests.differential.check import check
from tests.differential.compositions.test_part_schedules import SPMM, SPMM_ON_GPU

WHOLE = """A[*]: pos(i, p, A)
A[*]: split(p, b, y, 2)
concat(t, A[*])
split(t, t0, t1, 1)
parallelize(t0, GPUBlock, IgnoreRaces)"""


@pytest.mark.parametrize("target", ["opencl", "cuda"])
@pytest.mark.parametrize(
    ("format", "schedule", "parts"),
    [
        ("hyb(2,1)", SPMM_ON_GPU, ["ell1", "ell2"]),
        ("hyb(2,3)", SPMM_ON_GPU, ["ell1", "ell2", "ell4", "ell8"]),
        ("hyb(1,1,whole)", WHOLE, ["ell1", "ell2", "rows"]),
        ("hyb(2,1)", "", ["ell1", "ell2"]),
    ],
)
def test_the_one_launch_has_the_blocks_of_those_of_its_parts(
    format: str, schedule: str, parts: list[str], target: str
) -> None:
    view = fusion_view(hd.lower(SPMM, {"A": format}, schedule, target=target), lower)
    assert view["ok"], view["diagnostics"]
    assert [one["part"] for one in view["separate"]] == parts
    assert [one["part"] for one in view["fused"]] == [None]
    (whole,) = (one["work"] for one in view["fused"])
    assert whole == [work for one in view["separate"] for work in one["work"] or ()]
    assert sum(whole or ()) == 7 * 5  # entries of the example, times columns of B
    assert view["adds_up"]
    assert [case["part"] for case in view["cases"]] == parts
    ends = [case["first"] + case["blocks"] for case in view["cases"]]
    assert [0, *ends[:-1]] == [case["first"] for case in view["cases"]]
    assert ends[-1] == len(whole or ())
    assert not any("concat" in command for command in view["schedule"])


def test_an_empty_part_has_no_blocks() -> None:
    view = fusion_view(hd.lower(SPMM, {"A": "hyb(2,3)"}, SPMM_ON_GPU, target="opencl"), lower)
    assert [one["work"] for one in view["separate"]][2:] == [[], []]
    assert [case["blocks"] for case in view["cases"]][2:] == [0, 0]


@pytest.mark.parametrize("schedule", [SPMM_ON_GPU, WHOLE])
def test_the_schedule_of_the_separate_launches_computes_the_same(schedule: str) -> None:
    format = "hyb(2,1)" if schedule is SPMM_ON_GPU else "hyb(1,1,whole)"
    view = fusion_view(hd.lower(SPMM, {"A": format}, schedule, target="opencl"), lower)
    # The blocks of hyb(2,1) may meet, which its schedule ignores; the interpreter would not.
    if schedule is WHOLE:
        check(SPMM, {"A": format}, "\n".join(view["schedule"]), targets=("interpreter",))
    assert hd.lower(SPMM, {"A": format}, view["schedule"], target="cuda").ok


@pytest.mark.parametrize(
    ("format", "schedule", "target", "code"),
    [
        ("csr", "", "opencl", "fusion/none"),
        ("hyb(1,1,whole)", "concat(t, A[*])\nparallelize(t, CPUThread, NoRaces)", "c", "fusion/none"),
        ("hyb(0,1)", "", "opencl", "format/parts-count"),
    ],
)
def test_why_there_is_nothing_to_compare(format: str, schedule: str, target: str, code: str) -> None:
    view = fusion_view(hd.lower(SPMM, {"A": format}, schedule, target=target), lower)
    assert not view["ok"]
    assert [one["code"] for one in view["diagnostics"]] == [code]
    assert view["separate"] == view["fused"] == []
