"""What the page sees of operands that are converted when the kernel is called."""

from __future__ import annotations

import pytest

import heddle as hd
from heddle.explorer.views import compile_view
from heddle.explorer.views.trace.trace import trace_view

AUTOMATIC = {"convert": "automatic"}


@pytest.mark.parametrize(
    ("expression", "formats", "schedule", "conversions"),
    [
        ("y(i) = A(i,j) * x(j)", {"A": "csr"}, "reorder(j, i)", [("A", "A", "csc")]),
        ("J(j,l) = A(l,j) + A(j,l)", {"A": "csr"}, "", [("A", "Acopy", "csc")]),
        ("y(i) = A(i,j) * x(j)", {"A": "csr"}, "", []),
    ],
)
def test_conversions_and_a_trace(
    expression: str, formats: dict[str, str], schedule: str, conversions: list[tuple[str, str, str]]
) -> None:
    result = hd.lower(expression, formats, schedule, options=AUTOMATIC)
    view = compile_view(result)
    assert [(one["tensor"], one["name"], one["format"]) for one in view["conversions"]] == conversions
    declared = {tensor["name"]: tensor["format"] for tensor in view["tensors"]}
    assert declared["A"] == "csr"
    trace = trace_view(result)
    assert trace["ok"]
    origins = {tensor["tensor"]: tensor["origin"] for tensor in trace["tensors"]}
    assert {name for _, name, _ in conversions} <= origins.keys()
    assert all(origins[name] == origins[tensor] for tensor, name, _ in conversions)


def test_the_page_can_turn_conversion_on() -> None:
    view = compile_view(hd.lower("C(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "csc"}))
    (diagnostic,) = view["diagnostics"]
    assert [fix["options"] for fix in diagnostic["fixes"]] == [None, AUTOMATIC]
