"""Every fault of the checked interpreter, on the smallest kernel that has it."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from compiler.loop_ir.faults import (
    DataRace,
    Fault,
    IntegerFault,
    OutOfBounds,
    StepLimitExceeded,
    UninitialisedRead,
    UnsortedSearch,
)
from compiler.loop_ir.interpreter import interpret
from compiler.loop_ir.nodes import (
    BOOL,
    INDEX,
    Allocate,
    Assign,
    Binary,
    Cast,
    Const,
    Declare,
    Expr,
    Fill,
    For,
    Function,
    If,
    Load,
    LoopKind,
    Reduction,
    Search,
    SearchKind,
    Stmt,
    Store,
    Unary,
    Var,
    While,
)
from compiler.origin import Origin, Role
from tests.compiler.loop_ir import kernels
from tests.compiler.loop_ir.kernels import AT_I, AT_J, COMPUTE, ONE, ZERO, add, block

X, Y, C = kernels.vals("x"), kernels.vals("y"), kernels.crd("x", 1)
RESULT = kernels.crd("y", 1)
W = kernels.workspace("w")
ONE_HALF = Const(0.5, "float64")
SUM = Declare("s", "float64", ONE_HALF, COMPUTE, mutable=True)
THREADS = LoopKind.CPU_THREAD
LARGEST = Const(2**63 - 1)


def run(*body: Stmt, step_limit: int = 1000) -> None:
    """Five elements everywhere; ``x1_crd`` holds 0, 2, 1, 3, 4."""
    parameters = (kernels.output(Y), kernels.output(RESULT), kernels.operand(C), kernels.operand(X))
    arguments = {
        "y_vals": np.zeros(5),
        "y1_crd": np.zeros(5, np.int32),
        "x1_crd": np.array([0, 2, 1, 3, 4], np.int32),
        "x_vals": np.arange(5.0),
    }
    interpret(Function("kernel", parameters, block(*body)), arguments, step_limit=step_limit)


def fault(kind: type[Fault], *body: Stmt) -> str:
    with pytest.raises(Fault) as caught:
        run(*body)
    assert type(caught.value) is kind
    return str(caught.value)


def value(expression: Expr, dtype: str = INDEX) -> Declare:
    return Declare("value", dtype, expression, COMPUTE)


def loop(*body: Stmt, variable: str = "i", size: int = 3, kind: LoopKind = THREADS, **reductions: str) -> For:
    combined = tuple(Reduction(name, operator) for name, operator in reductions.items())
    return For(variable, ZERO, Const(size), block(*body), COMPUTE, kind, reductions=combined)


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
        (value(Binary("*", Const(2**30, "int32"), Const(2, "int32"), "int32"), "int32"), "'*' overflows int32"),
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


def write(index: Expr) -> Store:
    return Store(Y, index, ONE_HALF, COMPUTE)


def update(index: Expr, atomic: bool = True) -> Store:
    return Store(Y, index, ONE_HALF, COMPUTE, "+", atomic)


def read(index: Expr) -> Declare:
    return value(Load(Y, index), "float64")


def first_then(first: Stmt, then: Stmt) -> For:
    """The iteration 0 does ``first``, all others do ``then``."""
    return loop(If(Binary("==", AT_I, ZERO, BOOL), first, COMPUTE, then))


START = Fill(Y, Const(5), ONE_HALF, COMPUTE)


@pytest.mark.parametrize("kind", [LoopKind.CPU_THREAD, LoopKind.CPU_VECTOR])
def test_two_iterations_that_write_race(kind: LoopKind) -> None:
    with pytest.raises(DataRace) as caught:
        run(loop(write(ZERO), kind=kind))
    race = caught.value
    assert str(race) == (
        "data race: a write of y_vals[0], which iteration i=0 also touches, in `y_vals[0] = 0.5` at i=1"
    )
    assert race.other == write(ZERO)
    assert race.other_iteration == (("i", 0),)
    assert pickle.loads(pickle.dumps(race)).other_iteration == (("i", 0),)


RACES: list[tuple[str, tuple[Stmt, ...], str]] = [
    ("read after write", (START, loop(write(AT_I), read(ZERO))), "a read of y_vals[0]"),
    ("write after read", (START, loop(read(Const(2)), write(AT_I))), "a write of y_vals[2]"),
    ("update that is not atomic", (START, loop(update(ZERO, atomic=False))), "a write of y_vals[0]"),
    ("write after atomic update", (START, first_then(update(ZERO), write(ZERO))), "a write of y_vals[0]"),
    ("atomic update after write", (START, loop(write(AT_I), update(ZERO))), "an atomic update of y_vals[0]"),
    ("read after atomic update", (START, first_then(update(ZERO), read(ZERO))), "a read of y_vals[0]"),
    ("atomic update after read", (START, first_then(read(ZERO), update(ZERO))), "an atomic update of y_vals[0]"),
    ("fill", (loop(Fill(Y, ONE, ONE_HALF, COMPUTE)),), "a write of y_vals[0]"),
    ("shared scalar", (SUM, loop(Assign("s", ONE_HALF, COMPUTE))), "a write of s, which iteration i=0"),
    ("shared sum", (SUM, loop(Assign("s", ONE_HALF, COMPUTE, "+"))), "a write of s"),
    (
        "scalar read elsewhere",
        (SUM, first_then(Store(Y, AT_I, Var("s", "float64"), COMPUTE), Assign("s", ONE_HALF, COMPUTE))),
        "a write of s",
    ),
    (
        "workspace outside the loop",
        (Allocate(W, Const(5), COMPUTE), loop(Store(W, ZERO, ONE_HALF, COMPUTE))),
        "a write of w[0]",
    ),
    (
        "inner loop only",
        (loop(loop(write(AT_I), variable="j")),),
        "which iteration i=0, j=0 also touches, in `y_vals[i] = 0.5` at i=0, j=1",
    ),
    (
        "outer loop only",
        (loop(loop(write(AT_J), variable="j")),),
        "which iteration i=0, j=0 also touches, in `y_vals[j] = 0.5` at i=1, j=0",
    ),
    (
        "reduced inside, shared outside",
        (SUM, loop(loop(Assign("s", ONE_HALF, COMPUTE, "+"), variable="j", s="+"))),
        "a write of s",
    ),
    (
        "two readers, then a writer that is ordered after the second only",
        (START, loop(read(ONE)), loop(read(ONE), Store(Y, Binary("%", AT_I, Const(2)), ONE_HALF, COMPUTE))),
        "a write of y_vals[1]",
    ),
]


@pytest.mark.parametrize(("statements", "message"), [race[1:] for race in RACES], ids=[race[0] for race in RACES])
def test_races(statements: tuple[Stmt, ...], message: str) -> None:
    assert message in fault(DataRace, *statements)


SAFE: list[tuple[str, tuple[Stmt, ...]]] = [
    ("own elements", (loop(write(AT_I), update(AT_I), read(AT_I)),)),
    ("shared reads", (START, loop(read(ZERO)))),
    ("atomic updates", (START, loop(update(ZERO)))),
    ("loops one after the other", (loop(write(AT_I)), loop(read(Binary("-", Const(2), AT_I))))),
    ("one iteration", (loop(write(ZERO), size=1),)),
    ("serial loop", (loop(write(ZERO), kind=LoopKind.SERIAL),)),
    ("reduction", (SUM, loop(Assign("s", ONE_HALF, COMPUTE, "+"), s="+"))),
    ("own scalar", (loop(SUM, Assign("s", ONE_HALF, COMPUTE), Store(Y, AT_I, Var("s", "float64"), COMPUTE)),)),
    (
        "own workspace",
        (loop(Allocate(W, ONE, COMPUTE), Store(W, ZERO, ONE_HALF, COMPUTE), Store(Y, AT_I, Load(W, ZERO), COMPUTE)),),
    ),
    ("scalar before and after", (SUM, Assign("s", ONE_HALF, COMPUTE), loop(), Assign("s", ONE_HALF, COMPUTE))),
    (
        "workspace of an outer iteration, shared by inner ones in turn",
        (
            loop(
                Allocate(W, Const(3), COMPUTE),
                loop(Store(W, AT_J, ONE_HALF, COMPUTE), variable="j"),
                loop(Store(Y, add(AT_I, ZERO), Load(W, AT_J), COMPUTE), variable="j", size=1),
            ),
        ),
    ),
    (
        "both levels reduce",
        (
            SUM,
            loop(
                loop(Assign("s", ONE_HALF, COMPUTE, "+"), variable="j", s="+"),
                s="+",
            ),
        ),
    ),
]


@pytest.mark.parametrize("statements", [safe[1] for safe in SAFE], ids=[safe[0] for safe in SAFE])
def test_no_false_alarm(statements: tuple[Stmt, ...]) -> None:
    run(*statements)


def test_position_split_without_atomics_is_caught() -> None:
    """The schedule that NoRaces must refuse: pieces of nonzeros share rows."""
    from tests.compiler.loop_ir.problems import spmv

    function = kernels.spmv_by_position(2)
    unsafe = _without_atomics(function)
    problem = spmv("by position", unsafe, 4, 6, 0.9)
    with pytest.raises(DataRace, match=r"a write of y_vals\[\d\], which iteration f0=\d also touches"):
        interpret(unsafe, problem.fresh())


def _without_atomics(function: Function) -> Function:
    from dataclasses import replace

    def rewrite(statement: Stmt) -> Stmt:
        match statement:
            case Store():
                return replace(statement, atomic=False)
            case For(body=body):
                return replace(statement, body=rewrite(body))
            case _ if hasattr(statement, "statements"):
                return block(*(rewrite(child) for child in statement.statements))
            case _:
                return statement

    return Function(function.name, function.parameters, block(*(rewrite(s) for s in function.body.statements)))
