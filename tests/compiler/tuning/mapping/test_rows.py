"""What lanes along memory begin with: functions of a row taken once, short rows that lie together as one run, sums of
several columns in registers."""

from __future__ import annotations

import pytest

from heddle.pipeline import lower
from heddle.plan import Plan, TensorSpec
from heddle.tuning.facts.machine import Machine
from heddle.tuning.facts.program import program_of
from heddle.tuning.mapping.register_sums import sums_in_registers
from heddle.tuning.mapping.repeated import compute_once
from heddle.tuning.mapping.runs import join_runs
from heddle.tuning.mapping.statements import writer_of
from heddle.tuning.mapping.writer import Writer, bands

MACHINE = Machine(2, 32, 16, 32 << 20, True, 1 << 20)


def writer(text: str, before: tuple[str, ...] = (), **shapes: tuple[int, ...]) -> Writer:
    plan = Plan(text, {name: TensorSpec(shape=shape) for name, shape in shapes.items()}, language="comprehension")
    result = lower(plan)
    result.raise_errors()
    made = writer_of(plan, result.graphs[0], program_of(plan, machine=MACHINE))
    for command in before:
        assert made.try_commands(command) is None
    made.commands.clear()
    return made


SUMS = "def f(float(N,H,W) I) -> (O) { S(n) +=! I(n,h,w)  O(n,h,w) = I(n,h,w) - S(n) }"


def test_short_rows_that_lie_together_are_one_run() -> None:
    """A sum for each row of 28 elements: a group norm took twice as long."""
    found = writer(SUMS, ("together(n, n2)",), I=(4, 28, 28))
    join_runs(found)
    assert found.commands == ["fuse(h, w, hw)", "fuse(h2, w2, hw2)"]
    assert [*found.reasons] == [
        "Rows that lie one after the other are one loop: there are more lanes, and a sum is added up once."
    ]


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        (SUMS, (4, 28, 128)),  # long enough
        ("def f(float(N,H) I) -> (O) { O(n,h) = I(n,h) * I(h,n) }", (4, 4)),  # read in two orders
        ("def f(float(N,H) I) -> (O) { O(n) +=! I(n,h) }", (4, 4)),  # a sum for each
        ("def f(float(N,H) I) -> (O) { O(n,h) = I(n,h+1) }", (4, 4)),  # a gap behind each
        ("def f(float(N,H) I) -> (O) { O(n,h) = I(n,h) where h in 0:2 }", (4, 4)),  # the same
    ],
)
def test_other_rows_stay(text: str, shape: tuple[int, ...]) -> None:
    found = writer(text, I=shape)
    join_runs(found)
    assert not found.commands


def test_rows_of_a_convolution_stay() -> None:
    """No size of its result is known to be H - KH + 1, so that each element of a run was divided for its coordinates: a
    bias behind a grouped convolution took as long as that."""
    text = "def f(float(N,H,W) I, float(KH,KW) K, float(N) B) -> (O) { O(n,h,w) +=! I(n,h+y,w+x) * K(y,x)  "
    found = writer(text + "O(n,h,w) = O(n,h,w) + B(n) }", I=(4, 28, 28), K=(3, 3), B=(4,))
    join_runs(found)
    assert not found.commands


def test_functions_of_a_row_are_taken_once() -> None:
    text = "def f(float(N,D) I) -> (O) { s(n) +=! tanh(I(n,d))  O(n,d) = tanh(I(n,d)) * s(n) }"
    found = writer(text, ("together(n, n2)",))
    compute_once(found)
    assert found.commands == ["precompute(tanh(I(n,d)), {d}, {de}, E)"]


@pytest.mark.parametrize(
    "text",
    [
        "def f(float(N,D) I) -> (O) { s(n) +=! exp(I(n,d))  O(n,d) = exp(-I(n,d)) * s(n) }",  # others
        "def f(float(N,D) I) -> (O) { s(n) +=! I(n,d) * I(n,d)  O(n,d) = I(n,d) * I(n,d) * s(n) }",  # they cost nothing
    ],
)
def test_what_is_needed_once_or_costs_nothing_stays(text: str) -> None:
    found = writer(text, ("together(n, n2)",))
    before = found.graph
    compute_once(found)
    assert not found.commands
    assert found.graph is before


LOOKUP = "def f(float(E,D) T, int(B,L) I) -> (O) { O(i,j) +=! T(I(i,k),j) }"


@pytest.mark.parametrize(("columns", "tile"), [(64, 64), (96, 48), (24, 24), (8, 8), (100, None), (7, None)])
def test_sums_of_whole_vectors_stay_in_registers(columns: int, tile: int | None) -> None:
    found = writer(LOOKUP, T=(50, columns), I=(3, 5))
    loops = next(loops for loops in bands(found.graph.statement) if "j" in loops)
    moved = [*(loop for loop in loops if loop != "j"), "j"]
    assert sums_in_registers(found, moved, "j") is (tile is not None)
    assert found.commands[:1] == ([f"split(j, j0, j1, {tile})"] if tile else [])


def test_what_no_loop_adds_to_needs_no_registers() -> None:
    found = writer("def f(float(N,D) I) -> (O) { O(n,d) = I(n,d) * 2.0 }", I=(4, 64))
    assert not sums_in_registers(found, ["n", "d"], "d")
