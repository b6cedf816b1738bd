"""The interpreter computes what NumPy computes, whatever the order of the parallel iterations."""

from __future__ import annotations

import numpy as np
import pytest

from heddle.loop_ir.interpreter.execute_loops import Order
from heddle.loop_ir.interpreter.faults import UnwrittenElement
from heddle.loop_ir.interpreter.interpreter import check_written, interpret
from heddle.loop_ir.interpreter.trace import LoadEvent, LoopEvent, ScalarEvent, StoreEvent
from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    Assign,
    Binary,
    Break,
    Call,
    Cast,
    Comment,
    Const,
    Continue,
    Declare,
    Expr,
    For,
    Function,
    If,
    Parameter,
    ParameterKind,
    Require,
    Search,
    SearchKind,
    Select,
    Store,
    Unary,
    Var,
    While,
)
from tests.compiler.loop_ir import kernels
from tests.compiler.loop_ir.kernels import COMPUTE, ONE, ZERO, block, less
from tests.compiler.loop_ir.problems import PROBLEMS, Problem, spmv


@pytest.mark.parametrize("order", ["forward", "reverse", "shuffled"])
@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)
def test_agrees_with_numpy(problem: Problem, order: Order) -> None:
    arguments = problem.fresh()
    result = interpret(problem.function, arguments, order=order, seed=3)
    assert result.status == 0
    assert result.unwritten == {}
    for name, expected in problem.expected.items():
        np.testing.assert_allclose(arguments[name], expected, rtol=1e-6)


def scalar_function(expression: Expr, dtype: str, *parameters: Parameter) -> Function:
    """``y = expression``."""
    y = kernels.vals("y", dtype)
    return Function("kernel", (kernels.output(y), *parameters), block(Store(y, ZERO, expression, COMPUTE)))


def evaluate(expression: Expr, dtype: str = INDEX) -> object:
    y = np.zeros(1, dtype)
    interpret(scalar_function(expression, dtype), {"y_vals": y})
    return y[0]


def const(value: float, dtype: str = "float64") -> Const:
    return Const(value, dtype)


@pytest.mark.parametrize(
    ("expression", "dtype", "expected"),
    [
        (Binary("-", Const(3), Const(5)), INDEX, -2),
        (Binary("//", Const(7), Const(2)), INDEX, 3),
        (Binary("%", Const(7), Const(4)), INDEX, 3),
        (Binary("/", Const(-7), Const(2)), INDEX, -3),
        (Binary("min", Const(7), Const(2)), INDEX, 2),
        (Binary("/", const(1), const(0), "float64"), "float64", float("inf")),
        (Binary("/", const(0), const(0), "float64"), "float64", float("nan")),
        (Binary("max", const(float("nan")), const(1), "float64"), "float64", float("nan")),
        (Binary("max", const(1), const(float("nan")), "float64"), "float64", float("nan")),
        (
            Binary("+", const(0.1, "float32"), const(0.2, "float32"), "float32"),
            "float32",
            np.float32(0.1) + np.float32(0.2),
        ),
        (Binary("/", const(1j, "complex128"), const(2j, "complex128"), "complex128"), "complex128", 0.5),
        (Binary("+", const(100, "int8"), const(100, "int8"), "int8"), "int8", -56),
        (Binary("*", const(200, "uint8"), const(2, "uint8"), "uint8"), "uint8", 144),
        (Binary("-", const(0, "uint32"), const(1, "uint32"), "uint32"), "uint32", 2**32 - 1),
        (Unary("-", Const(3)), INDEX, -3),
        (Unary("!", Const(True, BOOL), BOOL), BOOL, False),
        (Select(Binary("<=", ONE, ONE, BOOL), Const(4), Const(5)), INDEX, 4),
        (Select(Binary(">", const(1, "float32"), const(2, "float32"), BOOL), Const(4), Const(5)), INDEX, 5),
        (Cast(const(-2.7), INDEX), INDEX, -2),
        (Cast(Const(300), "uint8"), "uint8", 44),
        (Cast(Const(3), "float64"), "float64", 3.0),
        (Call("sqrt", (const(2.25),), "float64"), "float64", 1.5),
        (Call("pow", (const(2), const(10)), "float64"), "float64", 1024.0),
        (Call("abs", (Const(3 + 4j, "complex128"),), "float64"), "float64", 5.0),
        (Call("abs", (Const(-3),), INDEX), INDEX, 3),
        (Binary("||", Const(False, BOOL), Const(True, BOOL), BOOL), BOOL, True),
        (Binary("+", Const(True, BOOL), Const(True, BOOL), BOOL), BOOL, True),
    ],
)
def test_expressions(expression: Expr, dtype: str, expected: object) -> None:
    np.testing.assert_equal(evaluate(expression, dtype), np.array([expected], dtype)[0])


