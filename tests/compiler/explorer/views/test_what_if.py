"""Without a guard: the fault that it prevents, the wrong values, or the honest answer that nothing changes."""

from __future__ import annotations

import pytest

import heddle as hd
from heddle.codegen.c import printer as c
from heddle.diagnostics import CompileError
from heddle.explorer.views.trace.trace_schema import WhatIfView
from heddle.explorer.views.trace.what_if import Text, what_if_view
from heddle.loop_ir.nodes import If
from heddle.loop_ir.printing.printer import statement_lines
from heddle.loop_ir.walk import statements
from heddle.result import CompileResult

SPMV = "y(i) = A(i,j) * x(j)"


def guards(result: CompileResult, text: Text = "c") -> list[int]:
    """The lines of all conditional statements."""
    assert result.function is not None
    lines = c.statement_lines(result.function) if text == "c" else statement_lines(result.function)
    numbered = zip(lines, statements(result.function.body), strict=True)
    return [line for line, statement in numbered if isinstance(statement, If)]


def spmv(*schedule: str) -> CompileResult:
    return hd.lower(SPMV, {"A": "csr"}, schedule)


def without(*schedule: str) -> WhatIfView:
    result = spmv(*schedule)
    return what_if_view(result, guards(result)[0], "c")


def test_a_tail_without_its_guard_leaves_the_array() -> None:
    view = without("split(i, i0, i1, 3)")
    assert view["outcome"] == "fault"
    assert view["command"] == 0
    assert view["guard"] is not None
    assert view["diagnostics"][0]["code"] == "trace/fault"
    assert view["diagnostics"][0]["found"] == "OutOfBounds"
    assert view["summary"] == "Without this guard the run goes wrong."


def test_a_guard_that_the_data_never_needs_changes_nothing() -> None:
    view = without("split(i, i0, i1, 2)")
    assert view["outcome"] == "same"
    assert view["changes"] == []
    assert view["summary"] == "On these small operands nothing changes: no iteration here needs the guard."


def test_a_part_without_its_limit_runs_into_the_next() -> None:
    """Parts of three, cut into twos: without the limit each part takes one of the next part's elements too."""
    result = hd.lower("y = x(i)", {}, ("divide(i, i0, i1, 3)", "split(i1, i2, i3, 2)"))
    views = [what_if_view(result, line, "c", {"x": [1.0] * 9}) for line in guards(result)]
    (different,) = [view for view in views if view["outcome"] == "different"]
    assert different["changes"] == [{"array": "y_vals", "index": 0, "expected": 9.0, "found": 11.0}]
    assert different["summary"] == "Without this guard the result is wrong in 1 place: y_vals[0] is 11.0, not 9.0."


def test_lines_of_the_loops_are_understood_too() -> None:
    result = spmv("split(i, i0, i1, 3)")
    assert what_if_view(result, guards(result, "loops")[0], "loops")["outcome"] == "fault"


def test_a_line_without_a_guard_is_refused_with_those_that_have_one() -> None:
    result = spmv("split(i, i0, i1, 3)")
    with pytest.raises(CompileError) as refused:
        what_if_view(result, 1, "c")
    (diagnostic,) = refused.value.diagnostics
    assert diagnostic.code == "what-if/no-guard"
    assert diagnostic.message == "Line 1 has no guard that could be removed."
    assert diagnostic.expected == f"a line with a guard: {guards(result)[0]}"


def test_a_kernel_without_guards_says_so() -> None:
    with pytest.raises(CompileError) as refused:
        what_if_view(spmv(), 3, "c")
    assert refused.value.diagnostics[0].expected == "a kernel with guards; this one has none"
