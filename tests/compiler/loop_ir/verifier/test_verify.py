"""The verifier accepts the hand-written kernels and names the statement that breaks a rule."""

from __future__ import annotations

import pytest

from heddle.diagnostics import InternalError
from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    Allocate,
    Array,
    ArrayRole,
    Assign,
    Binary,
    Break,
    Call,
    Cast,
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
    Reduction,
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
from heddle.loop_ir.verification.verify import verify
from heddle.loop_ir.walk import statements
from tests.compiler.loop_ir import kernels
from tests.compiler.loop_ir.kernels import COMPUTE, ONE, ZERO, block, less

X, Y, C = kernels.vals("x"), kernels.vals("y"), kernels.crd("x", 1)
N = Var("n")
PARAMETERS = (
    Parameter(ParameterKind.DIMENSION, "n", INDEX, "y", dimension=0),
    kernels.output(Y),
    kernels.operand(C),
    kernels.operand(X),
)
SUM = Declare("s", "float64", Const(0.0, "float64"), COMPUTE, mutable=True)
TRUE = Const(True, BOOL)
HALF = Const(0.5, "float64")


def function(*body: Stmt) -> Function:
    requirements = tuple(statement for statement in statements(block(*body)) if isinstance(statement, Require))
    return Function("kernel", PARAMETERS, block(*body), requirements)


def value(expression: Expr, dtype: str = INDEX) -> Declare:
    return Declare("value", dtype, expression, COMPUTE)


def loop(*body: Stmt, kind: LoopKind = LoopKind.SERIAL, unroll: int | None = None, **reductions: str) -> For:
    combined = tuple(Reduction(name, operator) for name, operator in reductions.items())
    return For("i", ZERO, N, block(*body), COMPUTE, kind, unroll, combined)


@pytest.mark.parametrize(
    "kernel",
    [
        kernels.spmv(),
        kernels.spmv(unroll=4),
        kernels.spmv_by_position(2),
        kernels.spmm(),
        kernels.vector_union(),
        kernels.dot(),
        kernels.dot(operator="min"),
        kernels.histogram("max"),
        kernels.histogram("||", "bool"),
        kernels.histogram("+", "complex64"),
        kernels.row_workspace(),
    ],
)
def test_hand_written_kernels_are_valid(kernel: Function) -> None:
    verify(kernel)


def test_sibling_scopes_may_use_the_same_name() -> None:
    verify(function(loop(value(ZERO)), loop(value(ONE))))


THREADS = LoopKind.CPU_THREAD

