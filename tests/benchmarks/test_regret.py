"""The suite `regret`: which schedules it tries, that they give the right results, and what it reports."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.suite.case import Case
from benchmarks.suite.regret import CHOSEN, fastest, measure_regret, table
from benchmarks.suite.schedule_variants import variants

BALANCED = ("unroll(j, 4)", "balance(i, i0, i1, A, 16)", "parallelize(i0, CPUThread, NoRaces)")
TILED = ("split(k, k0, k1, 32)", "reorder(i, k0, j, k1)", "parallelize(k1, CPUVector, NoRaces)")


def ratio(value: float) -> dict[str, Any]:
    return {"ratio": {"value": value}, "median_ns": 1e3, "schedule": ["unroll(j, 2)"]}


def test_each_variant_changes_one_decision() -> None:
    found = dict(variants(BALANCED, "A", "i", "j"))
    assert found["one thread"] == ("unroll(j, 4)",)
    assert found["whole rows"] == ("unroll(j, 4)", "parallelize(i, CPUThread, NoRaces)")
    assert found["one sum"] == BALANCED[1:]
    assert found["8 sums"] == ("unroll(j, 8)", *BALANCED[1:])
    assert "4 sums" not in found
    in_lanes = ("parallelize(j, CPUVector, ParallelReduction)", *BALANCED[1:])
    assert found["sums in lanes"] == in_lanes
    assert dict(variants(in_lanes, "A", "i", "j"))["one sum"] == BALANCED[1:]
    assert found["64 parts"][1] == "balance(i, i_outer, i_inner, A, 64)"
    assert found["256 rows at a time"][1] == "split(i, i_outer, i_inner, 256)"
    assert "8 columns" not in found
    assert dict(variants(TILED, "A", "i", "j"))["8 columns"] == ("split(k, k0, k1, 8)", *TILED[1:])


def test_operands_are_asked_for_ahead_and_not() -> None:
    asking = (*TILED, "prefetch(B(j,k), 16)")
    found = dict(variants(asking, "A", "i", "j", ("B(j,k)",)))
    assert found["nothing ahead"] == TILED
    assert found["B(j,k) 8 ahead"] == (*TILED, "prefetch(B(j,k), 8)")
    assert dict(variants(TILED, "A", "i", "j", ("B(j,k)",)))["B(j,k) 16 ahead"] == asking


def test_what_is_no_command_is_not_taken_for_one() -> None:
    with pytest.raises(ValueError, match="not a command: parallel i"):
        list(variants(("parallel i",), "A", "i", None))


def test_the_regret_is_the_time_of_the_choice_over_that_of_the_fastest() -> None:
    assert fastest({CHOSEN: {"ratio": None}, "a": ratio(0.5), "b": ratio(0.8)}) == ("a", 2.0)
    assert fastest({CHOSEN: {"ratio": None}, "a": ratio(1.5)}) == (CHOSEN, 1.0)
    assert fastest({CHOSEN: {"ratio": None}}) == (CHOSEN, 1.0)


@pytest.mark.combinations(2)
@pytest.mark.parametrize(("kernel", "name"), [("spmv", "rmat"), ("spmm", "uniform"), ("mttkrp-3", "long-fibres")])
def test_every_schedule_is_verified_and_timed(kernel: str, name: str) -> None:
    case = Case("regret", kernel, name, 1000, "float64", 2, 0.05)
    found = measure_regret(case)
    assert found["regret"] >= 1
    assert found["best"] in found["contenders"]
    assert {"16 rows at a time", CHOSEN} <= set(found["contenders"])
    assert len(found["contenders"]) > 5


def test_the_table_has_means_and_the_faster_schedule() -> None:
    case = {"kernel": "spmv", "input": "rmat", "nonzeros": 1000, "dtype": "float64", "threads": 2}
    other = {CHOSEN: ratio(1.0), "2 sums": ratio(0.5)}
    results = [
        {"case": case, "contenders": other, "best": "2 sums", "regret": 2.0, "rule": "row-sums", "complete": True},
        {"case": case, "contenders": other, "best": CHOSEN, "regret": 1.0, "rule": "row-sums", "complete": False},
        {"case": case, "failure": "not done after 900 s"},
        {"case": case, "contenders": {}, "left_out": {CHOSEN: "would add 900 million products"}},
    ]
    lines = table(results).splitlines()
    assert lines[1].split() == ["spmv", "2", "1.41", "2.00"]
    assert "faster: 2 sums: unroll(j, 2)" in lines[5]
    assert lines[6].endswith("[too few rounds]")
    assert lines[7].endswith("FAILED: not done after 900 s")
    assert lines[8].endswith("left out: would add 900 million products")
