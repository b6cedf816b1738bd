"""Details of the generated C: names, literals, precedence, bounds, jumps, requirements."""

from __future__ import annotations

import math

import numpy as np
import pytest

from compiler.codegen.c import generate
from compiler.codegen.literals import literal
from compiler.diagnostics import InternalError
from compiler.loop_ir.nodes import (
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
    Select,
    Stmt,
    Store,
    Unary,
    Var,
)
from compiler.loop_ir.verify import verify
from compiler.origin import Origin, Role
from tests.compiler.codegen.native import build, call
from tests.compiler.loop_ir import kernels
from tests.compiler.loop_ir.kernels import COMPUTE, GUARD, ONE, ZERO, add, block, less, mul

N, M = Var("n"), Var("m")
Y, X, C = kernels.vals("y"), kernels.vals("x"), kernels.crd("x", 1)
HALF = Const(0.5, "float64")


def kernel(*body: Stmt) -> Function:
    dimensions = [Parameter(ParameterKind.DIMENSION, name, INDEX, "y", dimension=0) for name in ("n", "m")]
    requirements = tuple(statement for statement in body if isinstance(statement, Require))
    parameters = (*dimensions, kernels.output(Y), kernels.operand(X), kernels.operand(C))
    function = Function("kernel", parameters, block(*body), requirements)
    verify(function)
    return function


def lines(*body: Stmt) -> list[str]:
    """The lines of the body in C, which compile."""
    text = generate(kernel(*body)).text
    build(text)
    all_lines = text.splitlines()
    start = next(number for number, line in enumerate(all_lines) if line.startswith("int32_t kernel("))
    start = next(number for number in range(start, len(all_lines)) if all_lines[number].endswith(") {"))
    return [line.removeprefix("  ") for line in all_lines[start + 1 : -2]]


def value(expression: Expr, dtype: str = INDEX) -> str:
    """The text of one expression."""
    (line,) = lines(Declare("value", dtype, expression, COMPUTE))
    return line.split(" = ", 1)[1].removesuffix(";")


def binary(operator: str, left: Expr, right: Expr, dtype: str = INDEX) -> Binary:
    return Binary(operator, left, right, dtype)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (mul(add(N, M), N), "(n + m) * n"),
        (add(mul(N, M), N), "n * m + n"),
        (binary("-", N, binary("-", M, N)), "n - (m - n)"),
        (binary("-", binary("-", N, M), N), "n - m - n"),
        (binary("//", N, mul(M, N)), "n / (m * n)"),
        (binary("%", binary("//", N, M), N), "n / m % n"),
        (Unary("-", Unary("-", N)), "-(-n)"),
        (Unary("-", Const(-4)), "-(-4)"),
        (binary("-", N, Const(-4)), "n - -4"),
        (Unary("-", add(N, M)), "-(n + m)"),
        (Select(less(N, M), N, Select(less(M, N), M, ZERO)), "n < m ? n : m < n ? m : 0"),
        (add(Select(less(N, M), N, M), ONE), "(n < m ? n : m) + 1"),
        (binary("min", N, add(M, ONE)), "min_int64(n, m + 1)"),
        (Load(C, N), "x1_crd[n]"),
        (mul(Load(C, N), Load(C, M)), "(int64_t)x1_crd[n] * x1_crd[m]"),
        (add(Load(C, N), ONE), "(int64_t)x1_crd[n] + 1"),
        (add(Load(C, N), M), "x1_crd[n] + m"),
        (Unary("-", Load(C, N)), "-(int64_t)x1_crd[n]"),
        (binary("//", Load(C, N), Const(8)), "x1_crd[n] / 8"),
        (mul(binary("//", Load(C, N), Const(8)), Const(8)), "(int64_t)(x1_crd[n] / 8) * 8"),
        (Cast(less(N, M), INDEX), "(n < m)"),
        (add(Cast(less(N, M), INDEX), N), "(int64_t)(n < m) + n"),
        (mul(Const(2**30), Const(4)), "(int64_t)1073741824 * 4"),
        (mul(Select(less(N, M), Load(C, N), ONE), Const(8)), "(int64_t)(n < m ? x1_crd[n] : 1) * 8"),
        (Const(-(2**63)), "(-9223372036854775807LL - 1)"),
        (Const(2**31), "2147483648LL"),
        (Cast(HALF, INDEX), "(int64_t)0.5"),
        (Cast(binary("+", HALF, HALF, "float64"), INDEX), "(int64_t)(0.5 + 0.5)"),
    ],
)
def test_index_expressions(expression: Expr, text: str) -> None:
    assert value(expression) == text


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (binary("&&", binary("||", less(N, M), less(M, N), BOOL), less(N, M), BOOL), "(n < m || m < n) && n < m"),
        (binary("||", binary("&&", less(N, M), less(M, N), BOOL), less(N, M), BOOL), "(n < m && m < n) || n < m"),
        (binary("&&", binary("&&", less(N, M), less(M, N), BOOL), less(N, M), BOOL), "n < m && m < n && n < m"),
        (binary("==", less(N, M), less(M, N), BOOL), "(n < m) == (m < n)"),
        (Unary("!", binary("&&", less(N, M), less(M, N), BOOL), BOOL), "!(n < m && m < n)"),
        (binary("+", less(N, M), Const(True, BOOL), BOOL), "n < m || true"),
        (binary("min", less(N, M), Const(True, BOOL), BOOL), "n < m && true"),
    ],
)
def test_conditions(expression: Expr, text: str) -> None:
    assert value(expression, BOOL) == text


