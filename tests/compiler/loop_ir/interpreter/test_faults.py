"""Every fault of the checked interpreter but races, on the smallest kernel that has it."""

from __future__ import annotations

import pickle

import pytest

from heddle.loop_ir.interpreter.faults import (
    IntegerFault,
    OutOfBounds,
    StepLimitExceeded,
    UninitialisedRead,
    UnsortedSearch,
)
from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    Allocate,
    Binary,
    Cast,
    Const,
    Fill,
    For,
    Load,
    LoopKind,
    Search,
    SearchKind,
    Stmt,
    Store,
    Unary,
    While,
)
from heddle.origin import Origin, Role
from tests.compiler.loop_ir.interpreter.faulty import LARGEST, ONE_HALF, RESULT, C, W, X, Y, fault, loop, run, value
from tests.compiler.loop_ir.kernels import AT_I, COMPUTE, ONE, ZERO, add, block


def test_a_fault_names_statement_iteration_and_command() -> None:
    origin = Origin(Role.GUARD, "i", command=2)
    body = loop(Store(Y, Binary("*", AT_I, Const(4)), ONE_HALF, origin), kind=LoopKind.SERIAL)
    with pytest.raises(OutOfBounds) as caught:
        run(For("k", ONE, Const(2), body, COMPUTE))
    found = caught.value
    assert str(found) == (
        "store of y_vals[8], which has 5 elements, in `y_vals[i * 4] = 0.5` at k=1, i=2, from schedule command 2"
    )
    assert (found.array, found.index, found.bound, found.origin) == ("y_vals", 8, 5, origin)
    assert found.iteration == (("k", 1), ("i", 2))
    copy = pickle.loads(pickle.dumps(found))
    assert (str(copy), copy.index, copy.origin) == (str(found), 8, origin)


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        ((value(Load(X, Const(5)), "float64"),), "load of x_vals[5], which has 5 elements, in `value = x_vals[5]`"),
        ((value(Load(X, Const(-1)), "float64"),), "load of x_vals[-1]"),
        ((Store(Y, Const(-1), ONE_HALF, COMPUTE),), "store of y_vals[-1]"),
        ((Fill(Y, Const(6), ONE_HALF, COMPUTE),), "fill of y_vals[5], which has 5 elements"),
        ((Fill(Y, Const(-1), ONE_HALF, COMPUTE),), "fill of y_vals[-2]"),
        ((Search("p", SearchKind.BEFORE, C, Const(3), Const(6), ONE, COMPUTE),), "load of x1_crd[5]"),
        (
            (Allocate(W, Const(2), COMPUTE), Store(W, Const(2), ONE_HALF, COMPUTE)),
            "store of w[2], which has 2 elements, in `w[2] = 0.5`",
        ),
    ],
)
def test_out_of_bounds(statements: tuple[Stmt, ...], message: str) -> None:
    assert message in fault(OutOfBounds, *statements)


def test_uninitialised_reads() -> None:
    assert fault(UninitialisedRead, value(Load(Y, ONE), "float64")).startswith(
        "y_vals[1] is read before it is written, in `value = y_vals[1]`"
    )
    update = Store(Y, ONE, ONE_HALF, COMPUTE, "+")
    assert fault(UninitialisedRead, update).startswith("y_vals[1] is updated before it is written")
    workspace = (Allocate(W, Const(2), COMPUTE), Fill(W, ONE, ONE_HALF, COMPUTE), value(Load(W, ONE), "float64"))
    assert fault(UninitialisedRead, *workspace).startswith("w[1] is read before it is written")


def test_a_workspace_is_fresh_in_every_iteration() -> None:
    """The second iteration must not see what the first one wrote."""
    body = loop(
        Allocate(W, Const(2), COMPUTE),
        Store(W, AT_I, ONE_HALF, COMPUTE),
        Store(Y, AT_I, Load(W, ZERO), COMPUTE),
        size=2,
        kind=LoopKind.SERIAL,
    )
    assert fault(UninitialisedRead, body).endswith("at i=1")


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (value(add(LARGEST, ONE)), "'+' overflows int64: 9223372036854775808"),
        (value(Binary("-", Const(-(2**63)), ONE)), "'-' overflows int64"),
        (value(Binary("*", LARGEST, Const(2))), "'*' overflows int64"),
        (value(Unary("-", Const(-(2**63)))), "'-' overflows int64"),
        (value(Binary("//", Const(-1), Const(2))), "-1 // 2 needs a dividend of at least 0 and a positive divisor"),
        (value(Binary("//", ONE, ZERO)), "1 // 0 needs"),
        (value(Binary("%", ONE, Const(-2))), "1 % -2 needs"),
        (value(Binary("/", ONE, ZERO)), "division of 1 by zero"),
        (value(Cast(Const(1e300, "float64"), INDEX)), "1e+300 does not fit into int64"),
        (value(Cast(Const(float("nan"), "float64"), INDEX)), "nan does not fit into int64"),
        (Store(RESULT, ZERO, Const(2**31), COMPUTE), "2147483648 does not fit into y1_crd, which holds int32"),
        (Fill(RESULT, ONE, Const(2**31), COMPUTE), "2147483648 does not fit into y1_crd"),
        (Allocate(W, Const(-1), COMPUTE), "w is allocated with the size -1"),
    ],
)
def test_integer_faults(statement: Stmt, message: str) -> None:
    assert message in fault(IntegerFault, statement)


def test_searches_need_sorted_ranges() -> None:
    assert "x1_crd is not sorted at 2" in fault(
        UnsortedSearch, Search("p", SearchKind.BEFORE, C, ZERO, Const(5), ONE, COMPUTE)
    )
    assert "the search range [3, 2) of x1_crd ends before it starts" in fault(
        UnsortedSearch, Search("p", SearchKind.AT_LEAST, C, Const(3), Const(2), ONE, COMPUTE)
    )
    run(Search("p", SearchKind.AT_LEAST, C, Const(2), Const(5), ONE, COMPUTE))


def test_the_step_limit_ends_endless_loops() -> None:
    message = fault(StepLimitExceeded, While(Const(True, BOOL), block(), COMPUTE))
    assert message == "the kernel takes more than 1000 steps, in `while True:`"
    fault(StepLimitExceeded, loop(size=1001, kind=LoopKind.SERIAL))
    fault(StepLimitExceeded, loop(size=1001))
    fault(StepLimitExceeded, Allocate(W, Const(1001), COMPUTE))
    run(loop(size=1000))
