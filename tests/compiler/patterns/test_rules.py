"""Steps that rewrite a program: each means the same on random data, keeps the type, and is refused where its law does
not hold. Names of patterns stay over all steps."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

import heddle as hd
from heddle.loop_ir.nodes import LoopKind
from heddle.patterns.meaning import evaluate
from heddle.patterns.program import ALL_UNITS, check
from heddle.patterns.rules import steps
from heddle.patterns.rules.laws import RULES
from heddle.patterns.rules.steps import Choice, Stepped, apply_step, begin, legal
from heddle.patterns.rules.terms import labels
from heddle.patterns.syntax.parser import parse
from heddle.runtime.patterns.follow import follow_steps
from heddle.targets import target_named
from tests.compiler.patterns.programs import CASES, many, program

INTERPRETER = target_named("interpreter")
NAMES = ("P3", "P7", "P12", "P15")
CHAIN = program(
    many("n"),
    "fun(x:[float]_{8*n} => x :>> map(fun(v => v + 1.0)) :>> map(fun(v => v * 2.0)) :>> reverse :>> reverse "
    ":>> map(fun(v => (v, 3.0))) :>> map(*)",
)


def start(text: str) -> Stepped:
    return begin(check(text, parse(text)))


def behind(text: str, *steps: str) -> Stepped:
    state = start(text)
    for number, step in enumerate(steps):
        state = apply_step(state, step, number, ALL_UNITS)
    return state


def computed(state: Stepped) -> str:
    """The text of what is computed, without the parameters."""
    return re.sub(r"\A(?:nFun\(\w+ => |fun\(\w+: .*?(?<![-]) => (?=[a-zA-Z]))*", "", state.program.text).rstrip(")")


@cache
def first_of_each(text: str) -> tuple[Choice, ...]:
    """What may come next, every rule at every place with the first of its arguments."""
    found: dict[str, Choice] = {}
    for choice in legal(start(text), 0, INTERPRETER.units):
        found.setdefault(choice.text.partition(",")[0], choice)
    return tuple(found.values())


@pytest.mark.combinations(2)
@pytest.mark.parametrize("name", NAMES)
def test_whatever_may_come_next_means_the_same_on_8_inputs(name: str) -> None:
    case, before = CASES[name], start(CASES[name].text)
    inputs = [case.make(np.random.default_rng(seed), 1 + seed) for seed in range(8)]
    kernel = hd.compile(case.text, language="patterns", target="interpreter")
    sizes = [kernel.prepare(arguments).sizes for arguments, _ in inputs]
    taken = [choice.text for choice in first_of_each(case.text) if choice.why_not is None]
    assert len(taken) >= 5
    for text in taken:
        after = apply_step(before, text, 0, INTERPRETER.units)
        for (arguments, expected), known in zip(inputs, sizes, strict=True):
            own = follow_steps(after.program.derivations, arguments, after.program.sizes)
            np.testing.assert_array_equal(evaluate(after.program.term, own, known), expected, err_msg=text)
        run = hd.compile(case.text, language="patterns", target="interpreter", schedule=[text])
        for arguments, expected in inputs[3:4]:
            np.testing.assert_array_equal(run(**arguments).to_numpy().reshape(-1), expected, err_msg=text)


def test_each_refusal_says_why() -> None:
    reasons = {choice.text: choice.why_not.message for choice in first_of_each(CASES["P3"].text) if choice.why_not}
    assert reasons["splitJoin(map1, 8)"] == "splitJoin does not apply here: that 8 divides n is not proved."
    assert reasons["mapLocal(map1)"] == "mapLocal does not apply here: mapLocal stands outside of mapWorkgroup."
    assert reasons["fuse(map1)"] == "fuse does not apply to map1: map1 does not directly follow another map."


def test_work_groups_are_derived_from_rows_in_five_steps() -> None:
    steps = [
        "splitUpJoin(map1, 4)",
        "mapWorkgroup(map3)",
        "dealReduce(reduce1, 8)",
        "mapLocal(map4)",
        "toLocal(map4)",
    ]
    text = behind(CASES["P3"].text, *steps).program.text
    assert text.rstrip(")").endswith(
        "zip(cols, vals) :>> splitUp(4) :>> mapWorkgroup(map(fun(r => zip(r.1, r.2) :>> map(fun(x => x.2 * xs@x.1)) "
        ":>> deal(8) :>> mapLocal(reduceSeq(+, 0)) :>> toLocal :>> reduce(+, 0)))) :>> join"
    )
    kernel = hd.compile(CASES["P3"].text, language="patterns", target="interpreter", schedule=steps)
    for seed, n in enumerate((0, 1, 5, 9)):
        arguments, expected = CASES["P3"].make(np.random.default_rng(seed), n)
        np.testing.assert_array_equal(kernel(**arguments).to_numpy(), expected)
    source = hd.lower(CASES["P3"].text, language="patterns", target="opencl", schedule=steps).source
    assert source is not None
    assert "barrier(" in source.text


def test_what_may_come_next_asks_nothing_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs with pieces of pieces took ten times as long as any other answer: each number was tried, and each try
    proved anew what the one before had proved."""
    tried: list[str] = []
    take = steps.apply_step

    def watched(before: Stepped, text: str, number: int, units: tuple[LoopKind, ...]) -> Stepped:
        tried.append(text)
        after = take(before, text, number, units)
        assert after.program.proofs is before.program.proofs
        return after

    monkeypatch.setattr(steps, "apply_step", watched)
    found = legal(start(CASES["P3"].text), 0, INTERPRETER.units)
    assert sum(text.startswith("splitJoin(map1") for text in tried) == 2
    assert len(tried) <= len(found) + 3
    pieces = program("", "fun(x:[float]_24 => x :>> map(fun(v => v + 1.0)")
    offered = {one.text for one in legal(start(pieces), 0, INTERPRETER.units) if one.why_not is None}
    assert "splitJoin(map1, 8)" in offered


