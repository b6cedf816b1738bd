"""The checked interpreter on kernels that assemble their results: right sums, and every mistake noticed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from heddle.loop_ir.interpreter.faults import DataRace, Fault, IntegerFault, OutOfBounds, UninitialisedRead
from heddle.loop_ir.interpreter.interpreter import Interpretation, interpret
from heddle.loop_ir.interpreter.trace import StoreEvent
from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    INDEX_OVERFLOW,
    Allocate,
    AllocateMap,
    AllocateResult,
    ClearMap,
    Const,
    Declare,
    Fill,
    For,
    Function,
    Grow,
    Load,
    LoopKind,
    Map,
    MapSize,
    Scan,
    Slot,
    Sort,
    SortMap,
    Stmt,
    Store,
    Var,
)
from tests.compiler.loop_ir import kernels
from tests.compiler.loop_ir.assembly_kernels import KERNELS, LIST, W, allocated, by_list
from tests.compiler.loop_ir.kernels import AT_I, COMPUTE, ONE, ZERO, add, block
from tests.compiler.loop_ir.sparse_sums import arguments, assert_sum, operands

THREADS, HALF, TWO, FIVE = LoopKind.CPU_THREAD, Const(0.5, "float64"), Const(2), Const(5)
Y, R = kernels.vals("y"), kernels.crd("R", 1, "int8")
TABLE = Map("table", "float64")


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (2, 7), (7, 5), (12, 30)])
@pytest.mark.parametrize("order", ["forward", "reverse", "shuffled"])
def test_sums(name: str, shape: tuple[int, int], order: Any) -> None:
    matrices = operands(*shape)
    run = interpret(KERNELS[name], arguments(matrices), order=order, seed=3)
    assert run.status == 0
    assert_sum(run.obtained, matrices)


def test_sums_of_empty_matrices() -> None:
    matrices = {name: sp.csr_array((3, 4)) for name in "BC"}
    for kernel in KERNELS.values():
        assert_sum(interpret(kernel, arguments(matrices)).obtained, matrices)


@pytest.mark.parametrize(("kind", "order"), [(LoopKind.SERIAL, "forward"), (THREADS, "forward"), (THREADS, "reverse")])
def test_what_a_row_leaves_behind_the_next_row_finds(kind: LoopKind, order: Any) -> None:
    """A workspace that is not cleaned gives a wrong sum here as it does in the compiled kernel. In whatever order
    workers start, each comes to its own rows in ascending order."""
    matrices = {name: sp.csr_array(np.full((4, 2), 1.0)) for name in "BC"}
    run = interpret(by_list(kind, clean=False), arguments(matrices), order=order)
    expected = [2.0, 2, 4, 4, 6, 6, 8, 8] if kind is LoopKind.SERIAL else [2.0, 2, 4, 4, 2, 2, 4, 4]
    assert run.obtained["A_vals"].tolist() == expected


@pytest.mark.parametrize(("count", "status"), [(127, 0), (128, INDEX_OVERFLOW)])
def test_positions_that_do_not_fit(count: int, status: int) -> None:
    half = np.zeros((2, count))
    half[0, :64] = half[1, 64:] = 1.0
    matrices = {name: sp.csr_array(half) for name in "BC"}
    run = interpret(by_list(pos_dtype="int8"), arguments(matrices))
    assert run.status == status
    assert run.obtained["A_vals"].size == (127 if status == 0 else 0)


# ------------------------------------------------------------------------------------------- small bodies


def run(*body: Stmt, trace: bool = False) -> Interpretation:
    parameters = (kernels.output(Y), allocated(R))
    return interpret(Function("kernel", parameters, block(*body)), {"y_vals": np.zeros(5)}, trace=trace)


RESULT = AllocateResult(R, FIVE, COMPUTE)
COUNTED = (RESULT, Fill(R, FIVE, TWO, COMPUTE))


def put(position: int, value: int) -> Store:
    return Store(R, Const(position), Const(value), COMPUTE)


def loop(*body: Stmt, private: tuple[Allocate | AllocateMap, ...] = ()) -> For:
    return For("i", ZERO, FIVE, block(*body), COMPUTE, THREADS, private=private)


def test_prefix_sums_and_sorting_leave_the_rest_alone() -> None:
    assert run(*COUNTED, Scan(R, Const(3), COMPUTE)).obtained["R1_crd"].tolist() == [2, 4, 6, 2, 2]
    body = (*COUNTED, put(0, 9), put(1, 8), put(2, 7), put(3, 6))
    assert run(*body, Sort(R, ONE, Const(4), COMPUTE)).obtained["R1_crd"].tolist() == [9, 6, 7, 8, 2]
    assert run(*body, Sort(R, Const(4), ONE, COMPUTE)).obtained["R1_crd"].tolist() == [9, 8, 7, 6, 2]


def test_arrays_grow_and_keep_their_contents() -> None:
    grown = run(*COUNTED, Grow(R, Const(6), COMPUTE))
    assert grown.obtained["R1_crd"].tolist() == [2] * 5 + [0] * 5
    assert grown.unwritten == {"y_vals": (0, 1, 2, 3, 4), "R1_crd": (5, 6, 7, 8, 9)}
    assert run(*COUNTED, Grow(R, Const(11), COMPUTE)).obtained["R1_crd"].size == 11
    assert run(*COUNTED, Grow(R, FIVE, COMPUTE)).obtained["R1_crd"].size == 5


def test_maps_number_their_keys_and_sort_them() -> None:
    def slot(name: str, key: int) -> tuple[Stmt, ...]:
        return (
            Slot(name, TABLE, Const(key), COMPUTE, f"{name}_new"),
            Store(TABLE.vals, Var(name), Const(float(key), "float64"), COMPUTE, "+"),
        )

    def keep(position: int, name: str) -> Store:
        return Store(R, Const(position), Var(name), COMPUTE)

    found = run(
        *COUNTED,
        AllocateMap(TABLE, COMPUTE),
        *slot("a", 7),
        *slot("b", 3),
        *slot("c", 7),
        keep(0, "a"),
        keep(1, "b"),
        keep(2, "c"),
        SortMap(TABLE, COMPUTE),
        Slot("d", TABLE, Const(7), COMPUTE),
        keep(3, "d"),
        Store(Y, ZERO, Load(TABLE.vals, ONE), COMPUTE),
        ClearMap(TABLE, COMPUTE),
        Store(R, Const(4), MapSize(TABLE), COMPUTE),
        trace=True,
    )
    assert found.obtained["R1_crd"].tolist() == [0, 1, 0, 1, 0]
    stores = [(event.array, event.index, event.value) for event in found.trace if isinstance(event, StoreEvent)]
    assert ("table_keys", 1, 3) in stores
    assert ("y_vals", 0, 14.0) in stores


FAULTS: list[tuple[type[Fault], str, tuple[Stmt, ...]]] = [
    (UninitialisedRead, "R1_crd[0] is read before it is written", (RESULT, Scan(R, FIVE, COMPUTE))),
    (UninitialisedRead, "R1_crd[1] is read before", (RESULT, put(0, 1), Sort(R, ZERO, TWO, COMPUTE))),
    (OutOfBounds, "load of R1_crd[5], which has 5 elements", (*COUNTED, Scan(R, Const(6), COMPUTE))),
    (OutOfBounds, "load of R1_crd[-1]", (*COUNTED, Sort(R, Const(-1), TWO, COMPUTE))),
    (OutOfBounds, "store of R1_crd[5], which has 5 elements", (RESULT, put(5, 1))),
    (UninitialisedRead, "R1_crd[5] is read", (*COUNTED, Grow(R, Const(6), COMPUTE), Scan(R, Const(6), COMPUTE))),
    (IntegerFault, "R1_crd is allocated with the size -1", (AllocateResult(R, Const(-1), COMPUTE),)),
    (
        IntegerFault,
        "w is allocated with the size -1",
        (RESULT, loop(Store(Y, AT_I, HALF, COMPUTE), private=(Allocate(W, Const(-1), COMPUTE),))),
    ),
    (
        UninitialisedRead,
        "w[0] is read before it is written",
        (RESULT, loop(Store(Y, AT_I, Load(W, ZERO), COMPUTE), private=(Allocate(W, ONE, COMPUTE),))),
    ),
    (
        OutOfBounds,
        "load of table_vals[0], which has 0 elements",
        (RESULT, AllocateMap(TABLE, COMPUTE), Store(Y, ZERO, Load(TABLE.vals, ZERO), COMPUTE)),
    ),
    (
        DataRace,
        "data race: a read of R1_crd[0], which iteration i=0 also touches",
        (RESULT, put(0, 3), put(1, 2), put(2, 1), loop(Sort(R, ZERO, Const(3), COMPUTE))),
    ),
    (
        DataRace,
        "data race: a write of list[0], which iteration i=0 also touches",
        (RESULT, Allocate(LIST, ONE, COMPUTE), loop(Store(LIST, ZERO, AT_I, COMPUTE))),
    ),
]


@pytest.mark.parametrize(("kind", "message", "body"), FAULTS)
def test_faults(kind: type[Fault], message: str, body: tuple[Stmt, ...]) -> None:
    with pytest.raises(Fault) as caught:
        run(*body)
    assert type(caught.value) is kind
    assert message in str(caught.value)


def test_private_workspaces_do_not_race() -> None:
    """Not even where the iteration has its own parallel loop inside."""
    inner = For("j", ZERO, FIVE, block(Store(W, Var("j"), HALF, COMPUTE)), COMPUTE, LoopKind.CPU_VECTOR)
    run(RESULT, loop(inner, private=(Allocate(W, FIVE, COMPUTE),)))
    shared = Store(W, ZERO, HALF, COMPUTE)
    racing = For("j", ZERO, FIVE, block(shared), COMPUTE, LoopKind.CPU_VECTOR)
    with pytest.raises(DataRace, match=r"a write of w\[0\], which iteration i=0, j=0 also touches"):
        run(RESULT, loop(racing, private=(Allocate(W, FIVE, COMPUTE),)))


def test_private_workspaces_may_depend_on_the_loops_outside() -> None:
    size = Declare("n", INDEX, add(AT_I, ONE), COMPUTE)
    body = For(
        "j",
        ZERO,
        ONE,
        block(Store(W, AT_I, HALF, COMPUTE)),
        COMPUTE,
        THREADS,
        private=(Allocate(W, Var("n"), COMPUTE),),
    )
    run(RESULT, loop(size, body))


def test_zero_of_a_truth_value_is_false() -> None:
    marks = kernels.workspace("marks", BOOL)
    copied = Declare("first", BOOL, Load(marks, ZERO), COMPUTE)
    found = run(RESULT, Allocate(marks, ONE, COMPUTE, zero=True), copied, trace=True)
    assert found.trace[-1].value is False
