"""A log is gone on with only by the search that began it."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import pytest

from heddle.plan import Plan, TensorSpec, to_document
from heddle.tuning.session.log import Budget, Line, Settings, header
from heddle.tuning.session.same import options_of, require_same
from heddle.tuning.strategies.genetic import Parameters
from tests.errors.expect import refusal

SPMV = Plan("y(i) = A(i,j) * x(j)", {"A": TensorSpec("csr", shape=(40, 30))})
SETTINGS = Settings("random", 7, Parameters(8, 2), Budget(40, 5, 60.0))
HEADER: Line = header(SETTINGS, to_document(SPMV), [], [])


def test_the_same_plan_and_options_go_on() -> None:
    require_same(HEADER, SPMV, options_of(asdict(SETTINGS)))
    require_same(HEADER, SPMV, {})
    require_same(HEADER, SPMV, {"seconds": 60})


@pytest.mark.parametrize(
    "other",
    [
        replace(SPMV, expression="z(i) = A(i,j) * x(j)"),
        replace(SPMV, tensors={"A": TensorSpec("csc", shape=(40, 30))}),
        replace(SPMV, schedule=("reorder(j, i)",)),
        replace(SPMV, inputs={"A": {"dataset": "west0067"}}),
    ],
    ids=["expression", "format", "schedule", "data"],
)
def test_another_plan_is_refused(other: Plan) -> None:
    diagnostic = refusal(lambda: require_same(HEADER, other, {}))
    assert diagnostic.code == "tune/other-plan"
    assert diagnostic.message == (
        "This log belongs to a search with another plan, y(i) = A(i,j) * x(j), or with other data, formats or commands."
    )
    assert diagnostic.hint == (
        "Times of another search would be taken for those of this one. Give this search a log of its own."
    )


@pytest.mark.parametrize(
    ("option", "own", "value"),
    [
        ("strategy", "random", "hill"),
        ("seed", 7, 8),
        ("population", 8, 9),
        ("evaluations", 40, 41),
        ("generations", 5, 6),
        ("seconds", 60.0, 30.0),
    ],
)
def test_another_option_is_refused_with_both_values(option: str, own: Any, value: Any) -> None:
    diagnostic = refusal(lambda: require_same(HEADER, SPMV, {option: value}))
    assert diagnostic.code == "tune/other-options"
    assert diagnostic.message == f"The search of this log has {option} {own}, and {option} {value} was asked for."
    assert diagnostic.hint.startswith(f"Leave {option} out to go on as the log began")
