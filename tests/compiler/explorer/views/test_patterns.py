"""What the page shows of types: where each element lies, and how the sum in its address disappears."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import pytest

import heddle as hd
from heddle.explorer.views.compile import compile_view
from heddle.explorer.views.patterns_schema import MemoryView, PatternsView
from heddle.loop_ir.nodes import For
from heddle.loop_ir.walk import statements
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


def test_the_types_of_parts_are_told_where_they_stand() -> None:
    text = CASES["P3"].text
    types = {text[start:end]: one["type"] for one in view_of(text)["types"] for start, end in [one["span"]]}
    assert types["zip(cols, vals)"].startswith("[i -> ([int]_{offset@(i + 1) - offset@i}, [float]_{")
    assert types["x.1"] == "int"
    assert types["r.2"].startswith("[float]_{offset@(")
    assert types["xs"] == "[float]_m"
    spans = [one["span"] for one in view_of(text)["types"]]
    assert spans == sorted(spans, key=lambda span: (span[0], -span[1]))


def test_types_are_those_of_the_text_behind_steps_too() -> None:
    text = CASES["P3"].text
    plain, behind = view_of(text), view_of(text, schedule=["splitUpJoin(map1, 4)", "mapPar(map3)"])
    assert behind["types"] == plain["types"]


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_patterns_know_the_loops_that_they_become(target: str) -> None:
    text = CASES["P3"].text
    result = hd.lower(text, language="patterns", target=target)
    found = compile_view(result)["patterns"]
    assert found is not None
    loops = {one["place"]: one["variables"] for one in found["tree"]}
    assert loops["map1"] == loops["zip1"]
    assert loops["map2"] == loops["reduce1"]
    (outer,), (inner,) = loops["map1"], loops["map2"]
    assert outer != inner
    assert result.function is not None
    names = [one.variable for one in statements(result.function.body) if isinstance(one, For)]
    assert names[:2] == [outer, inner]


def test_patterns_of_work_groups_know_their_loops() -> None:
    found = view_of(CASES["P9"].text, target="opencl")["tree"]
    loops = {one["place"]: one["variables"] for one in found}
    assert all(loops[place] for place in ("map1", "map2", "map3", "reduce1"))
    assert not set(loops["map1"]) & set(loops["map3"])


def test_other_languages_have_none() -> None:
    assert compile_view(hd.lower("y(i) = A(i,j) * x(j)"))["patterns"] is None
    assert compile_view(hd.lower("nFun(n =>", language="patterns"))["patterns"] is None


def test_a_sum_that_stays_has_one_variable_in_sum_and_start() -> None:
    memory = view_of(CASES["P2"].text)["memory"][0]
    assert (memory["sum"], memory["start"]) == ("Σ(k, 0, i, lengths@k)", "Σ(k, 0, i, lengths@k)")


def test_sizes_and_records_are_told_as_far_as_types_do() -> None:
    blocks, triangle = view_of(CASES["P8"].text), view_of(CASES["P7"].text)
    assert (blocks["sizes"], blocks["integers"]) == (["nb", "mb", "b", "k"], [])
    assert blocks["dimensions"] == {"A": ["b*nb", "k*mb"]}
    columns = next(argument for argument in blocks["arguments"] if argument["parameter"] == "bcols")
    assert (columns["sizes"], columns["records"], columns["bytes"]) == (["nb", "mb"], None, 4)
    rows = next(argument for argument in triangle["arguments"] if argument["parameter"] == "L")
    assert rows["records"] == [{"coefficient": 0.5, "sizes": ["n", "n"]}, {"coefficient": 0.5, "sizes": ["n"]}]
