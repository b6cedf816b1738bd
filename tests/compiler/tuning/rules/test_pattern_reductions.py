"""Programs in patterns whose schedule the rules choose: reductions over neighbours in memory go into vector lanes, and
mean what they meant."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import heddle as hd
from heddle.patterns.meaning import evaluate
from heddle.patterns.syntax.parser import parse
from heddle.plan import Plan
from heddle.runtime.patterns.kernel import PatternKernel
from heddle.tuning.search.pattern_reductions import AS_WRITTEN
from heddle.tuning.search.suggest import suggest
from tests.compiler.tuning.search.test_patterns import ROWS, space_in

PRODUCT = (
    "nFun(n => nFun(m => fun(A: [[{type}]_n]_m => fun(xs: [{type}]_n => "
    "A :>> map(fun(row => zip(xs, row) :>> map(*) :>> reduce(+, 0)))))))"
)
WHOLE = "nFun(n => fun(xs: [{type}]_n => xs :>> reduce({operator}, {start})))"
DTYPES = {"float": "float32", "double": "float64", "int": "int32", "uchar": "uint8", "bool": "bool"}


def chosen(text: str, *schedule: str, target: str = "c") -> tuple[str, ...]:
    return suggest(Plan(text, language="patterns", schedule=schedule, target=target)).schedule


@pytest.mark.parametrize(
    ("text", "schedule"),
    [
        (PRODUCT.format(type="float"), ("vectorReduce(reduce1)",)),
        (WHOLE.format(type="double", operator="+", start=0), ("vectorReduce(reduce1)",)),
        (
            "nFun(n => fun(xs: [float]_n => fun(ys: [float]_n => "
            "(xs :>> reduce(+, 0)) + (ys :>> map(fun(y => y * y)) :>> reduce(max, 0)))))",
            ("vectorReduce(reduce1)", "vectorReduce(reduce2)"),
        ),
    ],
)
def test_reductions_over_neighbours_go_into_lanes(text: str, schedule: tuple[str, ...]) -> None:
    assert chosen(text) == schedule
    assert chosen(text, target="opencl") == ()


@pytest.mark.parametrize(
    "text",
    [
        ROWS,  # as many as data decide
        "nFun(n => nFun(m => fun(A: [[float]_n]_m => A :>> transpose :>> map(reduce(+, 0)))))",  # rows apart
        "nFun(n => fun(at: [int]_n => fun(xs: [float]_n => at :>> map(fun(i => xs@i)) :>> reduce(+, 0))))",
        "nFun(n => fun(xs: [float]_n => xs :>> reduceSeq(fun(a => fun(x => a - x)), 0)))",
        "nFun(n => fun(A: [[float]_8]_n => A :>> map(reduce(+, 0))))",  # too short
        "nFun(n => fun(xs: [float]_n => xs :>> mapSeq(fun(x => x + 1)) :>> reduce(+, 0)))",  # a unit of its own
    ],
)
def test_other_reductions_stay_as_they_are_written(text: str) -> None:
    suggestion = suggest(Plan(text, language="patterns"))
    assert suggestion.schedule == ()
    assert (suggestion.rule, suggestion.title, suggestion.reasons) == (
        "pattern-reductions",
        "As it is written",
        (AS_WRITTEN,),
    )


def test_a_sum_of_sums_has_its_inner_one_in_lanes() -> None:
    text = "nFun(n => nFun(m => fun(A: [[float]_n]_m => A :>> map(fun(r => r :>> reduce(+, 0))) :>> reduce(+, 0))))"
    assert chosen(text) == ("vectorReduce(reduce1)",)


def test_steps_that_give_the_parameters_stay() -> None:
    assert chosen(ROWS, "pack(cols, vals)", "mapPar(map1)") == ("pack(cols, vals)",)


def values(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Any:
    if dtype == "bool":
        return rng.random(shape) < 0.5
    return rng.integers(0 if dtype == "uint8" else -9, 9, shape).astype(dtype)


@pytest.mark.parametrize("type", ["float", "double", "int"])
@pytest.mark.parametrize(("rows", "columns"), [(3, 1), (2, 17), (5, 131), (0, 4), (3, 0)])
def test_products_in_lanes_are_those_of_numpy(type: str, rows: int, columns: int) -> None:
    """Small integers, which any order adds up to the same."""
    rng = np.random.default_rng(rows + columns)
    matrix, vector = values(rng, (rows, columns), DTYPES[type]), values(rng, (columns,), DTYPES[type])
    expected = matrix @ vector
    text = PRODUCT.format(type=type)
    automatic = hd.compile(text, language="patterns", options={"schedule": "auto"})
    interpreted = hd.compile(text, language="patterns", schedule="vectorReduce(reduce1)", target="interpreter")
    for kernel in (automatic, interpreted):
        np.testing.assert_array_equal(kernel(A=matrix, xs=vector).to_numpy(), expected)
    np.testing.assert_array_equal(evaluate(parse(text), {"A": matrix, "xs": vector}, {}), expected)


@pytest.mark.parametrize(
    ("type", "operator", "start", "numpy"),
    [
        ("float", "+", 0, np.sum),
        ("double", "max", -100, np.max),
        ("float", "min", 100, np.min),
        ("int", "+", 0, np.sum),
        ("int", "max", -100, np.max),
        ("int", "*", 1, np.prod),
        ("bool", "&&", "true", np.all),
        ("bool", "||", "false", np.any),
    ],
)
@pytest.mark.parametrize("count", [0, 1, 67])
def test_every_operator_combines_in_lanes(type: str, operator: str, start: object, numpy: Any, count: int) -> None:
    text = WHOLE.format(type=type, operator=operator, start=start)
    data = values(np.random.default_rng(count), (count,), DTYPES[type])
    expected = numpy(data) if type == "bool" else numpy(data, initial=start).astype(data.dtype)
    for target in ("c", "interpreter"):
        kernel = hd.compile(text, language="patterns", schedule="vectorReduce(reduce1)", target=target)
        assert kernel(xs=data).to_numpy() == expected


@pytest.mark.parametrize(("operator", "start"), [("+", 0), ("max", 0), ("min", 9), ("*", 1)])
@pytest.mark.parametrize("place", [0, 40, 66])
def test_nan_stays_wherever_it_stands(operator: str, start: int, place: int) -> None:
    data = np.ones(67, "float32")
    data[place] = np.nan
    kernel = hd.compile(
        WHOLE.format(type="float", operator=operator, start=start), language="patterns", options={"schedule": "auto"}
    )
    assert np.isnan(kernel(xs=data).to_numpy())


def test_integers_wrap_in_lanes_as_without() -> None:
    data = np.full(1000, 2**30 + 7, "int32")
    kernel = hd.compile(
        WHOLE.format(type="int", operator="+", start=0), language="patterns", options={"schedule": "auto"}
    )
    assert kernel(xs=data).to_numpy() == data.sum(dtype="int32")


def test_the_option_makes_a_kernel_that_says_why() -> None:
    kernel = hd.compile(PRODUCT.format(type="float"), language="patterns", options={"schedule": "auto"})
    assert isinstance(kernel, PatternKernel)
    assert kernel.suggestion.schedule == ("vectorReduce(reduce1)",)
    assert kernel.suggestion.reasons == (
        "reduce1 combines neighbours in memory in any order: vector lanes load them at once.",
    )
    assert "#pragma omp simd reduction(+:total)" in kernel.source
    again = pickle.loads(pickle.dumps(kernel))
    assert again.suggestion.schedule == kernel.suggestion.schedule
    np.testing.assert_array_equal(
        again(A=np.ones((2, 3), "float32"), xs=np.ones(3, "float32")).to_numpy(), np.full(2, 3, "float32")
    )


def test_a_search_begins_with_the_lanes_of_the_rules() -> None:
    space = space_in(PRODUCT.format(type="float"))
    assert [space.plan(genome).schedule for genome in space.starts] == [
        ("mapPar(map1)",),
        ("vectorReduce(reduce1)",),
        (),
    ]
