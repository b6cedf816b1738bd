"""Loop IR as text: the flat and the structured form of every statement, with origins."""

from __future__ import annotations

import pytest

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
    Continue,
    Declare,
    Expr,
    Fill,
    For,
    If,
    Load,
    LoopKind,
    Reduction,
    Require,
    Search,
    SearchKind,
    Select,
    Stmt,
    Store,
    Unary,
    Var,
)
from heddle.loop_ir.printing.expression_text import expression_text
from heddle.loop_ir.printing.printer import headline, print_flat, print_structured, statement_lines
from heddle.loop_ir.walk import statements
from tests.compiler.loop_ir import kernels
from tests.compiler.loop_ir.kernels import AT_I, COMPUTE, GUARD, ONE, ZERO, add, block, less, mul

N, M = Var("n"), Var("m")
Y, POS = kernels.vals("y"), kernels.pos("A", 2)


def test_flat_spmv() -> None:
    assert (
        print_flat(kernels.spmv()).text
        == """\
def kernel(
    y1_dimension: int64, out y_vals: float64[], A2_pos: int32[], A2_crd: int32[], A_vals: float64[],
    x_vals: float64[]):
    for i in [0, y1_dimension):
        var sum = 0.0
        for jA in [A2_pos[i], A2_pos[i + 1]):
            j = A2_crd[jA]
            sum += A_vals[jA] * x_vals[j]
        y_vals[i] = sum
"""
    )


def test_structured_spmv() -> None:
    assert (
        print_structured(kernels.spmv()).text.split(":\n", 1)[1]
        == """\
    for i in [0, y1_dimension):
        var sum = 0.0
        for jA in [A.level2.pos[i], A.level2.pos[i + 1]):
            j = A.level2.crd[i, jA]
            sum += A.vals[i, jA] * x.vals[j]
        y.vals[i] = sum
"""
    )


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (Declare("a", INDEX, N, COMPUTE), "a = n"),
        (Declare("a", INDEX, N, COMPUTE, mutable=True), "var a = n"),
        (Assign("a", N, COMPUTE), "a = n"),
        (Assign("a", N, COMPUTE, "min"), "a min= n"),
        (Store(Y, N, Const(1.0, "float64"), COMPUTE, "+", atomic=True), "atomic y_vals[n] += 1.0"),
        (Search("p", SearchKind.GALLOP, POS, ZERO, N, M, COMPUTE), "var p = search_gallop(A2_pos, [0, n), m)"),
        (Search("p", SearchKind.AT_LEAST, POS, ZERO, N, M, COMPUTE), "var p = search_at_least(A2_pos, [0, n), m)"),
        (Fill(Y, add(N, ONE), Const(0, "float64"), COMPUTE), "y_vals[0:n + 1] = 0.0"),
        (Allocate(kernels.workspace("w", "int32"), N, COMPUTE), "w = allocate(int32, n)"),
        (Require(less(N, M), 3, "n is\nsmaller", COMPUTE), "require n < m else 3  # n is smaller"),
        (Comment("two\nlines", COMPUTE), "# two lines"),
        (Break(COMPUTE), "break"),
        (Continue(COMPUTE), "continue"),
        (For("i", ZERO, N, block(), COMPUTE, unroll=4), "for i in [0, n) unroll 4:"),
        (
            For("i", ZERO, N, block(), COMPUTE, LoopKind.CPU_VECTOR, reductions=(Reduction("s", "+"),)),
            "for i in [0, n) on CPUVector reduce(+: s):",
        ),
        (block(), "block:"),
    ],
)
def test_headlines(statement: Stmt, text: str) -> None:
    assert headline(statement) == text


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (mul(add(N, M), N), "(n + m) * n"),
        (Binary("-", N, Binary("-", M, N)), "n - (m - n)"),
        (Binary("min", N, add(M, ONE)), "min(n, m + 1)"),
        (Unary("-", Unary("-", N)), "-(-n)"),
        (Binary("-", N, Const(-1)), "n - -1"),
        (Unary("-", Const(-1)), "-(-1)"),
        (Unary("!", Binary("&&", less(N, M), less(M, N), BOOL), BOOL), "not (n < m and m < n)"),
        (Unary("!", less(N, M), BOOL), "not n < m"),
        (Binary("==", less(N, M), less(M, N), BOOL), "(n < m) == (m < n)"),
        (Binary("||", Binary("&&", less(N, M), less(M, N), BOOL), less(N, N), BOOL), "n < m and m < n or n < n"),
        (Select(less(N, M), N, add(M, ONE)), "n if n < m else m + 1"),
        (add(Select(less(N, M), N, M), ONE), "(n if n < m else m) + 1"),
        (Cast(N, "float32"), "float32(n)"),
        (Call("pow", (Const(2.0, "float64"), Const(1, "float64")), "float64"), "pow(2.0, 1.0)"),
        (Const(True, BOOL), "True"),
        (Const(1 + 2j, "complex128"), "(1+2j)"),
    ],
)
def test_expressions(expression: Expr, text: str) -> None:
    assert expression_text(expression) == text


def test_structured_elements() -> None:
    load = Load(kernels.vals("A"), Var("jA"), ("i", "jA"))
    assert expression_text(load) == "A_vals[jA]"
    assert expression_text(load, structured=True) == "A.vals[i, jA]"
    assert expression_text(Load(kernels.vals("A"), Var("jA")), structured=True) == "A.vals[jA]"
    assert expression_text(Load(POS, add(AT_I, ONE)), structured=True) == "A.level2.pos[i + 1]"
    assert expression_text(Load(kernels.workspace("w"), AT_I), structured=True) == "w[i]"
    assert headline(Fill(Y, N, ONE, COMPUTE), structured=True) == "y.vals[0:n] = 1"
    search = Search("p", SearchKind.BEFORE, POS, ZERO, N, M, COMPUTE)
    assert headline(search, structured=True) == "var p = search_before(A.level2.pos, [0, n), m)"


def test_branches_blocks_and_empty_bodies() -> None:
    store = Store(Y, ZERO, Const(1.0, "float64"), COMPUTE)
    chain = If(less(N, M), block(), GUARD, If(less(M, N), store, GUARD, block(store, store)))
    inner = block(Declare("a", INDEX, N, COMPUTE))
    lines = print_flat(kernels.function(block(chain, inner, block(store)))).text.splitlines()
    assert [line.removeprefix("    ") for line in lines[1:]] == [
        "if n < m:",
        "    pass",
        "elif m < n:",
        "    y_vals[0] = 1.0",
        "else:",
        "    y_vals[0] = 1.0",
        "    y_vals[0] = 1.0",
        "block:",
        "    a = n",
        "y_vals[0] = 1.0",
    ]


KERNELS = [kernels.spmv(), kernels.spmv_by_position(4), kernels.vector_union(), kernels.row_workspace()]


@pytest.mark.parametrize("function", KERNELS)
def test_every_statement_has_its_line_and_origin(function: kernels.Function) -> None:
    lines = statement_lines(function)
    flat, structured = print_flat(function), print_structured(function)
    origins = {span.line: span.origin for span in flat.spans}
    for statement, line in zip(statements(function.body), lines, strict=True):
        assert headline(statement) in flat.line(line)
        assert headline(statement, structured=True) in structured.line(line)
        assert origins[line] == statement.origin  # type: ignore[union-attr]
    assert [span.line for span in structured.spans] == [span.line for span in flat.spans]
    for span in flat.spans:
        assert flat.line(span.line)[: span.column].strip() == ""
        assert len(flat.line(span.line)) == span.end_column
