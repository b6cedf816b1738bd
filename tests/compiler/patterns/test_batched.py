"""The batched evaluator means what the evaluator of lists means, on every pattern."""

from __future__ import annotations

import numpy as np
import pytest

import heddle.patterns.batched.functions as functions
import heddle.patterns.batched.values as values
from heddle.patterns.batched.evaluate import MeaninglessError, TooLargeError, UntoldError, evaluate
from heddle.patterns.syntax.parser import parse
from tests.compiler.patterns.programs import CASES


def sizes_of(name: str, arguments: dict[str, object], n: int) -> dict[str, int]:
    if name == "P8":
        return {"nb": n, "mb": n + 1, "b": 2, "k": 3}
    columns = {"P1": n + 1, "P10": n + 1, "P14": n}.get(name, n + 2)
    return {"n": n, "m": columns, "k": 3, "w": 3}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("n", [0, 1, 7])
def test_the_programs(name: str, n: int) -> None:
    arguments, expected = CASES[name].make(np.random.default_rng(n), n)
    found = evaluate(parse(CASES[name].text), arguments, sizes_of(name, arguments, n))
    np.testing.assert_allclose(found, np.asarray(expected).reshape(-1))


def test_what_is_too_large_at_once_is_computed_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve columns for each of some forty entries do not fit, those of some rows do."""
    random = np.random.default_rng(3)
    offset = np.arange(0, 45, 4)
    cols, vals = random.integers(0, 3, 44), random.integers(-4, 5, 44).astype(float)
    xs = random.integers(-4, 5, (3, 12)).astype(float)
    text = (
        "nFun(n => nFun(m => nFun(k => fun(offset: [int]_{n+1} => "
        "fun(cols: [i -> [int]_{toNat(offset@(i+1) - offset@i)}]_n => "
        "fun(vals: [i -> [float]_{toNat(offset@(i+1) - offset@i)}]_n => fun(xs: [[float]_k]_m => "
        "zip(cols, vals) :>> map(fun(r => zip(r.1, r.2) :>> map(fun(e => xs@e.1 :>> map(fun(x => x * e.2)))))))))))))"
    )
    term, arguments = parse(text), {"offset": offset, "cols": cols, "vals": vals, "xs": xs}
    given = {"n": 11, "m": 3, "k": 12}
    whole = evaluate(term, arguments, given)
    monkeypatch.setattr(values, "MOST_POINTS", 60)
    np.testing.assert_array_equal(evaluate(term, arguments, given), whole)
    with pytest.raises(TooLargeError, match="64 points"):
        evaluate(parse("nFun(n => iota(n * n) :>> map(fun(i => i + 1)))"), {}, {"n": 8})


def test_a_sum_by_a_function_of_its_own_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    term = parse("nFun(n => fun(x: [float]_n => x :>> reduceSeq(fun(a => fun(b => a - b)), 0.0)))")
    assert evaluate(term, {"x": np.arange(5.0)}, {"n": 5}) == [-10]
    monkeypatch.setattr(functions, "MOST_STEPS", 4)
    with pytest.raises(TooLargeError, match="5 steps"):
        evaluate(term, {"x": np.arange(5.0)}, {"n": 5})


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("x :>> map(fun(v => x@n))", "position 3 of 3"),
        ("x :>> split(2) :>> join", "pieces that do not divide"),
        ("zip(x, take(1)(x)) :>> map(+)", "zip of arrays of different lengths"),
        ("x :>> take(n + 1)", "more elements than there are"),
        ("scatter(iota(n) :>> map(fun(i => 0)), x)", "no permutation"),
        ("x :>> slide(2, 2) :>> join", "windows that do not fit"),
        ("x :>> map(fun(v => v + toNat(n / 0)))", "a quotient by 0"),
    ],
)
def test_what_has_no_meaning(body: str, message: str) -> None:
    with pytest.raises(MeaninglessError, match=message):
        evaluate(parse(f"nFun(n => fun(x: [float]_n => {body}))"), {"x": np.arange(3.0)}, {"n": 3})


def test_arguments_of_another_size() -> None:
    with pytest.raises(MeaninglessError, match="x has 4 elements, and its type says 3"):
        evaluate(parse("nFun(n => fun(x: [float]_n => x))"), {"x": np.arange(4.0)}, {"n": 3})


def test_columns_of_no_rows() -> None:
    with pytest.raises(UntoldError):
        evaluate(
            parse("nFun(n => nFun(m => fun(A: [[float]_m]_n => transpose(A) :>> map(reduce(+, 0)))))"),
            {"A": np.zeros((0, 3))},
            {"n": 0, "m": 3},
        )


def test_branches_are_evaluated_where_they_are_taken() -> None:
    text = "nFun(n => fun(x: [float]_n => iota(n) :>> map(fun(i => i == 0 ? 0.0 : x@(i - 1)))))"
    found = evaluate(parse(text), {"x": np.array([4.0, 5.0, 6.0])}, {"n": 3})
    np.testing.assert_array_equal(found, [0, 4, 5])
