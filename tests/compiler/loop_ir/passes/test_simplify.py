"""Simplification drops what can never matter and never changes what a kernel computes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heddle.loop_ir.interpreter.faults import IntegerFault
from heddle.loop_ir.interpreter.interpreter import interpret
from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    Allocate,
    Assign,
    Binary,
    Break,
    Call,
    Cast,
    Comment,
    Const,
    Declare,
    Expr,
    Fill,
    For,
    Function,
    If,
    Load,
    LoopKind,
    Parameter,
    ParameterKind,
    Require,
    Search,
    SearchKind,
    Select,
    Stmt,
    Store,
    Unary,
    Var,
    While,
)
from heddle.loop_ir.passes.fold import fold
from heddle.loop_ir.passes.simplify import simplify
from heddle.loop_ir.printing.expression_text import expression_text
from heddle.loop_ir.printing.printer import print_flat
from heddle.loop_ir.verification.verify import verify
from tests.compiler.loop_ir import kernels
from tests.compiler.loop_ir.kernels import COMPUTE, GUARD, ONE, ZERO, add, block, less, mul
from tests.compiler.loop_ir.problems import PROBLEMS, Problem

N, M = Var("n"), Var("m")
X, Y = kernels.vals("x"), kernels.vals("y")
TRUE, FALSE = Const(True, BOOL), Const(False, BOOL)
F = Load(X, N)
ONE_F = Const(1.0, "float64")


def binary(operator: str, left: Expr, right: Expr, dtype: str = INDEX) -> Binary:
    return Binary(operator, left, right, dtype)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (add(N, ZERO), "n"),
        (add(ZERO, N), "n"),
        (mul(N, ONE), "n"),
        (mul(ONE, N), "n"),
        (mul(N, ZERO), "0"),
        (binary("-", N, ZERO), "n"),
        (binary("-", add(N, M), M), "n"),
        (binary("-", add(M, N), M), "n"),
        (add(binary("-", N, M), M), "n"),
        (add(M, binary("-", N, M)), "n"),
        (binary("-", N, N), "0"),
        (binary("-", add(N, Const(5)), Const(2)), "n + 3"),
        (binary("-", add(N, Const(2)), Const(5)), "n - 3"),
        (add(binary("-", N, Const(5)), Const(5)), "n"),
        (binary("//", N, ONE), "n"),
        (binary("%", N, ONE), "0"),
        (binary("//", Const(7), Const(2)), "3"),
        (binary("%", Const(7), Const(4)), "3"),
        (binary("min", N, N), "n"),
        (binary("min", binary("min", N, Const(4)), Const(3)), "min(n, 3)"),
        (binary("max", Const(4), Const(3)), "4"),
        (binary("<", ONE, ZERO, BOOL), "False"),
        (binary("<=", N, N, BOOL), "True"),
        (binary("!=", N, N, BOOL), "False"),
        (binary("&&", TRUE, less(N, M), BOOL), "n < m"),
        (binary("&&", less(N, M), FALSE, BOOL), "False"),
        (binary("||", less(N, M), TRUE, BOOL), "True"),
        (binary("||", less(N, M), less(N, M), BOOL), "n < m"),
        (Unary("!", less(N, M), BOOL), "n >= m"),
        (Unary("!", TRUE, BOOL), "False"),
        (Unary("!", Unary("!", binary("&&", less(N, M), less(M, N), BOOL), BOOL), BOOL), "n < m and m < n"),
        (Unary("-", Unary("-", N)), "n"),
        (Unary("-", Const(4)), "-4"),
        (Cast(N, INDEX), "n"),
        (Cast(Const(4), "int8"), "4"),
        (Select(TRUE, N, M), "n"),
        (Select(FALSE, N, M), "m"),
        (Select(less(N, M), N, N), "n"),
        (Load(X, add(N, ZERO)), "x_vals[n]"),
        (Call("sqrt", (Load(X, add(N, ZERO)),), "float64"), "sqrt(x_vals[n])"),
        (binary("*", F, ONE_F, "float64"), "x_vals[n]"),
        (binary("*", ONE_F, F, "float64"), "x_vals[n]"),
        (binary("/", F, ONE_F, "float64"), "x_vals[n]"),
        (mul(binary("-", add(N, M), M), add(ONE, ONE)), "n * 2"),
    ],
)
def test_folds(expression: Expr, expected: str) -> None:
    assert expression_text(fold(expression)) == expected


@pytest.mark.parametrize(
    "expression",
    [
        binary("*", F, Const(0.0, "float64"), "float64"),
        binary("+", F, Const(0.0, "float64"), "float64"),
        binary("-", F, F, "float64"),
        binary("/", F, F, "float64"),
        binary("+", binary("+", F, ONE_F, "float64"), ONE_F, "float64"),
        binary("==", F, F, BOOL),
        Unary("!", binary("<", F, ONE_F, BOOL), BOOL),
        Select(less(N, M), Const(0.0, "float64"), Const(-0.0, "float64"), "float64"),
        binary("//", ONE, ZERO),
        binary("+", Const(2**63 - 1), ONE),
        binary("+", Const(100, "int8"), Const(100, "int8"), "int8"),
        Cast(Const(300), "int8"),
        binary("-", N, M),
    ],
)
def test_leaves_alone_what_it_may_not_change(expression: Expr) -> None:
    assert fold(expression) is expression


def kernel(*body: Stmt, requirements: tuple[Require, ...] = ()) -> Function:
    dimension = Parameter(ParameterKind.DIMENSION, "n", INDEX, "y", dimension=0)
    return Function("kernel", (dimension, kernels.output(Y), kernels.operand(X)), block(*body), requirements)


def simplified(*body: Stmt) -> list[str]:
    """The lines of the simplified body."""
    function = simplify(kernel(*body))
    verify(function)
    return [line.removeprefix("    ") for line in print_flat(function).text.splitlines()[1:]]


def store(index: Expr = ZERO) -> Store:
    return Store(Y, index, ONE_F, COMPUTE)


def declare(name: str, value: Expr) -> Declare:
    return Declare(name, INDEX, value, COMPUTE)


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ((If(TRUE, block(store()), GUARD, block(store(ONE))),), ["y_vals[0] = 1.0"]),
        ((If(FALSE, block(store()), GUARD, block(store(ONE))),), ["y_vals[1] = 1.0"]),
        ((If(FALSE, block(store()), GUARD),), ["pass"]),
        ((If(less(N, ONE), block(), GUARD),), ["pass"]),
        ((If(less(N, ONE), block(store()), GUARD, block()),), ["if n < 1:", "    y_vals[0] = 1.0"]),
        ((If(less(N, ONE), block(), GUARD, block(store())),), ["if n >= 1:", "    y_vals[0] = 1.0"]),
        ((For("i", ZERO, ZERO, block(store()), COMPUTE),), ["pass"]),
        ((For("i", add(N, ONE), N, block(store()), COMPUTE),), ["for i in [n + 1, n):", "    y_vals[0] = 1.0"]),
        ((For("i", N, N, block(store()), COMPUTE),), ["pass"]),
        ((For("i", ZERO, N, block(If(FALSE, block(store()), GUARD)), COMPUTE),), ["pass"]),
        ((While(FALSE, block(store()), COMPUTE),), ["pass"]),
        ((While(less(ZERO, N), block(Break(COMPUTE), store()), COMPUTE),), ["while 0 < n:", "    break"]),
        ((block(block(store()), Comment("said", COMPUTE)),), ["y_vals[0] = 1.0", "# said"]),
        ((declare("a", N), declare("b", add(Var("a"), ONE)), store()), ["y_vals[0] = 1.0"]),
        ((declare("a", N), declare("b", Var("a")), store(Var("a"))), ["a = n", "y_vals[a] = 1.0"]),
        ((For("i", ZERO, N, block(declare("a", Var("i"))), COMPUTE),), ["pass"]),
        (
            (Declare("s", INDEX, ZERO, COMPUTE, mutable=True), Assign("s", N, COMPUTE)),
            ["var s = 0", "s = n"],
        ),
        ((Fill(Y, mul(N, ZERO), ONE_F, COMPUTE),), ["pass"]),
        ((Fill(Y, add(N, ZERO), ONE_F, COMPUTE),), ["y_vals[0:n] = 1.0"]),
        (
            (Allocate(kernels.workspace("w"), mul(N, ONE), COMPUTE),),
            ["w = allocate(float64, n)"],
        ),
        ((store(add(N, ZERO)),), ["y_vals[n] = 1.0"]),
    ],
)
def test_statements(statements: tuple[Stmt, ...], expected: list[str]) -> None:
    assert simplified(*statements) == expected


def test_a_block_that_declares_keeps_its_scope() -> None:
    inner = If(TRUE, block(declare("a", N), store(Var("a"))), GUARD)
    assert simplified(inner, For("a", ZERO, N, block(store(Var("a"))), COMPUTE)) == [
        "block:",
        "    a = n",
        "    y_vals[a] = 1.0",
        "for a in [0, n):",
        "    y_vals[a] = 1.0",
    ]


def test_origins_stay() -> None:
    function = simplify(kernel(If(less(add(N, ZERO), ONE), block(store(mul(N, ONE))), GUARD)))
    branch = function.body.statements[0]
    assert isinstance(branch, If)
    assert branch.origin == GUARD
    assert branch.then == block(Store(Y, N, ONE_F, COMPUTE))


def test_requirements_that_always_hold_go_with_their_listing() -> None:
    holds = Require(less(ZERO, ONE), 1, "always", COMPUTE)
    may_fail = Require(less(ZERO, N), 2, "sometimes", COMPUTE)
    function = simplify(kernel(holds, may_fail, requirements=(holds, may_fail)))
    verify(function)
    assert function.requirements == (may_fail,)
    assert function.body == block(may_fail)


def test_a_simple_function_is_returned_as_it_is() -> None:
    for function in (kernels.spmv(), kernels.spmv_by_position(4), kernels.vector_union(), kernels.dot()):
        assert simplify(function) is function


def test_search_operands_are_folded() -> None:
    crd = kernels.pos("x", 1)
    search = Search("p", SearchKind.BEFORE, crd, mul(N, ZERO), add(N, ZERO), add(ONE, ONE), COMPUTE)
    function = Function(
        "kernel",
        (*kernel().parameters, kernels.operand(crd)),
        block(search, Store(Y, Var("p"), ONE_F, COMPUTE)),
    )
    assert "search_before(x1_pos, [0, n), 2)" in print_flat(simplify(function)).text


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)
def test_simplified_kernels_compute_the_same(problem: Problem) -> None:
    arguments = problem.fresh()
    interpret(simplify(problem.function), arguments)
    for name, expected in problem.expected.items():
        np.testing.assert_allclose(arguments[name], expected, rtol=1e-6)


INDEX_EXPRESSIONS = st.recursive(
    st.one_of(st.sampled_from([Var("n"), Var("m")]), st.builds(Const, st.integers(-3, 9)), st.just(Const(2**63 - 1))),
    lambda inner: st.one_of(
        st.builds(Binary, st.sampled_from(["+", "-", "*", "//", "%", "min", "max", "/"]), inner, inner),
        st.builds(Unary, st.just("-"), inner),
        st.builds(
            Select,
            st.builds(Binary, st.sampled_from(["<", "<=", "==", "!=", ">", ">="]), inner, inner, st.just(BOOL)),
            inner,
            inner,
        ),
    ),
    max_leaves=8,
)


@given(INDEX_EXPRESSIONS, st.integers(-5, 12), st.integers(-5, 12))
def test_folding_keeps_the_value_of_index_expressions(expression: Expr, n: int, m: int) -> None:
    """A fault may disappear, a value may not change."""
    y = kernels.vals("y", INDEX)
    dimensions = tuple(Parameter(ParameterKind.DIMENSION, name, INDEX, "y", dimension=0) for name in ("n", "m"))

    def value(candidate: Expr) -> int | None:
        function = Function("kernel", (*dimensions, kernels.output(y)), block(Store(y, ZERO, candidate, COMPUTE)))
        result = np.zeros(1, np.int64)
        try:
            interpret(function, {"n": n, "m": m, "y_vals": result})
        except IntegerFault:
            return None
        return int(result[0])

    before, after = value(expression), value(fold(expression))
    assert before is None or before == after


def test_parallel_loops_keep_their_kind() -> None:
    loop = For("i", ZERO, add(N, ZERO), block(store(Var("i"))), COMPUTE, LoopKind.CPU_THREAD)
    assert simplified(loop) == ["for i in [0, n) on CPUThread:", "    y_vals[i] = 1.0"]
