"""Vectors in the checked interpreter: every node gives what NumPy does, and what a lane does wrong is a fault."""

from __future__ import annotations

import numpy as np
import pytest

from heddle.loop_ir.interpreter.faults import DataRace, IntegerFault, OutOfBounds, UninitialisedRead
from heddle.loop_ir.interpreter.interpreter import interpret
from heddle.loop_ir.interpreter.trace import LoadEvent, ScalarEvent, StoreEvent
from heddle.loop_ir.nodes import (
    Allocate,
    Assign,
    Binary,
    Broadcast,
    Const,
    Declare,
    Expr,
    Fill,
    Gather,
    Keep,
    LaneRange,
    Lanes,
    LaneSum,
    Load,
    Scatter,
    Stmt,
    Store,
    Var,
    VectorLoad,
    VectorStore,
)
from tests.compiler.loop_ir import kernels
from tests.compiler.loop_ir.interpreter.faulty import C, W, X, Y, fault, loop, run
from tests.compiler.loop_ir.kernels import COMPUTE, ONE, ZERO, block
from tests.compiler.loop_ir.problems import Problem
from tests.compiler.loop_ir.vector_kernels import COUNTS, DTYPES, Kernels, mixed

VECTOR, MASK, INDICES = "float64x4", "boolx4", "int32x4"
KEPT, AT, V = Var("kept", MASK), Var("at", INDICES), Var("v", VECTOR)


def lanes(*body: Stmt) -> Lanes:
    return Lanes("k", 4, block(*body), COMPUTE)


def same(value: float) -> Broadcast:
    return Broadcast(Const(value, "float64"), 4)


def load(start: int, mask: Expr | None = None) -> VectorLoad:
    return VectorLoad(X, Const(start), 4, mask)


def store(start: int, value: Expr) -> VectorStore:
    return VectorStore(Y, Const(start), value, COMPUTE)


def kept(lower: int, upper: int) -> Declare:
    return Declare("kept", MASK, LaneRange(Const(lower), Const(upper), 4), COMPUTE)


def at(start: int = 0) -> Declare:
    return Declare("at", INDICES, VectorLoad(C, Const(start), 4), COMPUTE)


def vector(name: str = "v") -> Declare:
    return Declare(name, VECTOR, same(0.0), COMPUTE, mutable=True)


def moved(by: int) -> Binary:
    return Binary("+", AT, Broadcast(Const(by, "int32"), 4), INDICES)


def assert_right(problem: Problem) -> None:
    arguments = problem.fresh()
    interpret(problem.function, arguments, initialised=frozenset(problem.expected))
    for name, expected in problem.expected.items():
        found = arguments[name]
        assert isinstance(found, np.ndarray)
        # By their bytes: -0.0 is not 0.0.
        assert found.tobytes() == expected.tobytes(), f"{problem.name}: {found} is not {expected}"


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_node_gives_what_numpy_does(dtype: str, count: int) -> None:
    for problem in Kernels(dtype, count).problems():
        assert_right(problem)


@pytest.mark.parametrize("count", [2, 4, 8, 16])
def test_floats_of_both_sizes_stand_side_by_side(count: int) -> None:
    assert_right(mixed(count))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("count", [2, 4, 8, 16, 32])
