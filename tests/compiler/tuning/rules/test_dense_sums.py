"""Sums over what dense operands store side by side go into vector lanes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

import heddle as hd
from heddle.plan import plan_from_arguments
from heddle.tuning.facts.machine import Machine
from heddle.tuning.search.suggest import suggest

MACHINE = Machine(threads=2, vector_bytes=64, registers=32, cache_bytes=None)
LANES = "parallelize({}, CPUVector, ParallelReduction)"
THREADS = "parallelize(i, CPUThread, NoRaces)"


@pytest.mark.parametrize(
    ("expression", "shapes", "rule", "schedule"),
    [
        ("d = abs(a(i) - b(i))", {"a": (1000,), "b": (1000,)}, "dense-sums", (LANES.format("i"),)),
        ("d = abs(a(i) - b(i))", {"a": (15,), "b": (15,)}, "default", ()),
        ("y(i) = A(i,j) * x(j)", {"A": (900, 900), "x": (900,)}, "dense-sums", (LANES.format("j"), THREADS)),
        ("m(i) = max(j, A(i,j))", {"A": (9, 90)}, "dense-sums", (LANES.format("j"),)),
        ("t = A(i,j) * A(j,i)", {"A": (90, 90)}, "default", ()),
    ],
)
def test_the_innermost_sum_is_in_lanes_where_it_is_contiguous(
    expression: str, shapes: Mapping[str, tuple[int, ...]], rule: str, schedule: tuple[str, ...]
) -> None:
    suggestion = suggest(plan_from_arguments(expression, {}), None, MACHINE, shapes)
    assert (suggestion.rule, suggestion.schedule) == (rule, schedule)


def test_short_vectors_are_not_used() -> None:
    machine = Machine(threads=2, vector_bytes=16, registers=16, cache_bytes=None)
    suggestion = suggest(plan_from_arguments("d = a(i) * b(i)", {}), None, machine, {"a": (1000,), "b": (1000,)})
    assert (suggestion.rule, suggestion.schedule) == ("default", ())


@pytest.mark.parametrize("size", [1, 17, 100])
@pytest.mark.parametrize("position", [None, 0, -1])
def test_lanes_combine_to_what_a_loop_does(size: int, position: int | None) -> None:
    values = np.random.default_rng(size).standard_normal((3, size))
    if position is not None:
        values[1, position] = np.nan
    for expression, expected in (
        ("m(i) = max(j, A(i,j))", values.max(axis=1)),
        ("s(i) = A(i,j)", values.sum(axis=1)),
    ):
        result = hd.compile(expression, schedule="auto")(A=values).to_numpy()
        np.testing.assert_allclose(result, expected)
