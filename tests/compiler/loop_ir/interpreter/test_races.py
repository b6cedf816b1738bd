"""Data races that the checked interpreter reports, and what looks like one and is none."""

from __future__ import annotations

import pickle

import pytest

from heddle.loop_ir.interpreter.faults import DataRace
from heddle.loop_ir.interpreter.interpreter import interpret
from heddle.loop_ir.nodes import (
    BOOL,
    Allocate,
    Assign,
    Binary,
    Const,
    Declare,
    Expr,
    Fill,
    For,
    Function,
    If,
    Load,
    LoopKind,
    Stmt,
    Store,
    Var,
)
from tests.compiler.loop_ir import kernels
from tests.compiler.loop_ir.interpreter.faulty import ONE_HALF, SUM, W, Y, fault, loop, run, value
from tests.compiler.loop_ir.kernels import AT_I, AT_J, COMPUTE, ONE, ZERO, add, block


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
