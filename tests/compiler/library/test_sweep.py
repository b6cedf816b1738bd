"""``hd.sweep``: every combination of values is timed, and one that is refused says why."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
from heddle.measuring.statistics import RESOLUTION, ratio_of
from heddle.measuring.verdicts import beside_fastest, judge, side_of

make: Any = scipy.sparse.random_array
A = make((64, 50), density=0.1, format="csr", rng=np.random.default_rng(0))
x = np.random.default_rng(1).random(50)
SPMV = "y(i) = A(i,j) * x(j)"
SPLIT = "split(i, i0, i1, {tile})"
QUICK = 1e-4


def sweep(values: Any, **options: Any) -> Any:
    return hd.sweep(SPMV, values, A=A, x=x, seconds=QUICK, **options)


def test_points_are_all_combinations_in_order() -> None:
    run = sweep({"tile": [8, 16], "format": ["csr", "dcsr"]}, formats={"A": "{format}"}, schedule=SPLIT)
    assert [(record["tile"], record["format"]) for record in run] == [
        (8, "csr"),
        (8, "dcsr"),
        (16, "csr"),
        (16, "dcsr"),
    ]
    assert run.names == ("tile", "format")
    fitting = [point for point in run.points if point.entry is not None]
    assert {point.plan.schedule for point in fitting} <= {("split(i, i0, i1, 8)",), ("split(i, i0, i1, 16)",)}
    assert run.best.ratio == 1.0
    assert run.best.entry["median_ns"] == min(point.entry["median_ns"] for point in fitting)


def test_a_point_that_is_refused_says_why() -> None:
    run = sweep({"tile": [0, 8]}, schedule=SPLIT)
    refused, timed = run
    assert refused["median_ns"] is None
    assert "must be an integer between 1 and" in refused["reason"]
    assert (timed["reason"], timed["statement"]) == (None, "the fastest")
    assert "tile = 0  refused: " in repr(run)


def test_a_point_that_the_operands_do_not_fit_says_why() -> None:
    refused, _ = sweep({"bound": [63, 64]}, schedule="bound(i, ib, {bound}, MaxExact)")
    assert refused["median_ns"] is None
    assert "63" in refused["reason"]


def test_a_point_that_computes_something_else_is_refused() -> None:
    expression = "y(i) = A(i,j) * {factor} * x(j)"
    run = hd.sweep(expression, {"factor": [1, 2]}, A=A, x=x, seconds=QUICK)
    assert run.records[0]["reason"] is None
    assert "Its result differs" in run.records[1]["reason"]


def test_points_are_judged_beside_the_fastest() -> None:
    run = sweep({"tile": [8, 16, 32]}, schedule=SPLIT)
    best = run.best.entry
    measured: Any = {"entries": [point.entry for point in run.points]}
    for point in run.points:
        if point is not run.best and "did not have" not in point.statement:
            quotient = ratio_of(np.array(point.entry["samples_ns"]), np.array(best["samples_ns"]))
            judgement = judge(quotient, side_of(point.entry, measured), side_of(best, measured), RESOLUTION)
            assert point.ratio == pytest.approx(quotient["value"], rel=1e-3)
            assert (
                judgement.doubt
                or point.statement.startswith(("Not", "Noisy"))
                or point.statement == beside_fastest(quotient, judgement)
            )


def test_a_plan_and_its_document_are_swept_alike() -> None:
    document = {"version": 2, "expression": SPMV, "tensors": {"A": {"format": "csr"}}, "schedule": [SPLIT]}
    assert len(hd.sweep(document, {"tile": [8, 16]}, A=A, x=x, seconds=QUICK)) == 2


@pytest.mark.parametrize(
    ("values", "part"),
    [
        ({"tiel": [8]}, "the placeholder {tiel}"),
        ({}, "make 0 points"),
        ({"tile": []}, "make 0 points"),
        ({"tile": range(2000)}, "make 2,000 points"),
        ({"tile": 16}, "the values of tile must be a list"),
        ({"tile": "16"}, "the values of tile must be a list"),
        ([8], "the values must be a dictionary"),
        ({"tile": [0, -1]}, "All 2 points are refused; tile = 0"),
    ],
)
def test_wrong_values_are_refused(values: Any, part: str) -> None:
    with pytest.raises(hd.OperandError, match=part):
        sweep(values, schedule=SPLIT)


def test_a_sweep_is_shown_in_a_few_lines() -> None:
    run = sweep({"tile": [0, 8]}, schedule=SPLIT)
    assert run.to_csv().splitlines()[0] == "tile,median_ns,low_ns,high_ns,ratio,statement,reason"
    page = run._repr_html_()
    assert "<strong>Sweep</strong>" in page
    assert "Fastest: tile = 8." in page
    assert "<script" not in page
    assert repr(run.best) == "<TimedPoint tile = 8: the fastest>"