def test_logical_operators_are_lazy() -> None:
    fails = Binary("<", Binary("//", ONE, ZERO), ONE, BOOL)
    assert evaluate(Binary("&&", Const(False, BOOL), fails, BOOL), BOOL) == np.False_
    assert evaluate(Binary("||", Const(True, BOOL), fails, BOOL), BOOL) == np.True_
    assert evaluate(Select(Const(True, BOOL), ONE, Binary("//", ONE, ZERO))) == 1


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (SearchKind.BEFORE, 0, 0),
        (SearchKind.BEFORE, 2, 3),
        (SearchKind.BEFORE, 4, 3),
        (SearchKind.BEFORE, 99, 5),
        (SearchKind.BEFORE, -1, 0),
        (SearchKind.AT_LEAST, 2, 1),
        (SearchKind.AT_LEAST, 3, 4),
        (SearchKind.AT_LEAST, 99, 6),
    ],
)
def test_searches(kind: SearchKind, value: int, expected: int) -> None:
    """In [0, 2, 2, 2, 5, 9): the last element that is at most the value, the first that is at least the value."""
    crd, y = kernels.crd("x", 1), kernels.vals("y", INDEX)
    function = Function(
        "kernel",
        (kernels.output(y), kernels.operand(crd)),
        block(Search("p", kind, crd, ZERO, Const(6), Const(value), COMPUTE), Store(y, ZERO, Var("p"), COMPUTE)),
    )
    found = np.zeros(1, np.int64)
    interpret(function, {"y_vals": found, "x1_crd": np.array([0, 2, 2, 2, 5, 9], np.int32)})
    assert found[0] == expected


def test_an_empty_search_range_gives_its_lower_bound() -> None:
    crd, y = kernels.crd("x", 1), kernels.vals("y", INDEX)
    for kind in SearchKind:
        function = Function(
            "kernel",
            (kernels.output(y), kernels.operand(crd)),
            block(Search("p", kind, crd, Const(3), Const(3), ONE, COMPUTE), Store(y, ZERO, Var("p"), COMPUTE)),
        )
        found = np.zeros(1, np.int64)
        interpret(function, {"y_vals": found, "x1_crd": np.array([0, 1, 2], np.int32)})
        assert found[0] == 3


def test_break_and_continue_concern_the_innermost_loop() -> None:
    """Counts 0, 1, skips 2, stops at 5; three times."""
    y = kernels.vals("y", INDEX)
    inner = For(
        "i",
        ZERO,
        Const(10),
        block(
            Comment("even a comment", COMPUTE),
            If(Binary("==", Var("i"), Const(2), BOOL), block(Continue(COMPUTE)), COMPUTE),
            If(Binary(">=", Var("i"), Const(5), BOOL), block(Break(COMPUTE)), COMPUTE),
            Assign("count", ONE, COMPUTE, "+"),
        ),
        COMPUTE,
    )
    function = Function(
        "kernel",
        (kernels.output(y),),
        block(
            Declare("count", INDEX, ZERO, COMPUTE, mutable=True),
            For("k", ZERO, Const(3), block(inner), COMPUTE),
            While(Const(True, BOOL), block(Break(COMPUTE)), COMPUTE),
            Store(y, ZERO, Var("count"), COMPUTE),
        ),
    )
    count = np.zeros(1, np.int64)
    interpret(function, {"y_vals": count})
    assert count[0] == 12