BROKEN: list[tuple[str, tuple[Stmt, ...]]] = [
    ("'m' is not declared, in `value = m`", (value(Var("m")),)),
    ("'value' is not declared", (If(TRUE, block(value(ZERO)), COMPUTE), Store(Y, Var("value"), HALF, COMPUTE))),
    ("'s' is declared again while it is visible, in `var s = 0.0`", (SUM, SUM)),
    ("'n' is declared again", (Declare("n", INDEX, ZERO, COMPUTE),)),
    ("'i' is declared again", (loop(loop()),)),
    ("'y_vals' is an array, not a scalar", (value(Var("y_vals", "float64"), "float64"),)),
    ("the name 'a-b' is not an identifier", (Declare("a-b", INDEX, ZERO, COMPUTE),)),
    ("the constant 0.0 is not a value of float16", (Declare("h", "float16", Const(0.0, "float16"), COMPUTE),)),
    ("'value' is assigned but not mutable, in `value += 1`", (value(ZERO), Assign("value", ONE, COMPUTE, "+"))),
    ("'i' is assigned but not mutable", (loop(Assign("i", ONE, COMPUTE, "+")),)),
    ("'n' is assigned but not mutable", (Assign("n", ONE, COMPUTE),)),
    ("the value of 'value' must be int64, found float64", (value(HALF),)),
    ("the value for 's' must be float64, found int64", (SUM, Assign("s", ONE, COMPUTE))),
    ("'s' is float64, used as int64", (SUM, value(Var("s")))),
    ("the operands of '+' differ: int64 and float64", (value(Binary("+", N, HALF)),)),
    ("'//' does not take float64", (value(Binary("//", HALF, HALF, "float64"), "float64"),)),
    ("'&&' does not take int64", (value(Binary("&&", N, N, BOOL), BOOL),)),
    ("'<' does not order bool", (value(Binary("<", TRUE, TRUE, BOOL), BOOL),)),
    ("'<' gives bool, but the node says int64", (value(Binary("<", N, N)),)),
    ("unknown operator '**'", (value(Binary("**", N, N)),)),
    ("the operand of '!' must be bool, found int64", (value(Unary("!", N, BOOL), BOOL),)),
    ("'-' does not take bool", (value(Unary("-", TRUE, BOOL), BOOL),)),
    ("a side of a select must be int64, found float64", (value(Select(TRUE, N, HALF)),)),
    ("a cast from complex64 to float32 drops", (value(Cast(Const(1j, "complex64"), "float32"), "float32"),)),
    ("a cast to the unknown dtype 'text'", (value(Cast(N, "text"), "text"),)),
    ("the constant 2 is not a value of bool", (value(Const(2, BOOL), BOOL),)),
    ("the constant True is not a value of int64", (value(Const(True)),)),
    ("the constant 300 is not a value of int8", (value(Const(300, "int8"), "int8"),)),
    ("unknown function 'gamma'", (value(Call("gamma", (HALF,), "float64"), "float64"),)),
    ("'pow' takes 2 arguments, found 1", (value(Call("pow", (HALF,), "float64"), "float64"),)),
    ("'sqrt' does not take int64", (value(Call("sqrt", (N,), "float64"), "float64"),)),
    ("'abs' gives float32, but the node says complex64", (value(Call("abs", (Const(1j, "complex64"),), "complex64")),)),
    ("the array 'z_vals' is neither a parameter nor", (value(Load(kernels.vals("z"), ZERO), "float64"),)),
    (
        "is not the array that was declared under this name",
        (value(Load(Array("x_vals", "float32", ArrayRole.VALS, "x"), ZERO), "float32"),),
    ),
    ("the index of 'x_vals' must be int64, found float64", (value(Load(X, HALF), "float64"),)),
    ("the index of 'y_vals' must be int64, found bool", (Store(Y, TRUE, HALF, COMPUTE),)),
    ("the array 'x_vals' is read-only, in `x_vals[0] = 0.5`", (Store(X, ZERO, HALF, COMPUTE),)),
    ("the value for 'y_vals' must be float64, found int64", (Store(Y, ZERO, N, COMPUTE),)),
    ("an atomic store without a reduction, in `atomic y_vals[0] = 0.5`", (Store(Y, ZERO, HALF, COMPUTE, atomic=True),)),
    ("unknown reduction '-'", (Store(Y, ZERO, HALF, COMPUTE, "-"),)),
    ("the reduction '&&' does not take float64", (Store(Y, ZERO, HALF, COMPUTE, "&&"),)),
    ("the value for 'y_vals' must be float64", (Fill(Y, N, ZERO, COMPUTE),)),
    ("the array 'x_vals' is read-only", (Fill(X, N, HALF, COMPUTE),)),
    ("a size must be int64, found float64", (Allocate(kernels.workspace("w"), HALF, COMPUTE),)),
    ("'y_vals' is declared again", (Allocate(Y, N, COMPUTE),)),
    ("a search in 'x_vals' of float64", (Search("p", SearchKind.BEFORE, X, ZERO, N, ZERO, COMPUTE),)),
    ("an operand of a search must be int64", (Search("p", SearchKind.BEFORE, C, ZERO, N, HALF, COMPUTE),)),
    ("a loop bound must be int64, found float64", (For("i", ZERO, HALF, block(), COMPUTE),)),
    ("a condition must be bool, found int64, in `while n:`", (While(N, block(), COMPUTE),)),
    ("a condition must be bool, found int64, in `if n:`", (If(N, block(), COMPUTE),)),
    ("a break outside a serial loop, in `break`", (Break(COMPUTE),)),
    ("a break outside a serial loop", (loop(If(less(ZERO, N), block(Break(COMPUTE)), COMPUTE), kind=THREADS),)),
    ("a continue outside a loop", (Continue(COMPUTE),)),
    (
        "a kernel cannot stop inside a parallel loop",
        (loop(While(TRUE, block(Require(TRUE, 1, "", COMPUTE)), COMPUTE), kind=THREADS),),
    ),
    ("the status 0 is not positive", (Require(TRUE, 0, "never", COMPUTE),)),
    ("only a serial loop is unrolled, by 1 to 65534", (loop(kind=THREADS, unroll=4),)),
    ("only a serial loop is unrolled, by 1 to 65534", (loop(unroll=0),)),
    ("a serial loop has no reduction", (SUM, loop(s="+"))),
    ("'value' is reduced but not mutable", (value(ZERO), loop(kind=THREADS, value="+"))),
    ("'t' is not declared", (loop(kind=THREADS, t="+"),)),
    ("unknown reduction '-'", (SUM, loop(kind=THREADS, s="-"))),
    ("'s' may only be combined with '+'", (SUM, loop(Assign("s", HALF, COMPUTE, "*"), kind=THREADS, s="+"))),
    (
        "'s' is read inside the parallel loop that reduces it",
        (SUM, loop(Store(Y, ZERO, Var("s", "float64"), COMPUTE), kind=THREADS, s="+")),
    ),
]


@pytest.mark.parametrize(("message", "body"), BROKEN)
def test_broken_rule_is_named(message: str, body: tuple[Stmt, ...]) -> None:
    with pytest.raises(InternalError) as caught:
        verify(function(*body))
    assert message in str(caught.value)
    assert "please report it" in str(caught.value)


def test_every_requirement_is_listed() -> None:
    require = Require(less(ZERO, N), 3, "n is positive", COMPUTE)
    verify(Function("kernel", PARAMETERS, block(require), (require,)))
    with pytest.raises(InternalError, match=r"the requirements list the statuses \[\], the body checks \[3\]"):
        verify(Function("kernel", PARAMETERS, block(require)))
    with pytest.raises(InternalError, match=r"list the statuses \[3\], the body checks \[\]"):
        verify(Function("kernel", PARAMETERS, block(), (require,)))


@pytest.mark.parametrize(
    ("message", "parameter"),
    [
        ("the dimension 'm' is int32, not int64", Parameter(ParameterKind.DIMENSION, "m", "int32", "y", dimension=0)),
        ("the parameter 'm' is scalar and has array", Parameter(ParameterKind.SCALAR, "m", "float64", "x", X)),
        ("and its array 'x_vals' differ", Parameter(ParameterKind.ARRAY, "m", "float64", "x", X)),
        ("'n' is declared again", PARAMETERS[0]),
    ],
)
def test_parameters_are_checked(message: str, parameter: Parameter) -> None:
    with pytest.raises(InternalError, match=message):
        verify(Function("kernel", (*PARAMETERS, parameter), block()))


def test_an_unknown_dtype_of_a_workspace_is_named() -> None:
    half = Array("w", "float16", ArrayRole.WORKSPACE)
    with pytest.raises(InternalError, match="'w' has the unknown dtype 'float16'"):
        verify(function(Allocate(half, N, COMPUTE)))
