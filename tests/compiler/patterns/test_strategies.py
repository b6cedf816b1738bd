"""Rows are found by a formula, by sums that the runtime adds up, or by loops: all the same, at different costs."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.diagnostics import CompileError
from heddle.loop_ir.interpreter.interpreter import interpret
from heddle.loop_ir.interpreter.trace import ScalarEvent
from tests.compiler.patterns.programs import CASES, ROW, many, program

STEPS = {
    "closed": ["sums(vals, closed)", "sums(cols, closed)"],
    "memo": ["sums(vals, memo)", "sums(cols, memo)"],
    "loop": ["sums(vals, loop)", "sums(cols, loop)"],
}


@pytest.mark.parametrize("name", ["P2", "P3"])
@pytest.mark.parametrize("strategy", STEPS)
@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_every_strategy_computes_the_same(name: str, strategy: str, target: str) -> None:
    kernel = hd.compile(CASES[name].text, language="patterns", schedule=STEPS[strategy], target=target)
    for seed, n in enumerate((0, 1, 7)):
        arguments, expected = CASES[name].make(np.random.default_rng(seed), n)
        np.testing.assert_array_equal(kernel(**arguments).to_numpy(), expected)


def additions(name: str, strategy: str, n: int) -> int:
    """How often a start of a row gets one more length added, in one run."""
    kernel = hd.compile(CASES[name].text, language="patterns", schedule=STEPS[strategy], target="interpreter")
    arguments, _ = CASES[name].make(np.random.default_rng(5), n)
    call = kernel.prepare(arguments)
    assert kernel.result.function is not None
    values = {
        parameter.name: call.arguments[parameter.tensor].item()
        if parameter.array is None
        else call.arguments[parameter.tensor].vals
        for parameter in kernel.result.function.parameters
    }
    events = interpret(kernel.result.function, values, trace=True).trace
    changes = sum(isinstance(event, ScalarEvent) and event.name.startswith("start") for event in events)
    return changes - (n if strategy == "loop" else 0)  # each row begins with 0


@pytest.mark.parametrize("name", ["P2", "P3"])
@pytest.mark.parametrize("n", [0, 1, 2, 9])
def test_loops_add_up_all_rows_in_front_and_the_others_nothing(name: str, n: int) -> None:
    assert additions(name, "loop", n) == n * (n - 1) // 2
    assert additions(name, "memo", n) == 0
    if name == "P3":
        assert additions(name, "closed", n) == 0


def test_what_the_runtime_adds_up_for_lengths_is_the_offsets_of_csr() -> None:
    kernel = hd.compile(CASES["P2"].text, language="patterns", target="interpreter")
    lengths = np.array([2, 0, 3, 2])
    call = kernel.prepare({"lengths": lengths, "cols": np.zeros(7, int), "vals": np.ones(7), "xs": np.ones(6)})
    (memo,) = call.memos.values()
    assert memo.tolist() == [0, 2, 2, 5, 7]


AS_DATA = program(
    many("n"),
    f"fun(offset:[int]n+1 => fun(values:[i -> [float]{ROW}]n => "
    "values :>> mapi(fun(i => fun(r => (r :>> reduce(+, 0.0)) + (offset@i)",
)
"""Offsets are asked for themselves, not for their differences alone."""


def test_a_start_that_is_0_is_not_loaded() -> None:
    """It is 0 by the type, or because the call gives offsets from 0 where only differences are asked for."""
    for text, loaded in ((CASES["P6"].text, False), (CASES["P5"].text, False), (AS_DATA, True)):
        source = hd.lower(text, language="patterns").source
        assert source is not None
        assert ("offset[0]" in source.text) == loaded


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_offsets_may_begin_anywhere(target: str) -> None:
    offset, values = np.int32([5, 7, 7, 8]), np.float32([1, 2, 4])
    sums = hd.compile(CASES["P5"].text, language="patterns", target=target)
    assert sums(offset=offset, values=values).to_numpy().tolist() == [3, 0, 4]
    assert offset.tolist() == [5, 7, 7, 8]
    others = hd.compile(AS_DATA, language="patterns", target=target)
    assert others(offset=offset, values=values).to_numpy().tolist() == [8, 7, 11]


@pytest.mark.parametrize(
    ("changed", "code", "message", "hint"),
    [
        ({"offset": np.int32([5, 7, 6, 8])}, "offsets", "offset falls at position 2: 7, then 6.", None),
        (
            {"values": np.float32([1, 2])},
            "ragged-size",
            "values has 2 in records, and its type says offset@n with n = 3: 3.",
            "offset is counted from its first element, 5.",
        ),
    ],
)
def test_what_is_wrong_with_them_is_said_in_their_own_numbers(
    changed: dict[str, object], code: str, message: str, hint: str | None
) -> None:
    good = {"offset": np.int32([5, 7, 7, 8]), "values": np.float32([1, 2, 4])}
    with pytest.raises(CompileError) as caught:
        hd.compile(CASES["P5"].text, language="patterns", target="interpreter")(**{**good, **changed})
    (found,) = caught.value.diagnostics
    assert (found.code, found.message, found.hint) == (f"runtime/{code}", message, hint)
