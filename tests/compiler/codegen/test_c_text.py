"""Statements in the generated C: names, bounds, jumps, threads, requirements."""

from __future__ import annotations

import math

import numpy as np
import pytest

from heddle.codegen.c.printer import generate
from heddle.codegen.identifiers import is_reserved
from heddle.diagnostics import InternalError
from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    Array,
    ArrayRole,
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
    Fill,
    For,
    Function,
    If,
    Load,
    LoopKind,
    Parameter,
    ParameterKind,
    Require,
    Stmt,
    Store,
    Var,
)
from heddle.loop_ir.verification.verify import verify
from heddle.origin import Origin, Role
from tests.compiler.codegen.c_lines import HALF, M, N, X, Y, binary, kernel, lines
from tests.compiler.codegen.native import call
from tests.compiler.loop_ir import kernels
from tests.compiler.loop_ir.kernels import COMPUTE, GUARD, ONE, ZERO, add, block, less


def test_reserved_names_are_respelled() -> None:
    """Keywords, macros, library functions and names of our own support functions are all legal tensor names."""
    names = ["int", "for", "I", "linux", "sqrt", "min_int64", "status", "p", "register_", "register", "malloc", "w"]
    vals = Array("double", "float64", ArrayRole.VALS, "double")
    parameters = [Parameter(ParameterKind.DIMENSION, name, INDEX, name, dimension=0) for name in names]
    total: Expr = ZERO
    for name in names:
        total = add(total, Var(name))
    body = block(
        Fill(vals, Const(2), Const(0.0, "float64"), COMPUTE),
        Declare("while", INDEX, Binary("min", total, Const(1000)), COMPUTE),
        Store(vals, ZERO, Call("sqrt", (Cast(Var("while"), "float64"),), "float64"), COMPUTE),
    )
    function = Function("kernel", (kernels.output(vals), *parameters), body)
    verify(function)
    result = np.zeros(2)
    assert call(function, {"double": result, **{name: i for i, name in enumerate(names)}}) == 0
    assert result.tolist() == [math.sqrt(sum(range(len(names)))), 0.0]
    text = generate(function).text
    assert "int64_t while_ = " in text
    assert "int64_t register_2, " in text
    for name in (
        "kept_v",
        "gather_f64v",
        "load_kept_f64v4",
        "sum8_f32v",
        "keep_i32v2",
        "VECTOR_LANES",
        "EACH_REGISTER",
    ):
        assert is_reserved(name)
    assert not any(is_reserved(name) for name in ("kept", "u_v", "f64", "f65v", "sum_x"))


@pytest.mark.parametrize("name", ["a b", "x;system", "é", "1a", "a\n"])
def test_only_identifiers_reach_the_text(name: str) -> None:
    message = "is not an identifier"
    with pytest.raises(InternalError, match=message):
        generate(Function(name, (), block()))
    with pytest.raises(InternalError, match=message):
        generate(Function("kernel", (Parameter(ParameterKind.DIMENSION, name, INDEX, "A", dimension=0),), block()))


def test_comments_cannot_escape_their_line() -> None:
    assert lines(Comment("first\nint x; \\", COMPUTE), Comment("∩ */ ok", COMPUTE)) == ["// first int x; /", "// */ ok"]


def test_a_bound_that_the_body_changes_is_computed_once() -> None:
    grow = For("i", ZERO, Var("end"), block(Assign("end", ONE, COMPUTE, "+"), Store(Y, ZERO, HALF, COMPUTE)), COMPUTE)
    body = (Declare("end", INDEX, Const(3), COMPUTE, mutable=True), grow)
    assert lines(*body)[1:3] == ["int64_t i_end = end;", "for (int64_t i = 0; i < i_end; i++) {"]
    written = kernels.crd("y", 1)
    loop = For("i", ZERO, Load(written, ZERO), block(Store(written, ZERO, Const(9), COMPUTE)), COMPUTE)
    function = Function("kernel", (kernels.output(written),), block(Store(written, ZERO, ONE, COMPUTE), loop))
    assert "int64_t i_end = y1_crd[0];" in generate(function).text


def test_guards_stand_on_one_line_with_two_origins() -> None:
    other = Origin(Role.BOUNDS, "i")
    loop = For("i", ZERO, N, block(If(less(M, Var("i")), block(Break(other)), GUARD), Continue(COMPUTE)), COMPUTE)
    source = generate(kernel(loop))
    number = next(i for i, line in enumerate(source.text.splitlines(), 1) if "break" in line)
    assert source.line(number) == "    if (m < i) break;"
    spans = [(span.column, span.end_column, span.origin) for span in source.spans if span.line == number]
    assert spans == [(4, 14, GUARD), (15, 21, other)]


