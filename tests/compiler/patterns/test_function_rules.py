"""Functions that are applied where they stand go, and those that only pass on what they are given; maps behind joined
rows and in front of pairs change places, and windows go into tiles. Each step means the same on 8 random inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import heddle as hd
from heddle.patterns.meaning import evaluate
from heddle.patterns.program import ALL_UNITS, check
from heddle.patterns.rules.steps import Stepped, apply_step, begin
from heddle.patterns.rules.terms import labels
from heddle.patterns.syntax.parser import parse
from tests.compiler.patterns.programs import CASES, ROW, many, program

N = many("n", "m")
A, X, Y = "fun(A:[[float]m]n => ", "fun(xs:[float]n => ", "fun(ys:[float]n => "
RAGGED = f"fun(offset:[int]n+1 => fun(v:[i -> [float]{ROW}]n => "
WINDOWS = "fun(w:[float]_{8*n+2} => w :>> slide(3,1) :>> map(reduce(+, 0.0)"


def behind(text: str, *steps: str) -> Stepped:
    state = begin(check(text, parse(text)))
    for number, step in enumerate(steps):
        state = apply_step(state, step, number, ALL_UNITS)
    return state


def drawn(text: str, seed: int) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    n, m = (int(size) for size in random.integers(1, 6, 2))
    lengths = random.integers(0, 4, n)
    shapes = {"A": (n, m), "xs": (n,), "ys": (n,), "v": (int(lengths.sum()),), "w": (8 * n + 2,)}
    made = {name: random.integers(-4, 5, shape).astype(np.float32) for name, shape in shapes.items()}
    made["offset"] = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    wanted = {name for name, _ in behind(text).program.types}
    return {name: value for name, value in made.items() if name in wanted}


@pytest.mark.parametrize(
    ("text", "steps", "made"),
    [
        (
            program(N, f"{A}A :>> join :>> map(fun(e => e * 2.0"),
            ("joinMap(map1)",),
            "A :>> map(map(fun(e => e * 2.0))) :>> join",
        ),
        (
            program(many("n"), f"{RAGGED}v :>> join :>> mapPar(fun(e => e * 2.0"),
            ("joinMap(map1)", "mapLater(join1)"),
            "v :>> join :>> mapPar(fun(e => e * 2.0",
        ),
        (
            program(many("n"), f"{RAGGED}v :>> map(map(fun(e => e + 1.0))) :>> join :>> reduce(+, 0.0"),
            ("mapLater(join1)",),
            "v :>> join :>> map(fun(e => e + 1.0)) :>> reduce(+, 0.0",
        ),
        (
            program(
                many("n"), f"{X}{Y}zip(xs :>> map(fun(e => e * 2.0)), ys :>> mapPar(fun(e => e + 1.0))) :>> map(*)"
            ),
            ("zipMap(zip1)",),
            "zip(xs, ys) :>> mapPar(fun(p => (p.1 * 2.0, p.2 + 1.0))) :>> map(*",
        ),
        (
            program(many("n"), f"{X}{Y}zip(xs, zip(ys, xs) :>> map(*)) :>> map(*)"),
            ("zipMap(zip1)",),
            "zip(xs, zip(ys, xs)) :>> map(fun(p => (p.1, p.2.1 * p.2.2))) :>> map(*",
        ),
        (
            program(many("n"), f"{X}{Y}zip(xs :>> map(fun(e => e * 2.0)), ys :>> map(fun(e => e + 1.0))) :>> map(*)"),
            ("zipMap(zip1)", "fuse(map3)", "betaEta(map3)"),
            "zip(xs, ys) :>> map(fun(p => p.1 * 2.0 * (p.2 + 1.0",
        ),
        (
            program(many("n"), WINDOWS),
            ("tileSlide(slide1, 8)",),
            "w :>> slide(10, 8) :>> map(slide(3, 1)) :>> join :>> map(reduce(+, 0.0",
        ),
        (
            program(many("n"), "fun(w:[float]_{8*n+2} => w :>> slide(4,2) :>> map(reduce(max, -9.0)"),
            ("tileSlide(slide1, 8)", "joinMap(map1)"),
            "w :>> slide(10, 8) :>> map(slide(4, 2)) :>> map(map(reduce(max, -9.0))) :>> join",
        ),
        (
            program(N, f"{A}A :>> map(fun(r => r :>> map(fun(e => e :>> fun(f => f * f + 1.0"),
            ("betaEta(map1)",),
            "A :>> map(map(fun(e => e * e + 1.0",
        ),
        (
            program(N, f"{A}A :>> map(fun(r => reduce(+, 0.0)(r"),
            ("betaEta(map1)",),
            "A :>> map(reduce(+, 0.0",
        ),
        (
            program(N, f"{A}A :>> map(fun(r => let s = r :>> reduce(+, 0.0) in s * 2.0"),
            ("betaEta(map1)",),
            "A :>> map(fun(r => (r :>> reduce(+, 0.0)) * 2.0",
        ),
        (
            program(N, f"{A}A :>> fun(B => B :>> map(reduce(+, 0.0)"),
            ("betaEta(map1)",),
            "A :>> map(reduce(+, 0.0",
        ),
        (
            program(many("n"), f"{X}{Y}zip(xs, ys) :>> map(fun(p => p.1 * p.2"),
            ("betaEta(map1)",),
            "zip(xs, ys) :>> map(*",
        ),
        (
            program(many("n"), f"{X}let f = fun(e => e * 2.0) in xs :>> map(f :>> fun(e => e + e"),
            ("betaEta(map1)",),
            "xs :>> map(fun(e => e * 2.0) :>> fun(e => e + e",
        ),
    ],
)
def test_a_step_makes_the_program_that_its_law_says(text: str, steps: tuple[str, ...], made: str) -> None:
    state = behind(text, *steps)
    assert made in state.program.text
    assert len(set(labels(state.term))) == len(labels(state.term))
    kernel = hd.compile(text, language="patterns", target="interpreter", schedule=list(steps))
    for seed in range(8):
        arguments = drawn(text, seed)
        sizes = kernel.prepare(arguments).sizes
        expected = evaluate(parse(text), arguments, sizes)
        np.testing.assert_array_equal(evaluate(state.program.term, arguments, sizes), expected)
        np.testing.assert_array_equal(kernel(**arguments).to_numpy().reshape(-1), np.reshape(expected, -1))


NOTHING_TO_GO = (
    "Neither in map1 nor around it is a function applied where it stands, or one that only passes on what it is given, "
    "of which nothing would be computed again."
)


@pytest.mark.parametrize(
    ("text", "step", "message"),
    [
        (
            CASES["P3"].text,
            "joinMap(map1)",
            "joinMap does not apply to map1: map1 does not directly follow join.",
        ),
        (
            program(N, f"{A}A :>> map(fun(r => r :>> reverse)) :>> join"),
            "mapLater(join1)",
            "mapLater does not apply to join1: The function of map1 is not another map.",
        ),
        (
            CASES["P3"].text,
            "zipMap(zip1)",
            "zipMap does not apply to zip1: zip1 does not pair what a map makes.",
        ),
        (
            program(
                many("n"),
                f"{X}{Y}zip(xs :>> mapSeq(fun(e => e * 2.0)), ys :>> mapPar(fun(e => e + 1.0))) :>> map(*)",
            ),
            "zipMap(zip1)",
            "zipMap does not apply to zip1: The maps run in different ways, as mapPar and as mapSeq.",
        ),
        (
            program(many("n"), "fun(w:[float]_n => w :>> slide(3,1) :>> map(reduce(+, 0.0)"),
            "tileSlide(slide1, 8)",
            "tileSlide does not apply here: that 8 divides n - 10 is not proved.",
        ),
        (
            program("", "fun(w:[float]_20 => w :>> slide(4,2) :>> map(reduce(+, 0.0)"),
            "tileSlide(slide1, 3)",
            "tileSlide does not apply to slide1: Tiles of 3 elements do not hold whole steps of 2.",
        ),
        (
            program(N, "fun(w:[float]_{m*n} => w :>> slide(m, m) :>> map(reduce(+, 0.0)"),
            "tileSlide(slide1, 8)",
            "tileSlide does not apply to slide1: The step of slide1 is m.",
        ),
        (
            program(N, f"{A}A :>> map(fun(r => let s = r :>> reduce(+, 0.0) in r :>> map(fun(e => e * s"),
            "betaEta(map1)",
            f"betaEta does not apply to map1: {NOTHING_TO_GO}",
        ),
        (
            program(N, f"{A}A :>> map(fun(r => let s = r :>> reduce(+, 0.0) in s * s"),
            "betaEta(map1)",
            f"betaEta does not apply to map1: {NOTHING_TO_GO}",
        ),
        (
            program(many("n"), f"{X}xs :>> map(fun(e => e + 1.0"),
            "betaEta(map1)",
            f"betaEta does not apply to map1: {NOTHING_TO_GO}",
        ),
    ],
)
def test_steps_that_are_refused(text: str, step: str, message: str) -> None:
    assert hd.lower(text, language="patterns", target="interpreter").ok
    (found,) = hd.lower(text, language="patterns", target="interpreter", schedule=[step]).diagnostics
    assert found.message == message
    assert found.code == "patterns/condition"
    assert found.expected
    assert found.found


def test_no_name_comes_to_mean_another() -> None:
    """The y of the program is not the y that the inner function binds."""
    text = program(many("n"), f"{X}fun(y:[float]n => xs :>> map(fun(e => (y@0) :>> fun(f => e :>> fun(y => y + f")
    state = behind(text, "betaEta(map1)")
    arguments = {"xs": np.float32([1, 2]), "y": np.float32([10, 20])}
    np.testing.assert_array_equal(evaluate(state.program.term, arguments, {}), [11, 12])
    assert "y@0" in state.program.text
