"""Launches in the checked interpreter: threads, barriers, combinations, shared memory, and their faults."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from heddle.loop_ir.interpreter.faults import DataRace, DivergentBarrier, OutOfBounds, UninitialisedRead
from heddle.loop_ir.interpreter.interpreter import interpret
from heddle.loop_ir.interpreter.trace import Event, LoopEvent, StoreEvent
from heddle.loop_ir.nodes import (
    BOOL,
    Barrier,
    Binary,
    Const,
    Declare,
    Function,
    If,
    Load,
    Stmt,
    Store,
    Var,
)
from tests.compiler.loop_ir import gpu_kernels as gpu
from tests.compiler.loop_ir.gpu_kernels import BLOCK, HERE, WARP, ZERO, blocks, kernel, one, threads, warps

Floats = NDArray[np.float64]
HALF = Const(0.5, "float64")


def run(function: Function, size: int, outputs: int, order: Any = "forward", **more: Any) -> Floats:
    rng = np.random.default_rng(size)
    arguments: dict[str, Any] = {
        "n": size,
        "x": rng.integers(-4, 5, size).astype(np.float64),
        "keys": np.sort(rng.integers(0, max(1, outputs), size)).astype(np.int32),
        "y": np.full(outputs, np.nan),
    }
    if "initialised" in more:
        arguments["y"][:] = 0
    interpret(function, arguments, order=order, seed=3, **more)
    run.x, run.keys = arguments["x"], arguments["keys"]  # type: ignore[attr-defined]
    return np.asarray(arguments["y"])


@pytest.mark.parametrize("order", ["forward", "reverse", "shuffled"])
@pytest.mark.parametrize("size", [1, 63, 64, 65, 150])
def test_a_block_adds_up_all_its_warps(size: int, order: str) -> None:
    found = run(gpu.vector_sums(), size, -(-size // 64), order)
    np.testing.assert_array_equal(found, np.add.reduceat(run.x, range(0, size, 64)))  # type: ignore[attr-defined]


@pytest.mark.parametrize("order", ["forward", "reverse", "shuffled"])
def test_each_warp_adds_up_its_lanes(order: str) -> None:
    found = run(gpu.warp_sums(), 75, 4, order)
    np.testing.assert_array_equal(found, [*np.add.reduceat(run.x, range(0, 75, 32)), 0])  # type: ignore[attr-defined]


def test_shared_memory_behind_a_barrier() -> None:
    found = run(gpu.reversed_in_shared(), 24, 24)
    np.testing.assert_array_equal(found, run.x.reshape(3, 8)[:, ::-1].ravel())  # type: ignore[attr-defined]


@pytest.mark.parametrize("order", ["forward", "reverse"])
def test_without_a_barrier_a_thread_may_come_too_early(order: str) -> None:
    with pytest.raises(UninitialisedRead, match="is read before it is written, in `y"):
        run(gpu.reversed_in_shared(barrier=False), 24, 24, order)


@pytest.mark.parametrize("size", [1, 31, 32, 33, 70])
def test_runs_of_lanes_with_equal_keys(size: int) -> None:
    found = run(gpu.sums_by_key(), size, 5, initialised=frozenset({"y"}))
    expected = np.zeros(5)
    np.add.at(expected, run.keys, run.x)  # type: ignore[attr-defined]
    np.testing.assert_array_equal(found, expected)


def test_each_thread_has_its_own_array() -> None:
    found = run(gpu.register_array(), 5, 4)
    np.testing.assert_array_equal(found, run.x[:-1] + run.x[1:])  # type: ignore[attr-defined]


def test_each_warp_has_its_own_shared_array() -> None:
    read = Load(gpu.S, Binary("-", Const(31), Var("u")))
    at = gpu.add(gpu.times(Var("w"), Const(32)), Var("u"))
    copy = threads(32, Store(gpu.Y, at, read, HERE), variable="u")
    write = threads(32, Store(gpu.S, Var("t"), Load(gpu.X, gpu.add(gpu.times(Var("w"), Const(32)), Var("t"))), HERE))
    found = run(kernel(blocks(warps(2, gpu.shared(32), write, Barrier(WARP, HERE), copy))), 64, 64)
    np.testing.assert_array_equal(found, run.x.reshape(2, 32)[:, ::-1].ravel())  # type: ignore[attr-defined]


def only_in_the_second(statement: Stmt) -> If:
    return If(Binary("==", Var("t"), Const(1), BOOL), gpu.block(statement), HERE)


FIRST = Store(gpu.Y, ZERO, HALF, HERE)
SEEN = Store(gpu.Y, Var("t"), Load(gpu.S, ZERO), HERE)
EARLY = Store(gpu.Y, Var("t"), Load(gpu.S, Const(3)), HERE)
FAULTS: tuple[tuple[str, type[Exception], tuple[Stmt, ...]], ...] = (
    ("a write of y[0], which iteration b=0, t=0 also touches", DataRace, (blocks(threads(4, FIRST)),)),
    ("a write of y[0], which iteration b=0 also touches", DataRace, (blocks(one(BLOCK, FIRST), count=Const(2)),)),
    ("a write of y[0], which iteration b=0, w=0 also touches", DataRace, (blocks(warps(2, one(WARP, FIRST))),)),
    (
        "a write of y[0], which iteration b=0 also touches",
        DataRace,
        (blocks(one(BLOCK, FIRST), threads(2, only_in_the_second(FIRST))),),
    ),
    (
        "a read of s[0], which iteration b=0, t=0 also touches",
        DataRace,
        (blocks(gpu.shared(2), threads(2, Store(gpu.S, Var("t"), HALF, HERE), SEEN)),),
    ),
    ("s[3] is read before it is written", UninitialisedRead, (blocks(gpu.shared(4), threads(4, EARLY)),)),
    ("store of y[8], which has 8 elements", OutOfBounds, (blocks(threads(9, Store(gpu.Y, Var("t"), HALF, HERE))),)),
    (
        "not all threads of the block come here: thread 3 took another way",
        DivergentBarrier,
        (
            blocks(
                Declare("v", "int64", ZERO, HERE, mutable=True),
                threads(4, gpu.Assign("v", Var("t"), HERE)),
                If(Binary("<", Var("v"), Const(3), BOOL), gpu.block(Barrier(BLOCK, HERE)), HERE),
            ),
        ),
    ),
    (
        "not all threads of the warp come here: warp 0, lane 3 took another way",
        DivergentBarrier,
        (
            blocks(
                warps(
                    1,
                    Declare("v", "int64", ZERO, HERE, mutable=True),
                    threads(32, gpu.Assign("v", Var("t"), HERE)),
                    If(Binary("<", Var("v"), Const(3), BOOL), gpu.block(Barrier(WARP, HERE)), HERE),
                )
            ),
        ),
    ),
)


@pytest.mark.parametrize(("message", "fault", "body"), FAULTS, ids=[f[0] for f in FAULTS])
def test_faults(message: str, fault: type[Exception], body: tuple[Stmt, ...]) -> None:
    with pytest.raises(fault) as caught:
        run(kernel(*body), 8, 8)
    assert message in str(caught.value)


def test_barriers_order_the_threads_of_a_block_but_not_the_blocks() -> None:
    ordered = (
        one(BLOCK, FIRST),
        Barrier(BLOCK, HERE),
        threads(2, only_in_the_second(FIRST)),
    )
    run(kernel(blocks(*ordered)), 8, 8)
    with pytest.raises(DataRace):
        run(kernel(blocks(*ordered, count=Const(2))), 8, 8)


def test_two_launches_follow_each_other() -> None:
    run(kernel(blocks(one(BLOCK, FIRST)), blocks(one(BLOCK, FIRST))), 8, 8)


def test_the_trace_says_which_lane_did_what() -> None:
    events: list[Event] = []
    arguments = {"n": 64, "x": np.ones(64), "keys": np.zeros(64, np.int32), "y": np.zeros(2)}
    interpret(gpu.warp_sums(), arguments, events=events)
    stores = [event for event in events if isinstance(event, StoreEvent)]
    assert [(event.worker, event.value) for event in stores] == [
        ((("b", 0), ("w", 0)), 32.0),
        ((("b", 0), ("w", 1)), 32.0),
    ]
    lanes = [event.worker for event in events if isinstance(event, LoopEvent) and event.variable == "t"]
    assert len(lanes) == 64
    assert (("b", 0), ("w", 1), ("t", 31)) in {(*event.worker,) for event in events}
    assert sum(isinstance(event, LoopEvent) and event.variable == "w" for event in events) == 2
