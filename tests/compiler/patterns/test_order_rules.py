"""Maps change places: one goes around the other, or behind a pattern that only moves elements. Each step means the
same on random data, and is refused where rows have different lengths or work would be done again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import heddle as hd
from heddle.loop_ir.nodes import For
from heddle.loop_ir.walk import statements
from heddle.patterns.meaning import evaluate
from heddle.patterns.program import ALL_UNITS, check
from heddle.patterns.rules.rule import sites
from heddle.patterns.rules.steps import Stepped, apply_step, begin
from heddle.patterns.rules.terms import labels
from heddle.patterns.syntax.parser import parse
from tests.compiler.patterns.programs import CASES, ROW, many, program

N = many("n", "m")
A, X, Y = "fun(A:[[float]m]n => ", "fun(xs:[float]m => ", "fun(ys:[float]n => "


def behind(text: str, *steps: str) -> Stepped:
    state = begin(check(text, parse(text)))
    for number, step in enumerate(steps):
        state = apply_step(state, step, number, ALL_UNITS)
    return state


def drawn(text: str, seed: int) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    n, m = (int(size) for size in random.integers(1, 6, 2))
    shapes = {"A": (n, m), "xs": (m,), "ys": (n,), "B": (m, 3), "C": (n, m, 2)}
    wanted = {name for name, _ in behind(text).program.types}
    return {name: random.integers(-4, 5, shape).astype(np.float32) for name, shape in shapes.items() if name in wanted}


ROWS_OF_THEIR_OWN = program(N, f"{A}A :>> map(fun(r => r :>> map(fun(v => v * 2.0)")
OUTER = program(N, f"{X}{Y}ys :>> map(fun(a => xs :>> map(fun(b => a * b - a")


@pytest.mark.parametrize(
    ("text", "steps", "made"),
    [
        (ROWS_OF_THEIR_OWN, ("interchange(map1)",), "A :>> transpose :>> map(map(fun(v => v * 2.0))) :>> transpose"),
        (
            program(N, f"{A}A :>> map(map(fun(v => v * 2.0)))"),
            ("interchange(map1)",),
            "A :>> transpose :>> map(map(fun(v => v * 2.0))) :>> transpose",
        ),
        (OUTER, ("interchange(map1)",), "xs :>> map(fun(b => ys :>> map(fun(a => a * b - a)))) :>> transpose"),
        (
            OUTER,
            ("interchange(map1)", "interchange(map2)", "cancel(transpose1)"),
            "ys :>> map(fun(a => xs :>> map(fun(b => a * b - a))))",
        ),
        (
            program(N, f"{A}{X}A :>> map(fun(r => zip(r, xs) :>> map(*)"),
            ("interchange(map1)",),
            "A :>> map(fun(r => zip(r, xs))) :>> transpose :>> map(map(*)) :>> transpose",
        ),
        (
            program(N, f"{A}{X}{Y}zip(A, ys) :>> map(fun(q => q.1 :>> map(fun(v => v * q.2 + v"),
            ("interchange(map1)",),
            "zip(A, ys) :>> map(fun(q => q.1)) :>> transpose :>> map(fun(column => zip(zip(A, ys), column) :>> "
            "map(fun(p => p.2 * p.1.2 + p.2)))) :>> transpose",
        ),
        (
            program(many("n", "m", "k"), "fun(C:[[[float]k]m]n => C :>> map(map(map(fun(v => v + 1.0))))"),
            ("interchange(map2)",),
            "C :>> map(transpose :>> map(map(fun(v => v + 1.0))) :>> transpose)",
        ),
        (
            program(many("n", "m"), f"{X}{Y}ys :>> map(fun(xs2 => xs :>> map(fun(ys => ys * xs2"),
            ("interchange(map1)",),
            "xs :>> map(fun(ys2 => ys :>> map(fun(xs2 => ys2 * xs2)))) :>> transpose",
        ),
        (
            program(many("m"), f"{X}xs :>> map(fun(v => v * 2.0)) :>> deal(3) :>> map(reduce(+, 0)"),
            ("mapLater(deal1)",),
            "xs :>> deal(3) :>> map(map(fun(v => v * 2.0))) :>> map(reduce(+, 0",
        ),
        (
            program(many("m"), f"{X}xs :>> mapPar(fun(v => v * 2.0)) :>> reverse"),
            ("mapLater(reverse1)",),
            "xs :>> reverse :>> mapPar(fun(v => v * 2.0",
        ),
        (
            program(N, f"{A}A :>> map(map(fun(v => v * 2.0))) :>> transpose"),
            ("mapLater(transpose1)",),
            "A :>> transpose :>> map(map(fun(v => v * 2.0",
        ),
        (
            program(N, f"{A}A :>> map(map(fun(v => v * 2.0)) :>> take(1)"),
            ("mapLater(take1)",),
            "A :>> map(take(1) :>> map(fun(v => v * 2.0",
        ),
    ],
)
def test_a_step_makes_the_program_that_its_law_says(text: str, steps: tuple[str, ...], made: str) -> None:
    state = behind(text, *steps)
    assert made in state.program.text
    kernel = hd.compile(text, language="patterns", target="interpreter", schedule=list(steps))
    for seed in range(8):
        arguments = drawn(text, seed)
        if "C" in arguments:
            expected = np.asarray(arguments["C"]).reshape(-1) + 1
        else:
            expected = evaluate(parse(text), arguments, {})
        np.testing.assert_array_equal(evaluate(state.program.term, arguments, {}), expected)
        np.testing.assert_array_equal(kernel(**arguments).to_numpy().reshape(-1), expected)


@pytest.mark.parametrize(
    ("text", "step", "message"),
    [
        (
            program(many("n"), f"fun(offset:[int]n+1 => fun(v:[i -> [float]{ROW}]n => v :>> map(map(fun(e => e * 2.0"),
            "interchange(map1)",
            "interchange does not apply here: Only rows of one length can be transposed; here row i has "
            "offset@(i + 1) - offset@i elements.",
        ),
        (
            CASES["P3"].text,
            "interchange(map1)",
            "interchange does not apply to map1: The function of map1 is not another map.",
        ),
        (
            program(N, f"{A}{X}A :>> map(fun(r => r :>> reduce(+, 0.0))) :>> map(fun(s => xs :>> map(fun(x => s * x"),
            "interchange(map2)",
            "interchange does not apply to map2: A :>> map(fun(r => r :>> reduce(+, 0.0))) takes a loop for each "
            "element, and each element of the inner map would read it again.",
        ),
        (
            program(
                N,
                f"{A}A :>> map(fun(r => (let s = r :>> reduce(+, 0.0) in r :>> map(fun(v => v * s))) :>> "
                "map(fun(v => -v",
            ),
            "interchange(map1)",
            "interchange does not apply to map1: (let s = r :>> reduce(+, 0.0) in r :>> map(fun(v => v * s))) takes a "
            "loop for each element, and columns read it once for each element.",
        ),
        (
            program(N, f"{A}A :>> map(fun(r => r :>> mapPar(fun(v => v * 2.0)))) :>> map(fun(r => r)"),
            "mapLater(map1)",
            "mapLater does not apply to map1: map1 does more than move elements.",
        ),
        (
            program(N, f"{X}xs :>> map(fun(v => v * 2.0)) :>> toGlobal"),
            "mapLater(toGlobal1)",
            "mapLater does not apply to toGlobal1: toGlobal1 does more than move elements.",
        ),
        (
            program(N, f"{X}xs :>> take(1) :>> reverse"),
            "mapLater(reverse1)",
            "mapLater does not apply to reverse1: reverse1 does not directly follow a map.",
        ),
        (
            program(N, f"{A}{X}A :>> map(fun(r => zip(r, xs) :>> map(*))) :>> transpose"),
            "mapLater(transpose1)",
            "mapLater does not apply to transpose1: The function of map1 is not a map over its own elements alone.",
        ),
        (
            program(N, f"{A}A :>> mapi(fun(i => fun(r => r :>> map(fun(v => v * 2.0"),
            "interchange(mapi1)",
            "There is no mapi1 that interchange applies to. Available: map1.",
        ),
    ],
)
def test_steps_that_are_refused(text: str, step: str, message: str) -> None:
    assert hd.lower(text, language="patterns", target="interpreter").ok
    (found,) = hd.lower(text, language="patterns", target="interpreter", schedule=[step]).diagnostics
    assert found.message == message
    assert found.expected
    assert found.location is not None
    assert found.location.command == 0


def loops_of(text: str, *steps: str) -> list[str]:
    function = hd.lower(text, language="patterns", schedule=list(steps)).function
    assert function is not None
    return [f"{one.kind.value} {one.variable}" for one in statements(function.body) if isinstance(one, For)]


def test_loops_change_places_with_their_maps() -> None:
    """What is transposed in the end is made in the order of its maps, on their units."""
    text = program(N, f"{A}A :>> mapPar(fun(row => row :>> map(fun(v => v * 2.0")
    before, after = loops_of(text), loops_of(text, "interchange(map1)")
    assert [one.partition(" ")[0] for one in before] == ["CPUThread", "NotParallel"]
    assert [one.partition(" ")[0] for one in after] == ["NotParallel", "CPUThread"]


def test_a_transposed_map_computes_each_element_once() -> None:
    """What a row needs was computed again for each of its elements."""
    text = program(
        N, f"{A}A :>> map(fun(r => let s = r :>> reduce(+, 0.0) in r :>> map(fun(v => v * s)))) :>> transpose"
    )
    function = hd.lower(text, language="patterns").function
    assert function is not None
    (outer,) = [one for one in getattr(function.body, "statements", (function.body,)) if isinstance(one, For)]
    inner = [one for one in statements(outer.body) if isinstance(one, For)]
    assert len(inner) == 2
    assert not any(isinstance(one, For) for loop in inner for one in statements(loop.body))


def test_units_are_checked_where_maps_have_changed_places() -> None:
    text = program(N, f"{A}A :>> mapPar(fun(r => r :>> mapVec(fun(v => v * 2.0")
    (found,) = hd.lower(text, language="patterns", target="interpreter", schedule=["interchange(map1)"]).diagnostics
    assert found.message.startswith("interchange does not apply here: mapPar stands inside mapVec")


def test_what_is_written_twice_has_names_of_its_own() -> None:
    text = program(N, f"{A}{Y}zip(A :>> map(map(fun(v => v + 1.0))), ys) :>> map(fun(q => q.1 :>> map(fun(v => v * q.2")
    state = behind(text, "interchange(map3)")
    found = labels(state.term)
    assert len(set(found)) == len(found)
    assert set(found) == set(sites(state.term))
    arguments = drawn(text, 3)
    np.testing.assert_array_equal(evaluate(state.program.term, arguments, {}), evaluate(parse(text), arguments, {}))


SEVEN = [
    "splitUpJoin(map1, 4)",
    "mapWorkgroup(map3)",
    "dealReduce(reduce1, 8)",
    "mapLater(deal1)",
    "fuse(map4)",
    "mapLocal(map4)",
    "toLocal(map4)",
]


def test_rows_become_work_groups_in_seven_steps() -> None:
    """The program that a person writes for work-groups by hand is the one over rows, seven laws later."""
    state = behind(CASES["P3"].text, *SEVEN)
    assert state.program.text.rstrip(")").endswith(
        "zip(cols, vals) :>> splitUp(4) :>> mapWorkgroup(map(fun(r => zip(r.1, r.2) :>> deal(8) :>> "
        "mapLocal(map(fun(x => x.2 * xs@x.1)) :>> reduceSeq(+, 0)) :>> toLocal :>> reduce(+, 0)))) :>> join"
    )
    kernel = hd.compile(CASES["P3"].text, language="patterns", target="interpreter", schedule=SEVEN)
    for seed, n in enumerate((0, 1, 5, 9)):
        arguments, expected = CASES["P3"].make(np.random.default_rng(seed), n)
        np.testing.assert_array_equal(kernel(**arguments).to_numpy(), expected)
    by_hand = hd.lower(CASES["P9"].text, language="patterns", target="opencl").source
    derived = hd.lower(CASES["P3"].text, language="patterns", target="opencl", schedule=SEVEN).source
    assert by_hand is not None
    assert derived is not None
    assert derived.text.count("barrier(") == by_hand.text.count("barrier(")
