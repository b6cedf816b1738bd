"""Loops over rows that begin where data say run over the positions of the row, and add nothing for an element."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.loop_ir import build
from heddle.loop_ir.analysis.linear import linear, plus
from heddle.loop_ir.nodes import Binary, Var
from heddle.loop_ir.passes.row_positions import row_positions
from tests.compiler.patterns.programs import CASES, ROW, many, program

OTHERWISE = {
    "another place of the row": program(
        many("n"),
        f"fun(offset:[int]n+1 => fun(v:[i -> [float]{ROW}]n => v :>> map(fun(r => "
        "r :>> mapi(fun(j => fun(e => e * j)) ) :>> reduce(+, 0.0)",
    ),
    "a row from its end": program(
        many("n"), f"fun(offset:[int]n+1 => fun(v:[i -> [float]{ROW}]n => v :>> map(fun(r => r :>> reverse :>> "
        "reduce(+, 0.0)",
    ),
    "hands of a row": program(
        many("n"), f"fun(offset:[int]n+1 => fun(v:[i -> [float]{ROW}]n => v :>> map(fun(r => r :>> deal(2) :>> "
        "map(reduce(+, 0.0)) :>> reduce(+, 0.0)",
    ),
    "rows of one length": CASES["P1"].text,
    "a triangle": CASES["P7"].text,
}  # fmt: skip
"""Programs of which no loop counts from where a row begins."""


def text_of(source: str, *steps: str, target: str = "c") -> str:
    found = hd.lower(source, language="patterns", schedule=list(steps), target=target).source
    assert found is not None
    return found.text


@pytest.mark.parametrize(
    ("name", "loop", "inside"),
    [
        ("P2", "i2 = cols_start_at; i2 < cols_start_at + lengths_at;", "total += vals[i2] * xs[(int64_t)cols[i2]];"),
        ("P3", "i2 = offset_at; i2 < offset_at2;", "total += vals[i2] * xs[cols_at];"),
        ("P4", "i2 = offset_at; i2 < offset_at2;", "rows_1[2 * i2]"),
        ("P5", "i2 = offset_at; i2 < offset_at2;", "total += values[i2];"),
    ],
)
def test_no_element_adds_where_its_row_begins(name: str, loop: str, inside: str) -> None:
    text = text_of(CASES[name].text)
    assert f"for (int64_t {loop} i2++) {{" in text
    assert inside in text


def test_pieces_of_rows_count_from_where_they_begin() -> None:
    text = text_of(CASES["P3"].text, "partReduce(reduce1, 8)")
    assert "vals[j]" in text
    assert "cols[j]" in text


def test_rows_in_lanes_are_gathered_as_those_of_a_format_are() -> None:
    ours = text_of(CASES["P3"].text, "mapVec(map2)")
    steps = ["parallelize(j, CPUVector, ParallelReduction)"]
    kernel = hd.lower("y(i) = A(i,j) * x(j)", {"A": "csr"}, steps, dtypes=dict.fromkeys("Ax", "float32")).source
    assert kernel is not None
    helpers = kernel.text.partition("int32_t kernel(")[0]
    assert "gather_kept_" in helpers
    assert set(helpers.splitlines()) <= set(ours.splitlines())


@pytest.mark.parametrize(("step", "asked"), [("mapSeq(map1)", True), ("mapPar(map1)", True), ("mapVec(map1)", False)])
def test_sums_of_gathered_floats_are_not_made_vectors_of(step: str, asked: bool) -> None:
    """gcc multiplies in vectors and adds lane by lane, which takes longer. Nothing is asked inside of lanes."""
    case = CASES["P4"]
    kernel = hd.compile(case.text, language="patterns", schedule=[step])
    assert ("\n    ONE_BY_ONE\n" in kernel.source) == asked
    arguments, expected = case.make(np.random.default_rng(3), 40)
    np.testing.assert_array_equal(kernel(**arguments).to_numpy(), expected)
    assert "ONE_BY_ONE" not in text_of(case.text.replace("float", "double"))
    assert "ONE_BY_ONE" not in text_of(CASES["P5"].text)


def test_so_do_threads_of_work_groups() -> None:
    assert "vals[i2]" in text_of(CASES["P3"].text, "mapWorkgroup(map1)", target="opencl")


@pytest.mark.parametrize("name", OTHERWISE)
def test_other_loops_count_from_0(name: str) -> None:
    result = hd.lower(OTHERWISE[name], language="patterns")
    assert result.function is not None
    assert row_positions(result.function) is result.function
    assert "= 0; " in text_of(OTHERWISE[name])


@pytest.mark.parametrize("target", ["c", "interpreter"])
@pytest.mark.parametrize("first", [0, 5])
def test_offsets_may_begin_anywhere(target: str, first: int) -> None:
    case = CASES["P3"]
    for steps in ([], ["partReduce(reduce1, 2)"]):
        kernel = hd.compile(case.text, language="patterns", target=target, schedule=steps)
        arguments, expected = case.make(np.random.default_rng(6), 9)
        moved = {**arguments, "offset": arguments["offset"] + np.int32(first)}
        np.testing.assert_array_equal(kernel(**moved).to_numpy(), expected)


def test_a_second_time_changes_nothing_and_what_is_changed_is_valid() -> None:
    for name in ("P2", "P3", "P4", "P8", "P12", "P13"):
        result = hd.lower(CASES[name].text, language="patterns")
        assert result.function is not None
        assert row_positions(result.function) is result.function


@pytest.mark.parametrize(
    ("index", "parts", "constant"),
    [
        (Binary("-", Binary("+", Var("i"), Var("a")), Var("b")), {"i": 1, "a": 1, "b": -1}, 0),
        (build.add(build.mul(build.index(2), Binary("-", Var("i"), build.index(3))), build.index(1)), {"i": 2}, -5),
        (Binary("-", Var("a"), Binary("-", Var("a"), Var("i"))), {"i": 1}, 0),
        (Binary("*", Binary("+", Var("i"), build.index(1)), build.index(4)), {"i": 4}, 4),
    ],
)
def test_sums_are_read_whatever_their_brackets(index: Binary, parts: dict[str, int], constant: int) -> None:
    found = linear(index)
    assert ({part.name: times for part, times in found.parts.items() if isinstance(part, Var)}, found.constant) == (
        parts,
        constant,
    )
    assert linear(found.expression) == found
    assert plus(found, found, -1).expression == build.index(0)
