"""Which plans share a measurement: those that are read as the same, however they are spelled."""

from __future__ import annotations

from typing import Any

import pytest

from heddle.plan import parse_plan
from heddle_server.services.runs.content_key import content_key

SPLIT = "split(i, i0, i1, 32)"
PRECOMPUTE = "precompute(A(i,j) * B(j,k), {k}, {kw}, w)"
PARALLELIZE = "parallelize(i0, CPUThread, NoRaces)"
PLAN: dict[str, Any] = {
    "version": 2,
    "expression": "C(i,k) = A(i,j) * B(j,k)",
    "tensors": {"A": {"format": "csr"}, "B": {"format": "dense, compressed(nonunique) : 1,0"}},
    "schedule": [SPLIT, PRECOMPUTE, PARALLELIZE],
}
OF_PARTS: dict[str, Any] = {
    **PLAN,
    "tensors": {"A": {"format": "hyb(2,1)"}},
    "schedule": ["A[ell2, csr]: split(i, i0, i1, 8)"],
}


def key(plan: dict[str, Any]) -> str:
    return content_key(parse_plan(plan), {}, [("cpu",)])


def with_commands(*commands: str) -> dict[str, Any]:
    return {**PLAN, "schedule": list(commands)}


@pytest.mark.parametrize(
    ("plan", "other"),
    [
        (PLAN, with_commands("  split( i,i0 ,i1,32 )", PRECOMPUTE, "parallelize(i0,CPUThread,NoRaces)")),
        (PLAN, with_commands(SPLIT, "precompute(A( i, j )*B(j,k),{ k },{kw},w)", PARALLELIZE)),
        (PLAN, with_commands("", "# tiles", f"{SPLIT}  # of 32", "   ", PRECOMPUTE, f"{PARALLELIZE} // rows", "")),
        (PLAN, {**PLAN, "schedule": f"// tiles\n\n{SPLIT}\n\t{PRECOMPUTE}\n\n{PARALLELIZE}\n"}),
        (PLAN, {**PLAN, "schedule": f"{SPLIT}; {PRECOMPUTE}; {PARALLELIZE}"}),
        (PLAN, with_commands("split(i,\u00a0i0, i1, 32)", PRECOMPUTE, PARALLELIZE)),
        (PLAN, {**PLAN, "expression": "  C(i, k)=A(i,j)*B(j,k) "}),
        (PLAN, {**PLAN, "expression": "C(i,k) = (A(i,j) * B(j,k))"}),
        (PLAN, {**PLAN, "tensors": {"B": {"format": "dense,compressed( nonunique ) :1, 0"}, "A": {"format": " csr "}}}),
        (OF_PARTS, {**OF_PARTS, "schedule": ["A[ ell2,csr ] :split(i,i0,i1,8)"]}),
    ],
)
def test_plans_that_are_read_as_the_same_share_a_measurement(plan: dict[str, Any], other: dict[str, Any]) -> None:
    assert key(plan) == key(other)


@pytest.mark.parametrize(
    ("plan", "other"),
    [
        (PLAN, with_commands("split(i, i0, i1, 64)", PRECOMPUTE, PARALLELIZE)),
        (PLAN, with_commands("split(i, i1, i0, 32)", PRECOMPUTE, PARALLELIZE)),
        (PLAN, with_commands(SPLIT, "precompute(B(j,k) * A(i,j), {k}, {kw}, w)", PARALLELIZE)),
        (PLAN, with_commands(SPLIT, PRECOMPUTE, "parallelize(i0, CPUThread, Atomics)")),
        (PLAN, with_commands(SPLIT, PRECOMPUTE)),
        (PLAN, with_commands(SPLIT, PRECOMPUTE, f"# {PARALLELIZE}")),
        (PLAN, with_commands(PRECOMPUTE, SPLIT, PARALLELIZE)),
        (PLAN, {**PLAN, "expression": "C(i,k) = B(j,k) * A(i,j)"}),
        (PLAN, {**PLAN, "expression": "C(i,k) += A(i,j) * B(j,k)"}),
        (PLAN, {**PLAN, "tensors": {"A": {"format": "csr"}, "B": {"format": "dense, compressed(nonunique)"}}}),
        (PLAN, {**PLAN, "version": 1}),
        (PLAN, {**PLAN, "run": {"threads": 1}}),
        (PLAN, {**PLAN, "inputs": {"A": {"generator": "uniform", "seed": 5}}}),
        (OF_PARTS, {**OF_PARTS, "schedule": ["A[ell2]: split(i, i0, i1, 8)"]}),
        (OF_PARTS, {**OF_PARTS, "schedule": ["split(i, i0, i1, 8)"]}),
    ],
)
def test_plans_that_differ_share_none(plan: dict[str, Any], other: dict[str, Any]) -> None:
    assert key(plan) != key(other)


def test_texts_that_do_not_parse_have_a_key_of_their_own() -> None:
    broken = [with_commands("split(i, i0"), with_commands("split (i i0"), {**PLAN, "expression": "C(i,k) = A(i,j) *"}]
    assert len({key(plan) for plan in (PLAN, *broken)}) == 4


def test_other_data_and_other_machines_have_keys_of_their_own() -> None:
    plan = parse_plan(PLAN)
    keys = {
        content_key(plan, {}, [("cpu",)]),
        content_key(plan, {"a": "0"}, [("cpu",)]),
        content_key(plan, {"a": "1"}, [("cpu",)]),
        content_key(plan, {}, [("another",)]),
    }
    assert len(keys) == 4
