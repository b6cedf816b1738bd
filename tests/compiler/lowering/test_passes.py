"""The table of passes, and what runs it: each row is named, timed, traced, and its loops verified."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import heddle as hd
from heddle.diagnostics import InternalError
from heddle.loop_ir.nodes import Assign, Block, Const, Function
from heddle.lowering.function import lower
from heddle.lowering.kernel_symbols import allocate_kernel_symbols
from heddle.lowering.passes import PASSES, VERIFY_EACH, Context, LoopPass, alone, run_passes
from heddle.origin import Origin, Role
from heddle.trace import Trace


def start() -> tuple[Function, Context]:
    graph = hd.lower("y(i) = A(i,j) * x(j)", {"A": "csr"}, "unroll(j, 4)").lowered_graph
    assert graph is not None
    kernel = allocate_kernel_symbols(graph)
    return lower(kernel), Context(kernel, gpu=False)


def broken(function: Function) -> Function:
    """Assigns to a scalar that was never declared."""
    lost = Assign("lost", Const(1.0, "float64"), Origin(Role.COMPUTE))
    return replace(function, body=Block((*function.body.statements, lost)))


BREAKS = LoopPass("breaks", "Breaks", "Breaks the loops.", alone(broken))
MENDS = LoopPass(
    "mends",
    "Mends",
    "Mends them again.",
    alone(lambda function: replace(function, body=Block(function.body.statements[:-1]))),
)


@pytest.mark.parametrize("row", PASSES, ids=lambda row: row.name)
def test_rows_say_what_they_do_in_one_line(row: LoopPass) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", row.name)
    assert row.title[0].isupper()
    assert row.summary.endswith(".")
    assert "\n" not in row.summary
    assert len(row.summary) <= 110


def test_names_and_titles_tell_passes_apart() -> None:
    assert len({row.name for row in PASSES}) == len({row.title for row in PASSES}) == len(PASSES)


def test_each_pass_is_traced_and_has_a_text_where_it_changed_something() -> None:
    trace = Trace()
    function = run_passes(*start(), trace)
    assert [one.name for one in trace.passes] == [f"pass-{row.name}" for row in PASSES]
    assert [(one.title, one.summary) for one in trace.passes] == [(row.title, row.summary) for row in PASSES]
    texts = {one.name: one.text for one in trace.passes if one.changed}
    assert {"pass-partial-sums", "pass-simplify"} <= texts.keys()
    assert "y_sum_3" in texts["pass-partial-sums"]
    assert all(one.text == "" for one in trace.passes if not one.changed)
    assert function != start()[0]


def test_a_pass_that_breaks_the_loops_is_named() -> None:
    with pytest.raises(InternalError, match="'lost'") as caught:
        run_passes(*start(), Trace(), (*PASSES, BREAKS, MENDS))
    assert caught.value.__notes__ == ["after the pass 'breaks'"]


def test_without_the_tests_loops_are_verified_behind_the_last_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VERIFY_EACH)
    run_passes(*start(), Trace(), (BREAKS, MENDS))
    with pytest.raises(InternalError, match="'lost'") as caught:
        run_passes(*start(), Trace(), (BREAKS,))
    assert caught.value.__notes__ == ["after the last pass"]
