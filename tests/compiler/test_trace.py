from __future__ import annotations

import pytest

from heddle.trace import Trace


def test_passes_are_kept_in_order_with_their_text() -> None:
    trace = Trace()
    with trace.step("parse", "Index notation") as step:
        step.text = "y(i) = x(i)"
    with trace.step("command-0", "split", command=0):
        pass
    assert [(one.name, one.text, one.command) for one in trace.passes] == [
        ("parse", "y(i) = x(i)", None),
        ("command-0", "", 0),
    ]
    assert all(one.milliseconds >= 0 for one in trace.passes)


def test_a_pass_that_fails_leaves_no_record() -> None:
    trace = Trace()
    with pytest.raises(ZeroDivisionError), trace.step("parse", "Index notation"):
        raise ZeroDivisionError
    assert trace.passes == []


def test_a_text_that_few_read_is_printed_when_it_is_asked_for() -> None:
    trace, printed = Trace(), []

    def text() -> str:
        printed.append(1)
        return "loops"

    with trace.step("lowered", "Loops, as lowered") as step:
        step.text = text
    assert printed == []
    assert trace.passes[0].text == "loops"
    assert printed == [1]


def test_a_pass_that_changed_nothing_says_so() -> None:
    trace = Trace()
    with trace.step("pass-simplify", "Simplified", summary="Folds.") as step:
        step.changed = False
    assert [(one.summary, one.changed, one.text) for one in trace.passes] == [("Folds.", False, "")]
