from __future__ import annotations

import pytest

from heddle.cli.render import render
from heddle.diagnostics import CompileError, Diagnostic, Fix, Location, Part, Severity
from heddle.formats.parser import parse_format
from heddle.notation.parser import parse
from heddle.plan import Plan, TensorSpec, parse_plan


def rendered(plan: Plan, action) -> str:  # type: ignore[no-untyped-def]
    with pytest.raises(CompileError) as caught:
        action()
    return "\n".join(render(one, plan) for one in caught.value.diagnostics)


def test_the_offending_text_is_underlined() -> None:
    plan = Plan("y(i) = A(i,j * x(j)")
    assert rendered(plan, lambda: parse(plan.expression)).splitlines() == [
        "error: expected `,` or `)`, found `*` [expression/syntax]",
        "  expression: y(i) = A(i,j * x(j)",
        "                           ^",
    ]


def test_the_end_of_the_text_has_a_caret_of_its_own() -> None:
    plan = Plan("y(i) = (x(i)")
    assert rendered(plan, lambda: parse(plan.expression)).splitlines() == [
        "error: expected `)`, found end of text [expression/syntax]",
        "  expression: y(i) = (x(i)",
        "                          ^",
        "  fix: Write y(i) = (x(i))",
    ]


def test_only_the_line_with_the_error_is_shown() -> None:
    plan = Plan("y(i) =\n\tx(i) z\n + w(i)")
    assert rendered(plan, lambda: parse(plan.expression)).splitlines()[1:3] == [
        "  expression:  x(i) z",
        "                    ^",
    ]


def test_a_format() -> None:
    plan = Plan("y(i) = A(i,j) * x(j)", {"A": TensorSpec("crs")})
    assert rendered(plan, lambda: parse_format("crs", 2, "A")).splitlines() == [
        "error: there is no format `crs` (format of A); did you mean csr? [format/unknown]",
        "  format of A: crs",
        "               ^^^",
        "  fix: Use csr for A",
        "  fix: Use csc for A",
        "  fix: Use dcsr for A",
    ]


def test_a_command_of_the_schedule() -> None:
    plan = Plan("y = x", schedule=("unroll(i, 2)", "split(i, i0)"))
    diagnostic = Diagnostic(
        "schedule/x",
        "too few",
        Location(Part.SCHEDULE, 6, 11, command=1),
        Severity.WARNING,
        candidates=("i", "j"),
        hint="give a size",
    )
    assert render(diagnostic, plan).splitlines() == [
        "warning: too few [schedule/x]",
        "  schedule, command 2: split(i, i0)",
        "                             ^^^^^",
        "  hint: give a size",
        "  possible: i, j",
    ]


def test_a_document() -> None:
    with pytest.raises(CompileError) as caught:
        parse_plan({"expression": "y = x", "tensors": {"x": {"shape": [-1]}}})
    assert render(caught.value.diagnostics[0], None).splitlines() == [
        "error: tensors.x.shape.0 must be from 0 to 1099511627775, found the number -1 [plan/out-of-range]",
        "  at /tensors/x/shape/0",
    ]


def test_places_without_text() -> None:
    plan = Plan("y = x")
    fix = Fix("Do this", expression="y = z")
    assert render(Diagnostic("a/b", "no", Location(Part.FORMAT, tensor="x"), fixes=(fix,)), plan).splitlines() == [
        "error: no [a/b]",
        "  in format of x",
        "  fix: Do this",
    ]
    assert render(Diagnostic("a/b", "no", Location(Part.SCHEDULE)), plan).splitlines()[1:] == ["  in schedule"]
    assert render(Diagnostic("a/b", "no", Location(Part.INPUT, tensor="x")), plan).splitlines()[1:] == [
        "  at /inputs/x"
    ]
    assert render(Diagnostic("a/b", "no"), plan) == "error: no [a/b]"
