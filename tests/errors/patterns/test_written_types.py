"""Types that are written inside of a program are checked, and a wrong one is named with both types."""

from __future__ import annotations

import pytest

import heddle as hd
from tests.compiler.patterns.programs import ROW, many, program

ONE = many("n")
RAGGED = f"fun(offset:[int]n+1 => fun(v:[i -> [float]{ROW}]n => "


@pytest.mark.parametrize(
    ("text", "found", "wanted", "place"),
    [
        (
            program(ONE, "fun(x:[float]n => (x :>> take(2) : [float]_3) :>> map(fun(v => v + 1.0)"),
            "[float]_2",
            "[float]_3",
            "(x :>> take(2) : [float]_3)",
        ),
        (program(ONE, "fun(x:[float]n => x :>> map(fun(v: int => v))"), "float", "int", "fun(v: int => v)"),
        (program(ONE, "fun(x:[float]n => (x :>> reduce(+, 0.0) : double)"), "float", "double", ""),
        (program(ONE, "fun(x:[float]n => (x : [float]_{n+1})"), "[float]_n", "[float]_{n + 1}", "(x : [float]_{n+1})"),
        (
            program(ONE, f"{RAGGED}(v : [i -> [float]toNat(offset@i)]n) :>> map(reduce(+, 0.0)"),
            "[i -> [float]_{offset@(i + 1) - offset@i}]_n",
            "[i -> [float]_{offset@i}]_n",
            "",
        ),
        (
            program(ONE, f"{RAGGED}v :>> map(fun(r: [float]_n => r :>> reduce(+, 0.0)"),
            "[float]_{offset@(i + 1) - offset@i}",
            "[float]_n",
            "fun(r: [float]_n => r :>> reduce(+, 0.0))",
        ),
        (
            program(ONE, "fun(x:[(int,float)]n => x :>> map(fun(p: (float,int) => p.2)"),
            "(int, float)",
            "(float, int)",
            "fun(p: (float,int) => p.2)",
        ),
        (program(ONE, "fun(x:[float]n => (x : [[float]_1]_n) :>> join"), "[float]_n", "[[float]_1]_n", ""),
    ],
)
def test_a_written_type_that_is_false_is_refused(text: str, found: str, wanted: str, place: str) -> None:
    (problem,) = hd.lower(text, language="patterns").diagnostics
    assert problem.code == "patterns/type"
    assert problem.message == f"This is {found}, and the type that is written of it is {wanted}."
    assert (problem.found, problem.expected) == (found, wanted)
    assert problem.location is not None
    assert text[problem.location.start : problem.location.end] == place or not place


@pytest.mark.parametrize(
    "text",
    [
        program(ONE, "fun(x:[float]n => (x :>> splitUp(4) :>> join : [float]_n)"),
        program(
            ONE, f"{RAGGED}(v : [k -> [float]_{{toNat(offset@(k+1)) - toNat(offset@k)}}]_n) :>> map(reduce(+, 0.0)"
        ),
        program(ONE, "fun(x:[float]n => x :>> map(fun(v: float => v * 2.0))"),
    ],
)
def test_a_written_type_that_is_proved_is_taken(text: str) -> None:
    assert hd.lower(text, language="patterns").ok