@pytest.mark.parametrize(
    ("expression", "dtype", "text"),
    [
        (Call("sqrt", (HALF,), "float64"), "float64", "sqrt(0.5)"),
        (Call("abs", (Const(-0.5, "float32"),), "float32"), "float32", "fabsf(-0.5f)"),
        (Call("exp", (Const(1j, "complex64"),), "complex64"), "complex64", "cexpf(0.0f + 1.0f * I)"),
        (Call("abs", (Const(1 - 2j, "complex128"),), "float64"), "float64", "cabs(1.0 - 2.0 * I)"),
        (Call("abs", (N,), INDEX), INDEX, "abs_int64(n)"),
        (Call("abs", (Const(3, "uint8"),), "uint8"), "uint8", "3"),
        (binary("+", Const(3, "int8"), Const(4, "int8"), "int8"), "int8", "(int8_t)(3 + 4)"),
        (Unary("-", Const(3, "int16"), "int16"), "int16", "(int16_t)-3"),
        (
            binary("*", Const(2j, "complex128"), Const(1, "complex128"), "complex128"),
            "complex128",
            "(0.0 + 2.0 * I) * (1.0 + 0.0 * I)",
        ),
        (Const(complex(-0.0, math.inf), "complex128"), "complex128", "__builtin_complex(-0.0, __builtin_inf())"),
    ],
)
def test_values(expression: Expr, dtype: str, text: str) -> None:
    assert value(expression, dtype) == text


FLOAT_LITERALS = [0.1, -0.0, 1e300, 5e-324, 1 / 3, math.inf, -math.inf, math.nan, 123456789.0]


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "complex64"])
def test_literals_read_back_exactly(dtype: str) -> None:
    with np.errstate(over="ignore"):
        values = np.array([*FLOAT_LITERALS, 0.1], dtype)
    if dtype.startswith("complex"):
        with np.errstate(invalid="ignore"):
            values = np.array([complex(a, b) for a in values.real[:6] for b in values.real[:8]], dtype)
    y = kernels.vals("y", dtype)
    body = block(*(Store(y, Const(i), Const(x.item(), dtype), COMPUTE) for i, x in enumerate(values)))
    result = np.zeros(len(values), dtype)
    assert call(Function("kernel", (kernels.output(y),), body), {"y_vals": result}) == 0
    assert result.tobytes() == values.tobytes() or np.array_equal(result, values, equal_nan=True)
    assert np.array_equal(
        np.signbit(result.real), np.signbit(values.real) | np.isnan(values.real) & np.signbit(result.real)
    )


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_extreme_integers_read_back_exactly(dtype: str) -> None:
    y = kernels.vals("y", dtype)
    limits = np.iinfo(dtype)
    body = block(
        Store(y, ZERO, Const(limits.min, dtype), COMPUTE),
        Store(y, ONE, Const(limits.max, dtype), COMPUTE),
        Store(y, Const(2), Call("abs", (Const(5, dtype),), dtype), COMPUTE),
    )
    result = np.zeros(3, dtype)
    call(Function("kernel", (kernels.output(y),), body), {"y_vals": result})
    assert result.tolist() == [limits.min, limits.max, 5]


def test_an_unknown_dtype_has_no_literal() -> None:
    with pytest.raises(InternalError, match="no literal for the dtype 'float16'"):
        literal(Const(1.0, "float16"))


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
    from compiler.loop_ir.nodes import Reduction

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


def test_small_constant_fills_start_no_threads() -> None:
    assert lines(Fill(Y, Const(8), HALF, COMPUTE)) == [
        "for (int64_t p = 0; p < 8; p++) {",
        "  y_vals[p] = 0.5;",
        "}",
    ]
    assert "#pragma omp parallel for schedule(static)" in lines(Fill(Y, Const(40000), HALF, COMPUTE))
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