def test_a_failed_requirement_stops_the_kernel() -> None:
    y = kernels.vals("y")
    require = Require(less(Var("n"), Const(4)), 7, "n is small", COMPUTE)
    function = Function(
        "kernel",
        (Parameter(ParameterKind.DIMENSION, "n", INDEX, "y", dimension=0), kernels.output(y)),
        block(For("i", ZERO, Const(2), block(require), COMPUTE), Store(y, ZERO, const(1), COMPUTE)),
        (require,),
    )
    vals = np.array([5.0])
    refused = interpret(function, {"n": 4, "y_vals": vals})
    assert (refused.status, refused.unwritten, vals[0]) == (7, {"y_vals": (0,)}, 5.0)
    assert interpret(function, {"n": 3, "y_vals": vals}).status == 0
    assert vals[0] == 1.0


def test_reports_what_was_never_written() -> None:
    y = kernels.vals("y")
    function = Function("kernel", (kernels.output(y),), block(Store(y, ONE, const(2), COMPUTE)))
    vals = np.array([8.0, 8.0, 8.0])
    run = interpret(function, {"y_vals": vals})
    assert run.unwritten == {"y_vals": (0, 2)}
    assert vals.tolist() == [8.0, 2.0, 8.0]
    with pytest.raises(UnwrittenElement, match=r"nothing writes element 0 of y_vals \(2 in all\), in `y_vals\[1\]"):
        check_written(function, run)


def test_an_initialised_output_keeps_its_content() -> None:
    y = kernels.vals("y")
    function = Function("kernel", (kernels.output(y),), block(Store(y, ONE, const(2), COMPUTE, "+")))
    vals = np.array([8.0, 8.0])
    interpret(function, {"y_vals": vals}, initialised=frozenset({"y_vals"}))
    assert vals.tolist() == [8.0, 10.0]


def test_the_trace_tells_every_step() -> None:
    problem = spmv("spmv", kernels.spmv(kernels.LoopKind.CPU_THREAD), 2, 2, 1.0)
    trace = interpret(problem.function, problem.fresh(), trace=True).trace
    assert trace[0] == LoopEvent(0, 4, (), "i", 0)
    assert trace[1] == ScalarEvent(1, 5, (("i", 0),), "sum", 0.0)
    assert trace[2] == LoadEvent(2, 6, (("i", 0),), "A2_pos", 0, 0)
    assert trace[3] == LoadEvent(2, 6, (("i", 0),), "A2_pos", 1, 2)
    assert trace[4] == LoopEvent(2, 6, (("i", 0),), "jA", 0)
    stores = [event for event in trace if isinstance(event, StoreEvent)]
    expected = problem.expected["y_vals"]
    assert stores == [StoreEvent(5, 9, (("i", row),), "y_vals", row, float(expected[row]), False) for row in (0, 1)]
    assert interpret(problem.function, problem.fresh()).trace == ()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "missing argument y_vals"),
        ({"y_vals": 3.0, "n": 1}, "y_vals must be a 1-d array of float64, found float"),
        ({"y_vals": np.zeros(1, np.float32), "n": 1}, "y_vals must be a 1-d array of float64, found 1-d float32"),
        ({"y_vals": np.zeros((1, 1)), "n": 1}, "y_vals must be a 1-d array of float64, found 2-d float64"),
        ({"y_vals": np.zeros(1), "n": np.zeros(1)}, "n must be a scalar of int64, found an array"),
    ],
)
def test_arguments_must_fit(arguments: dict[str, object], message: str) -> None:
    y = kernels.vals("y")
    dimension = Parameter(ParameterKind.DIMENSION, "n", INDEX, "y", dimension=0)
    function = Function("kernel", (kernels.output(y), dimension), block())
    with pytest.raises(TypeError, match=message):
        interpret(function, arguments)  # type: ignore[arg-type]


def test_scalar_operands_are_passed_by_value() -> None:
    alpha = Parameter(ParameterKind.SCALAR, "alpha_val", "float32", "alpha")
    function = scalar_function(Var("alpha_val", "float32"), "float32", alpha)
    y = np.zeros(1, np.float32)
    interpret(function, {"y_vals": y, "alpha_val": 0.1})
    assert y[0] == np.float32(0.1)