def test_names_stay_with_their_patterns() -> None:
    state = behind(CASES["P3"].text, "splitUpJoin(map1, 4)", "dealReduce(reduce1, 8)")
    assert labels(start(CASES["P3"].text).term) == ("zip1", "map1", "zip2", "map2", "reduce1")
    assert labels(state.term) == (
        *("zip1", "splitUp1", "map3", "map1", "zip2", "map2"),
        *("deal1", "map4", "reduce2", "reduce1", "join1"),
    )


@pytest.mark.parametrize(
    ("step", "made"),
    [
        ("fuse(map2)", "x :>> map(fun(v => v + 1.0) :>> fun(v => v * 2.0)) :>> reverse"),
        ("cancel(reverse2)", "map(fun(v => v * 2.0)) :>> map(fun(v => (v, 3.0))) :>> map(*"),
        ("fuse(map4)", "reverse :>> map(fun(v => (v, 3.0)) :>> fun(p => p.1 * p.2"),
        ("splitJoin(map1, 4)", "x :>> split(4) :>> map(map(fun(v => v + 1.0))) :>> join :>> map("),
        ("toGlobal(map1)", "x :>> map(fun(v => v + 1.0)) :>> toGlobal :>> map("),
        ("mapPar(map1)", "x :>> mapPar(fun(v => v + 1.0)) :>> map("),
    ],
)
def test_a_step_makes_the_program_that_its_law_says(step: str, made: str) -> None:
    state = behind(CHAIN, step)
    assert made in state.program.text
    x = np.arange(16.0)
    expected = evaluate(parse(CHAIN), {"x": x}, {"n": 2})
    np.testing.assert_array_equal(evaluate(state.program.term, {"x": x}, {"n": 2}), expected)


def test_fission_undoes_fusion() -> None:
    fused = behind(CHAIN, "fuse(map2)", "fission(map2)")
    assert "x :>> map(fun(v => v + 1.0)) :>> map(fun(v => v * 2.0)) :>> reverse" in fused.program.text