def test_halves_of_the_lanes_are_added_until_one_is_left(dtype: str, count: int) -> None:
    """Rounded sums tell the order of the additions."""
    own = Kernels(dtype, count)
    problem = own.sum_of_lanes(count)
    values = np.random.default_rng(1).random(count).astype(dtype)
    problem.arguments.update(x_vals=values, z_vals=np.ones(count, dtype))
    arguments = problem.fresh()
    interpret(problem.function, arguments, initialised=frozenset({"y_vals"}))
    parts = values
    while len(parts) > 1:
        parts = parts[: len(parts) // 2] + parts[len(parts) // 2 :]
    assert arguments["y_vals"][0] == parts[0]  # type: ignore[index]


# ------------------------------------------------------------------------------------------------------- bounds

OUTSIDE: list[tuple[str, tuple[Stmt, ...], str]] = [
    ("load behind the end", (lanes(store(0, load(2))),), "load of x_vals[5], which has 5 elements"),
    ("load in front", (lanes(store(0, load(-1))),), "load of x_vals[-1], which has 5 elements"),
    ("kept lane behind the end", (lanes(kept(0, 4), store(0, load(2, KEPT))),), "load of x_vals[5]"),
    ("kept lane in front", (lanes(kept(-9, 3), store(0, load(-1, KEPT))),), "load of x_vals[-1]"),
    ("store behind the end", (lanes(store(2, same(1.0))),), "store of y_vals[5], which has 5 elements"),
    ("gather", (lanes(at(), store(0, Gather(X, moved(3)))),), "load of x_vals[5]"),
    ("gather of kept lanes", (lanes(at(), kept(1, 2), store(0, Gather(X, moved(3), KEPT))),), "load of x_vals[5]"),
    ("scatter", (lanes(at(), Scatter(Y, moved(-1), same(1.0), COMPUTE)),), "store of y_vals[-1]"),
    (
        "value of lanes that are not kept",
        (lanes(kept(0, 3), store(0, Keep(load(2), KEPT))),),
        "load of x_vals[5]",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("body", "message"), [one[1:] for one in OUTSIDE], ids=[one[0] for one in OUTSIDE])
def test_a_lane_outside_of_an_array_is_a_fault(body: tuple[Stmt, ...], message: str) -> None:
    assert message in fault(OutOfBounds, *body)


def test_the_fault_says_which_lane() -> None:
    assert fault(OutOfBounds, lanes(store(0, load(2)))).endswith("at k=3")


def test_lanes_that_are_not_kept_read_nothing() -> None:
    run(lanes(kept(0, 3), store(0, load(2, KEPT))))
    run(lanes(kept(1, 4), store(0, load(-1, KEPT))))
    run(lanes(at(), kept(0, 1), store(0, Gather(X, moved(3), KEPT))))
    run(lanes(kept(0, 0), store(0, load(-100, KEPT))))


def test_an_element_that_nothing_wrote_is_a_fault() -> None:
    made = Allocate(W, Const(5), COMPUTE)
    read = VectorLoad(W, ONE, 4)
    assert "w[1] is read before it is written" in fault(UninitialisedRead, made, lanes(store(0, read)))
    first = lanes(VectorStore(W, ZERO, same(1.0), COMPUTE))
    assert "w[4] is read before it is written" in fault(UninitialisedRead, made, first, lanes(store(0, read)))
    added = VectorStore(Y, ZERO, same(1.0), COMPUTE, "+")
    assert "y_vals[0] is updated before it is written" in fault(UninitialisedRead, lanes(added))
    run(made, first, Store(W, Const(4), Const(1.0, "float64"), COMPUTE), lanes(store(0, read)))


def test_an_overflow_in_one_lane_is_a_fault() -> None:
    most = Broadcast(Const(2**31 - 4, "int32"), 4)
    over = Declare("b", INDICES, Binary("+", AT, most, INDICES), COMPUTE)
    run(lanes(at(), over))
    assert "'+' overflows int32: 2147483648" in fault(IntegerFault, lanes(at(1), over))


# -------------------------------------------------------------------------------------------------------- races

FILLED = Fill(Y, Const(5), Const(0.0, "float64"), COMPUTE)
TWICE = Binary("-", AT, AT, INDICES)
RACES: list[tuple[str, tuple[Stmt, ...], str]] = [
    (
        "two lanes scatter to one element",
        (lanes(at(), Scatter(Y, TWICE, same(1.0), COMPUTE)),),
        "a write of y_vals[0], which iteration k=0 also touches",
    ),
    (
        "two lanes add to one element",
        (FILLED, lanes(at(), Scatter(Y, TWICE, same(1.0), COMPUTE, "+"))),
        "a write of y_vals[0], which iteration k=0 also touches",
    ),
    (
        "a lane loads what another stored",
        (FILLED, lanes(store(0, same(1.0)), Declare("v", VECTOR, VectorLoad(Y, ONE, 4), COMPUTE))),
        "a read of y_vals[1], which iteration k=1 also touches",
    ),
    (
        "a lane stores what another loaded",
        (FILLED, lanes(Declare("v", VECTOR, VectorLoad(Y, ONE, 4), COMPUTE), store(0, V))),
        "a write of y_vals[1], which iteration k=0 also touches",
    ),
    (
        "a value of all lanes that one of them stored",
        (FILLED, lanes(store(0, same(1.0)), store(0, Broadcast(Load(Y, ZERO), 4)))),
        "a read of y_vals[0], which iteration k=0 also touches",
    ),
    (
        "two threads share a vector that both add to",
        (vector(), loop(lanes(Assign("v", same(1.0), COMPUTE, "+")))),
        "a write of v[0], which iteration i=0, k=0 also touches",
    ),
    (
        "two threads set one vector",
        (vector(), loop(Assign("v", same(1.0), COMPUTE))),
        "a write of v[0], which iteration i=0 also touches",
    ),
    (
        "one thread sums up what another one sets",
        (
            vector(),
            Declare("t", "float64", Const(0.0, "float64"), COMPUTE, mutable=True),
            loop(
                Declare("s", "float64", Const(0.0, "float64"), COMPUTE, mutable=True),
                Assign("s", LaneSum(V), COMPUTE, "+"),
                lanes(Assign("v", same(1.0), COMPUTE)),
            ),
        ),
        "a read of v",
    ),
    ("two threads store to the same elements", (loop(lanes(store(0, same(1.0)))),), "a write of y_vals[0]"),
]


@pytest.mark.parametrize(("body", "message"), [race[1:] for race in RACES], ids=[race[0] for race in RACES])
def test_races(body: tuple[Stmt, ...], message: str) -> None:
    assert message in fault(DataRace, *body)


SAFE: list[tuple[str, tuple[Stmt, ...]]] = [
    ("lanes load what they stored", (lanes(store(0, same(1.0)), store(0, VectorLoad(Y, ZERO, 4))),)),
    ("lanes one after the other", (lanes(store(0, same(1.0))), lanes(store(1, same(2.0))), lanes(store(0, same(3.0))))),
    ("lanes scatter to places of their own", (lanes(at(), Scatter(Y, AT, same(1.0), COMPUTE)),)),
    ("threads with vectors of their own", (loop(vector(), lanes(Assign("v", same(1.0), COMPUTE, "+"))),)),
    ("threads that read one vector", (vector(), loop(lanes(Declare("u", VECTOR, V, COMPUTE))))),
]


@pytest.mark.parametrize("body", [safe[1] for safe in SAFE], ids=[safe[0] for safe in SAFE])
def test_no_false_alarm(body: tuple[Stmt, ...]) -> None:
    run(*body)


# ------------------------------------------------------------------------------------------------------- traces


def test_a_trace_has_an_event_for_each_lane() -> None:
    body = block(
        vector("sums"),
        lanes(kept(1, 3), Declare("v", VECTOR, load(1, KEPT), COMPUTE), Assign("sums", V, COMPUTE, "+"), store(0, V)),
    )
    function = kernels.function(body, kernels.output(Y), kernels.operand(X))
    y = np.zeros(5)
    events = interpret(function, {"y_vals": y, "x_vals": np.arange(5.0)}, trace=True).trace
    each = tuple((("k", lane),) for lane in range(4))
    values = [0.0, 2.0, 3.0, 0.0]

    scalars = {name: [one for one in events if isinstance(one, ScalarEvent) and one.name == name]
               for name in ("sums", "kept", "v")}  # fmt: skip
    assert [(one.worker, one.value) for one in scalars["sums"][:4]] == [((), 0.0)] * 4
    assert [(one.worker, one.value) for one in scalars["sums"][4:]] == list(zip(each, values, strict=True))
    assert [(one.worker, one.value) for one in scalars["v"]] == list(zip(each, values, strict=True))
    assert [one.value for one in scalars["kept"]] == [False, True, True, False]
    loads = [(one.worker, one.index, one.value) for one in events if isinstance(one, LoadEvent)]
    assert loads == [(each[1], 2, 2.0), (each[2], 3, 3.0)]
    stores = [(one.worker, one.index, one.value) for one in events if isinstance(one, StoreEvent)]
    assert stores == [(each[lane], lane, values[lane]) for lane in range(4)]
