"""What the page shows of types: where each element lies, and how the sum in its address disappears."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import pytest

import compiler as hd
from compiler.views.compile import compile_view
from compiler.views.patterns_schema import MemoryView, PatternsView
from tests.compiler.patterns.programs import CASES


def view_of(text: str, **more: Any) -> PatternsView:
    found = compile_view(hd.lower(text, language="patterns", **more))["patterns"]
    assert found is not None
    return found


def memory_of(length: str) -> MemoryView:
    (found,) = view_of(f"nFun(n => fun(A: [i -> [float]_{{{length}}}]_n => A :>> map(reduce(+, 0.0))))")["memory"]
    return found


@pytest.mark.parametrize("length", ["i+1", "2*i", "n-i", "i*i", "i % 3", "min(i, 2)", "i == 1 ? 3 : 1"])
def test_rows_begin_behind_the_rows_in_front(length: str) -> None:
    memory = memory_of(length)
    assert len(memory["rows"]) == 4
    assert memory["starts"] == [0, *accumulate(memory["rows"])]


@pytest.mark.parametrize("name", ["P2", "P3", "P6", "P8"])
def test_rows_of_the_running_example(name: str) -> None:
    for memory in view_of(CASES[name].text)["memory"]:
        assert memory["rows"][0] == 2 or name == "P8"
        assert memory["data"]
        assert memory["starts"] == [0, *accumulate(memory["rows"])]


def test_the_sum_of_a_triangle_disappears_in_two_steps() -> None:
    memory = memory_of("i+1")
    assert [step["rule"] for step in memory["steps"]] == ["linear", "constant"]
    assert memory["start"] == "(i*i + i)/2"
    assert memory["additions"] == {"loop": 6, "memo": 4, "closed": 0}


def test_what_no_rule_removes_is_no_formula() -> None:
    lengths = view_of(CASES["P2"].text)["memory"][0]
    assert (lengths["steps"], lengths["additions"]["closed"]) == ([], None)
    assert lengths["strategy"] == "auto"


def test_the_strategy_is_that_of_the_steps() -> None:
    found = view_of(CASES["P3"].text, schedule=["sums(vals, memo)"])["memory"]
    assert [(one["name"], one["strategy"]) for one in found] == [("cols", "auto"), ("vals", "memo")]


def test_places_of_the_length_are_those_of_all_arrays_with_the_same_rows() -> None:
    text = CASES["P3"].text
    for memory in view_of(text)["memory"]:
        assert [text[start:end] for start, end in memory["spans"]] == ["toNat(offset@(i+1) - offset@i)"] * 2


def test_padding_of_pairs() -> None:
    (packed,) = view_of(CASES["P4"].text)["memory"]
    assert (packed["bytes"], packed["bytes_apart"]) == (8, 8)
    (wide,) = view_of(CASES["P4"].text.replace("float", "double"))["memory"]
    assert (wide["bytes"], wide["bytes_apart"]) == (16, 12)


def test_arguments_are_offered_and_their_tensors_are_operands() -> None:
    arguments = {"offset": "A.pos", "cols": "A.crd", "vals": "A.vals", "xs": "x"}
    plan = {"version": 2, "language": "patterns", "expression": CASES["P3"].text, "arguments": arguments}
    found = compile_view(hd.lower(plan))
    assert found["patterns"] is not None
    assert [(one["parameter"], one["argument"]) for one in found["patterns"]["arguments"]] == [*arguments.items()]
    assert [(one["name"], one["order"], one["format"], one["dimensions"]) for one in found["tensors"]] == [
        ("A", 2, "csr", ["n", "m"]),
        ("x", 1, "dense", ["m"]),
    ]


def test_other_languages_have_none() -> None:
    assert compile_view(hd.lower("y(i) = A(i,j) * x(j)"))["patterns"] is None
    assert compile_view(hd.lower("nFun(n =>", language="patterns"))["patterns"] is None