@pytest.mark.parametrize(
    ("text", "steps", "code", "message"),
    [
        (
            CASES["P3"].text,
            ("mapPar(map7)",),
            "unknown-place",
            "There is no map7 that mapPar applies to. Available: map1, map2.",
        ),
        (
            CHAIN,
            ("fuse(map2)", "mapPar(map1)"),
            "consumed-place",
            "map1 is gone: step 1, fuse(map2), removed it.",
        ),
        (
            program(many("n"), "fun(x:[float]n => x :>> reduceSeq(fun(a => fun(v => a - v)), 0.0)"),
            ("dealReduce(reduce1, 4)",),
            "condition",
            "dealReduce does not apply to reduce1: dealReduce combines elements in another order, which may change the "
            "result of fun(a => fun(v => a - v)).",
        ),
        (
            program(many("n"), "fun(x:[float]n => x :>> reduceSeq(+, 1.0)"),
            ("partReduce(reduce1, 4)",),
            "condition",
            "partReduce does not apply to reduce1: reduceSeq combines the first element first, and partReduce combines "
            "elements in another order.",
        ),
        (
            program(many("n"), "fun(x:[float]n => x :>> reduceSeq(+, 1.0)"),
            ("vectorReduce(reduce1)",),
            "condition",
            "vectorReduce does not apply to reduce1: reduceSeq combines the first element first, and vectorReduce "
            "combines elements in another order.",
        ),
        (
            program(many("n"), "fun(x:[float]n => x :>> map(fun(v => v + 1.0)) :>> reduce(+, 0)"),
            ("mapSeq(map1)", "vectorReduce(reduce1)"),
            "condition",
            "vectorReduce does not apply to reduce1: What reduce1 reduces runs as mapSeq already.",
        ),
        (
            program(many("n"), "fun(x:[float]n => x :>> map(fun(v => v + 1.0)"),
            ("splitJoin(map1, 0)",),
            "condition",
            "splitJoin does not apply to map1: split takes a positive number.",
        ),
        (
            program(many("n"), "fun(x:[float]_64 => x :>> map(fun(v => v + 1.0)"),
            ("splitJoin(map1, 7)",),
            "condition",
            "splitJoin does not apply here: Pieces of 7 do not divide 64 elements.",
        ),
        (
            CHAIN,
            ("cancel(reverse1)",),
            "condition",
            "cancel does not apply to reverse1: reverse1 does not undo what comes before it.",
        ),
        (
            CHAIN,
            ("mapSeq(map1)", "mapSeq(map1)"),
            "condition",
            "mapSeq does not apply to map1: map1 is mapSeq already.",
        ),
        (
            CHAIN,
            ("mapSeq(map1)", "mapPar(map2)", "fuse(map2)"),
            "condition",
            "fuse does not apply to map2: The maps run in different ways, as mapSeq and as mapPar.",
        ),
        (
            program(
                many("n", "m"), "fun(A:[[float]m]n => A :>> map(fun(r => zip(r, r) :>> map(fun(p => p.1 + (r@0)))))"
            ),
            ("fission(map1)",),
            "condition",
            "fission does not apply to map1: The last step of the function, map(fun(p => p.1 + r@0)), needs r, which "
            "only the first map has.",
        ),
        (CHAIN, ("splitUpJoin(map1)",), "step", "splitUpJoin is written splitUpJoin(map1, n), found 1 arguments."),
        (
            program(many("n", "m"), "fun(A:[[float]m]n => A :>> map(reduce(+, 0.0)"),
            ("mapWorkgroup(map1)", "toLocal(map1)"),
            "",
            "",
        ),
    ],
)
def test_steps_that_are_refused(text: str, steps: tuple[str, ...], code: str, message: str) -> None:
    diagnostics = hd.lower(text, language="patterns", target="interpreter", schedule=list(steps)).diagnostics
    if not code:
        assert not diagnostics
        return
    assert (diagnostics[0].code, diagnostics[0].message) == (f"patterns/{code}", message)
    assert diagnostics[0].location is not None
    assert diagnostics[0].location.command == len(steps) - 1


def test_a_step_that_a_target_has_no_unit_for_is_refused_at_the_step() -> None:
    (found,) = hd.lower(CASES["P3"].text, language="patterns", target="c", schedule=["mapWorkgroup(map1)"]).diagnostics
    assert found.message == "mapWorkgroup does not apply here: mapWorkgroup does not run on this target."


def test_each_rule_has_a_law_and_is_shown_how_to_write() -> None:
    for name, rule in RULES.items():
        assert rule.usage.startswith(f"{name}(")
        assert "=" in rule.law
        assert rule.condition


def test_a_step_that_keeps_an_array_takes_the_warning_away() -> None:
    text = program(
        many("n", "m"), "fun(A:[[float]m]n => A :>> map(reduce(+, 0.0)) :>> slide(3, 1) :>> map(reduce(+, 0.0)"
    )
    (warning,) = hd.lower(text, language="patterns").diagnostics
    assert warning.code == "patterns/recomputed"
    assert not hd.lower(text, language="patterns", schedule=["toGlobal(map1)"]).diagnostics