def test_branches_chain() -> None:
    def store(index: int) -> Store:
        return Store(Y, Const(index), HALF, COMPUTE)

    chain = If(less(N, M), block(store(0)), GUARD, If(less(M, N), block(store(1)), GUARD, block(store(2))))
    assert lines(chain) == [
        "if (n < m) {",
        "  y_vals[0] = 0.5;",
        "} else if (m < n) {",
        "  y_vals[1] = 0.5;",
        "} else {",
        "  y_vals[2] = 0.5;",
        "}",
    ]


def test_a_nested_block_keeps_its_scope() -> None:
    inner = block(Declare("a", INDEX, N, COMPUTE), Store(Y, Var("a"), HALF, COMPUTE))
    assert lines(inner, block(Store(Y, N, HALF, COMPUTE))) == [
        "{",
        "  int64_t a = n;",
        "  y_vals[a] = 0.5;",
        "}",
        "y_vals[n] = 0.5;",
    ]


def test_nested_parallel_loops_share_one_team() -> None:
    def loop(variable: str, kind: LoopKind, *body: Stmt) -> For:
        return For(variable, ZERO, N, block(*body), COMPUTE, kind)

    threads, vector = LoopKind.CPU_THREAD, LoopKind.CPU_VECTOR
    store = Store(Y, Var("k"), HALF, COMPUTE)
    nest = loop("i", threads, loop("j", threads, loop("k", vector, loop("l", vector, store))))
    pragmas = [line.strip() for line in lines(nest) if "#" in line]
    assert pragmas == ["#pragma omp parallel for schedule(guided)", "#pragma omp simd"]


def test_each_thread_gets_the_same_of_a_few_iterations_in_every_call() -> None:
    def pragma(count: int) -> str:
        store = Store(Y, Var("i"), HALF, COMPUTE)
        return lines(For("i", ZERO, Const(count), store, COMPUTE, LoopKind.CPU_THREAD))[0].strip()

    assert pragma(8) == "#pragma omp parallel for schedule(static)"
    assert pragma(9) == "#pragma omp parallel for schedule(guided)"


def test_reductions_are_grouped_by_operator() -> None:
    from heddle.loop_ir.nodes import Reduction

    scalars = [Declare(name, "float64", HALF, COMPUTE, mutable=True) for name in "abc"]
    combined = (Reduction("a", "+"), Reduction("b", "max"), Reduction("c", "+"))
    loop = For("i", ZERO, N, block(Assign("a", HALF, COMPUTE, "+")), COMPUTE, LoopKind.CPU_VECTOR, reductions=combined)
    assert "#pragma omp simd reduction(+:a, c) reduction(max_float64:b)" in lines(*scalars, loop)


def test_atomics_outside_parallel_loops_cost_nothing() -> None:
    store = Store(Y, ZERO, HALF, COMPUTE, "+", atomic=True)
    assert lines(store) == ["y_vals[0] += 0.5;"]


@pytest.mark.parametrize(
    ("operator", "text"),
    [
        ("+", "y_vals[0] += 0.5;"),
        ("*", "y_vals[0] *= 0.5;"),
        ("max", "y_vals[0] = max_float64(y_vals[0], 0.5);"),
    ],
)
def test_reducing_stores(operator: str, text: str) -> None:
    assert lines(Store(Y, ZERO, HALF, COMPUTE, operator)) == [text]


def test_fills_start_threads_only_where_a_loop_does_and_where_they_are_large() -> None:
    region = "#pragma omp parallel for schedule(static)"
    on_threads = For("i", ZERO, N, block(), COMPUTE, LoopKind.CPU_THREAD)
    for size in (Const(8), Const(40000), N):
        assert lines(Fill(Y, size, HALF, COMPUTE))[0].startswith("for (int64_t p = 0; p < ")
    for size, first in (
        (Const(8), "for (int64_t p = 0; p < 8; p++) {"),
        (Const(40000), region),
        (N, f"{region} if(n >= 32768)"),
    ):
        assert lines(block(Fill(Y, size, HALF, COMPUTE), on_threads))[1].strip() == first
    assert lines(Fill(Y, Const(8), Load(X, ZERO), COMPUTE))[0] == "double y_vals_fill = x_vals[0];"


def test_c_has_no_gpu_loops() -> None:
    with pytest.raises(InternalError, match="C has no GPUBlock loops"):
        generate(kernel(For("i", ZERO, N, block(), COMPUTE, LoopKind.GPU_BLOCK)))


def test_a_failed_requirement_returns_its_status() -> None:
    require = Require(binary("==", N, M, BOOL), 3, "n and m agree,\nor \\ not", COMPUTE)
    assert lines(require) == ["if (n != m) return 3;  // n and m agree, or / not"]
    arguments = {"y_vals": np.zeros(1), "x_vals": np.zeros(1), "x1_crd": np.zeros(1, np.int32)}
    assert call(kernel(require), {"n": 1, "m": 2, **arguments}) == 3
    assert call(kernel(require), {"n": 2, "m": 2, **arguments}) == 0
