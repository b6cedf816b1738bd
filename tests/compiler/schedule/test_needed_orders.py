"""Operands that are to be stored otherwise are found together: as they would be one after the other, at less cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import heddle as hd
from heddle import pipeline
from heddle.conversions import Converted, Requests, extend_requests
from heddle.diagnostics import Diagnostic
from heddle.notation.nodes import Assignment
from heddle.stages import scheduled_loops
from tests.cases.program import AUTOMATIC, read_cases
from tests.differential.formats.test_conversions import PROGRAMS as CONVERTED

PRODUCT = "y(i) = A(i,j) * B(i,j) * D(i,j) * x(j)"
ROWS = dict.fromkeys("ABD", "csr")
TRANSPOSED = "C(i,j) = A(i,j) + B(j,i) + D(i,j)"
TENSOR = "C(i,l) = B(i,j,k) * B(j,k,l)"
PROGRAMS = [
    *((expression, formats, tuple(schedule.splitlines())) for expression, formats, schedule, _ in CONVERTED),
    (PRODUCT, ROWS, ("reorder(j, i)",)),
    (PRODUCT, ROWS, ("reorder(j, i)", "split(j, j0, j1, 4)", "parallelize(i, CPUThread, NoRaces)")),
    (PRODUCT, {**ROWS, "B": "dcsc"}, ("reorder(j, i)",)),
    (PRODUCT, {**ROWS, "B": "bcsr(2,2)"}, ("reorder(j_block, i_block)",)),
    (TRANSPOSED, ROWS, ("reorder(j, i)",)),
    (TENSOR, {"B": "csf"}, ()),
    (TENSOR, {"B": "csf"}, ("reorder(k, i, j, l)",)),
]
IN_TWO_ORDERS = {"C0536", "C0594", "C0595", "C0616"}


def one_by_one(requests: Requests, made: Converted, assignment: Assignment, refused: Diagnostic) -> Requests:
    return extend_requests(requests, made, assignment, replace(refused, advice=refused.advice[:1]))


def outcome(expression: str, formats: dict[str, str], schedule: tuple[str, ...], dtypes: dict[str, str]) -> Any:
    result = hd.lower(expression, formats, schedule, dtypes=dtypes, options=AUTOMATIC)
    text = None if result.source is None else result.source.text
    return text, result.conversions, result.diagnostics


@pytest.mark.parametrize(("expression", "formats", "schedule"), PROGRAMS)
def test_all_at_once_they_are_the_same_as_one_by_one(
    expression: str, formats: dict[str, str], schedule: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    together = outcome(expression, formats, schedule, {})
    monkeypatch.setattr(pipeline, "extend_requests", one_by_one)
    assert outcome(expression, formats, schedule, {}) == together


def test_cases_are_the_same_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = [case for case in read_cases() if case.id in IN_TWO_ORDERS or "reorder" in " ".join(case.schedule)]
    programs = [(case.expression, case.formats, case.schedule, case.dtypes) for case in chosen]
    together = [outcome(*program) for program in programs]
    monkeypatch.setattr(pipeline, "extend_requests", one_by_one)
    assert [outcome(*program) for program in programs] == together
    assert sum(bool(conversions) for _, conversions, _ in together) >= len(IN_TWO_ORDERS)


def count(function: Callable[..., Any], calls: list[str]) -> Callable[..., Any]:
    def counted(*arguments: Any, **options: Any) -> Any:
        calls.append(function.__name__)
        return function(*arguments, **options)

    return counted


@pytest.mark.parametrize(
    ("expression", "formats", "schedule", "graphs"),
    [
        (PRODUCT, ROWS, (), 1),
        (PRODUCT, ROWS, ("reorder(j, i)",), 2),
        (TRANSPOSED, ROWS, (), 2),
        ("J(j,l) = A(l,j) + A(j,l)", {"A": "csr"}, (), 2),
        # The second command puts the loops back into the order of the operands.
        (PRODUCT, ROWS, ("reorder(j, i)", "reorder(i, j)"), 3),
    ],
)
def test_loops_are_made_once_and_a_graph_for_each_command_that_needs_other_orders(
    expression: str,
    formats: dict[str, str],
    schedule: tuple[str, ...],
    graphs: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[str] = []
    for module, name in ((scheduled_loops, "build"), (pipeline, "lower_optimized")):
        monkeypatch.setattr(module, name, count(getattr(module, name), calls))
    assert hd.lower(expression, formats, schedule, options=AUTOMATIC).ok
    assert calls == ["build"] * graphs + ["lower_optimized"]


def test_the_offer_of_a_conversion_lowers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    for module, name in ((scheduled_loops, "build"), (pipeline, "lower_optimized")):
        monkeypatch.setattr(module, name, count(getattr(module, name), calls))
    (diagnostic,) = hd.lower(PRODUCT, ROWS, ("reorder(j, i)",)).diagnostics
    assert diagnostic.fixes[-1].options == AUTOMATIC
    assert calls == ["build"] * 3


def test_a_refusal_says_all_orders_that_the_loops_need() -> None:
    (diagnostic,) = hd.lower(PRODUCT, ROWS, ("reorder(j, i)",)).diagnostics
    assert [order.tensor for advice in diagnostic.advice for order in advice.orders] == ["A", "B", "D"]
    assert diagnostic.message.startswith("`reorder(j, i)`: A is stored i→j")
