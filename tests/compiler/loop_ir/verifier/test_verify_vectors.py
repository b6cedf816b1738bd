"""The rules of vectors: the verifier refuses what no text can say, and names the statement."""

from __future__ import annotations

import pytest

from heddle.diagnostics import InternalError
from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    Array,
    ArrayRole,
    Assign,
    Binary,
    Broadcast,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    Function,
    Gather,
    If,
    Keep,
    LaneRange,
    Lanes,
    LaneSum,
    LoopKind,
    Reduction,
    Scatter,
    Select,
    Stmt,
    Store,
    Unary,
    Var,
    VectorLoad,
    VectorStore,
)
from heddle.loop_ir.verification.verify import verify
from tests.compiler.loop_ir import kernels
from tests.compiler.loop_ir.kernels import COMPUTE, ONE, ZERO, block
from tests.compiler.loop_ir.vector_kernels import COUNTS, DTYPES, Kernels, mixed

X, Y, C = kernels.vals("x"), kernels.vals("y"), kernels.crd("x", 1)
LONG = kernels.vals("long", "int64")
TRUTH = Array("truth_vals", BOOL, ArrayRole.VALS, "truth")
COMPLEX = kernels.vals("complex", "complex64")
VECTOR, MASK, INDICES = "float64x4", "boolx4", "int32x4"
V, KEPT, AT = Var("v", VECTOR), Var("kept", MASK), Var("at", INDICES)
HALF = Const(0.5, "float64")


def lanes(*body: Stmt, count: int = 4) -> Lanes:
    return Lanes("k", count, block(*body), COMPUTE)


def same(count: int = 4) -> Broadcast:
    return Broadcast(HALF, count)


def number(value: int) -> Broadcast:
    return Broadcast(Const(value, "int32"), 4)


def store(value: Expr, reduce: str | None = None) -> VectorStore:
    return VectorStore(Y, ZERO, value, COMPUTE, reduce)


def declared(value: Expr, dtype: str = VECTOR, name: str = "new", *, mutable: bool = False) -> Declare:
    return Declare(name, dtype, value, COMPUTE, mutable=mutable)


def vector(count: int = 4, name: str = "v") -> Declare:
    return declared(same(count), f"float64x{count}", name, mutable=True)


def binary(operator: str, left: Expr, right: Expr, dtype: str = VECTOR) -> Binary:
    return Binary(operator, left, right, dtype)


X4 = VectorLoad(X, ZERO, 4)
KEPT_0 = declared(LaneRange(ZERO, ONE, 4), MASK, "kept")
AT_0 = declared(VectorLoad(C, ZERO, 4), INDICES, "at")
SUM = Declare("s", "float64", HALF, COMPUTE, mutable=True)
LESS = binary("<", AT, number(1), MASK)


def function(*body: Stmt) -> Function:
    return kernels.function(
        block(*body),
        kernels.output(Y),
        *(kernels.operand(array) for array in (C, X, LONG, TRUTH, COMPLEX)),
    )


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_kernels_of_vectors_are_valid(dtype: str, count: int) -> None:
    for problem in Kernels(dtype, count).problems():
        verify(problem.function)
    verify(mixed(count).function)


NO_MASK = "a mask is a range of lanes, or comparisons of vectors of int32 joined by '&&'"
NO_SUM = "the lanes of something that is not a declared vector of 2, 4, 8 … are summed"

BROKEN: list[tuple[str, tuple[Stmt, ...]]] = [
    # Where lanes stand, and what is among them.
    ("lanes do not take `4 lanes of k:`", (lanes(lanes(store(same()))),)),
    ("1 lanes", (lanes(store(same(1)), count=1),)),
    ("lanes do not take `y_vals[0] = 0.5`", (lanes(Store(Y, ZERO, HALF, COMPUTE)),)),
    ("lanes do not take `if kept:`", (lanes(If(Var("kept", BOOL), block(store(same())), COMPUTE)),)),
    ("lanes do not take a block", (lanes(block(store(same()))),)),
    ("'new' is mutable, but declared among lanes", (lanes(declared(X4, mutable=True)),)),
    ("the scalar 's' is assigned among lanes", (SUM, lanes(Assign("s", HALF, COMPUTE)))),
    ("a vector is stored to 'y_vals' outside of lanes", (store(same()),)),
    ("a vector is stored to 'y_vals' outside of lanes", (Scatter(Y, same(), same(), COMPUTE),)),
    ("the array 'x_vals' is read-only", (lanes(VectorStore(X, ZERO, same(), COMPUTE)),)),
    # How many lanes.
    ("float64x4 among no lanes", (declared(X4),)),
    ("float64x4 among no lanes", (vector(), declared(V))),
    ("boolx4 among no lanes", (KEPT_0,)),
    ("float64x8 among 4 lanes", (lanes(declared(VectorLoad(X, ZERO, 8), "float64x8")),)),
    ("float64x8 among 4 lanes", (vector(8), lanes(declared(Var("v", "float64x8"), "float64x8")))),
    ("float64x8 among 4 lanes", (lanes(store(same(8))),)),
    ("the operands of '+' differ: float64x4 and float64", (lanes(store(binary("+", X4, HALF))),)),
    ("the value for 'y_vals' must be float64x4, found float64", (lanes(store(HALF)),)),
    # Vectors outside of lanes.
    (NO_MASK, (declared(Broadcast(Const(True, BOOL), 4), MASK, "kept"),)),
    ("the vector 'v' is combined outside of lanes", (vector(), Assign("v", same(), COMPUTE, "+"))),
    ("the loop reduces the vector 'v'",
     (vector(), For("i", ZERO, ONE, block(), COMPUTE, LoopKind.CPU_THREAD, reductions=(Reduction("v", "+"),)))),
    # What is loaded, gathered and stored.
    ("the first index of 'x_vals' must be int64, found float64", (lanes(store(VectorLoad(X, HALF, 4))),)),
    ("'x_vals' is gathered by float64x4, not by a vector of int32", (lanes(store(Gather(X, X4))),)),
    ("'x_vals' is gathered by int64, not by a vector of int32", (lanes(store(Gather(X, ZERO))),)),
    ("'x_vals' is gathered by int32, not by a vector of int32",
     (lanes(store(Gather(X, Const(0, "int32")))),)),
    ("the first index of 'y_vals' must be int64, found int32",
     (lanes(VectorStore(Y, Const(0, "int32"), X4, COMPUTE)),)),
    ("the indices of 'y_vals' must be int32x4, found float64x4", (lanes(Scatter(Y, X4, X4, COMPUTE)),)),
    ("no vector holds int64", (lanes(declared(VectorLoad(LONG, ZERO, 4), "int64x4")),)),
    ("no vector holds complex64", (lanes(declared(VectorLoad(COMPLEX, ZERO, 4), "complex64x4")),)),
    ("the reduction 'max' does not take float64x4", (lanes(store(X4, "max")),)),
    ("the reduction 'min' does not take float64x4", (vector(), lanes(Assign("v", X4, COMPUTE, "min")))),
    ("unknown reduction '-'", (lanes(store(X4, "-")),)),
    ("the value of all lanes is float64x4", (lanes(declared(Broadcast(X4, 4), "float64x4x4")),)),
    ("a number of a lane must be int64, found float64", (lanes(declared(LaneRange(HALF, ONE, 4), MASK)),)),
    ("a number of a lane must be int64, found float64", (lanes(declared(LaneRange(ONE, HALF, 4), MASK)),)),
    # Masks.
    ("a mask must be boolx4, found float64x4", (vector(), lanes(store(VectorLoad(X, ZERO, 4, V))))),
    ("a mask must be boolx4, found int32x4", (lanes(AT_0, store(Gather(X, AT, AT))),)),
    ("a mask must be boolx4, found bool", (lanes(store(Keep(X4, Const(True, BOOL)))),)),
    ("a mask that is used has a name", (lanes(store(Keep(X4, LaneRange(ZERO, ONE, 4)))),)),
    (NO_MASK, (lanes(declared(Broadcast(Const(True, BOOL), 4), MASK)),)),
    ("'&&' joins comparisons of vectors, not masks that have a name or are a range",
     (lanes(AT_0, KEPT_0, declared(binary("&&", LESS, KEPT, MASK), MASK)),)),
    # Operators.
    ("'<' does not compare float64x4: vectors of int32 only", (lanes(declared(binary("<", X4, X4, MASK), MASK)),)),
    ("'<' gives boolx4, but the node says bool", (lanes(AT_0, declared(binary("<", AT, AT, BOOL), BOOL)),)),
    ("'/' does not take int32x4", (lanes(AT_0, declared(binary("/", AT, AT, INDICES), INDICES)),)),
    ("'//' does not take int32x4", (lanes(AT_0, declared(binary("//", AT, AT, INDICES), INDICES)),)),
    ("'max' does not take float64x4", (lanes(store(binary("max", X4, X4))),)),
    ("'||' does not take boolx4", (lanes(AT_0, declared(binary("||", LESS, LESS, MASK), MASK)),)),
    ("'+' does not take boolx4", (lanes(AT_0, declared(binary("+", LESS, LESS, MASK), MASK)),)),
    ("the operand of '!' must be bool, found boolx4", (lanes(KEPT_0, declared(Unary("!", KEPT, MASK), MASK)),)),
    ("a cast of float64x4", (lanes(declared(Cast(X4, INDEX), INDEX)),)),
    ("there is no vector of a Select", (lanes(store(Select(Const(True, BOOL), X4, X4, VECTOR))),)),
    # Sums of lanes.
    (NO_SUM, (SUM, vector(6), Assign("s", LaneSum(Var("v", "float64x6")), COMPUTE, "+"))),
    (NO_SUM, (SUM, Assign("s", LaneSum(X4), COMPUTE, "+"))),
    (NO_SUM, (SUM, Assign("s", LaneSum(Var("s", "float64")), COMPUTE, "+"))),
    ("'v' is not declared", (SUM, Assign("s", LaneSum(V), COMPUTE, "+"))),
    ("the lanes of float64x4 are added to float32",
     (vector(), Declare("s", "float32", Const(0.0, "float32"), COMPUTE, mutable=True),
      Assign("s", LaneSum(V), COMPUTE, "+"))),
    ("the lanes of float64x8 are added to float64", (SUM, vector(8), Assign("s", LaneSum(V), COMPUTE, "+"))),
    ("the sum of lanes is added to a scalar, and nothing else", (SUM, vector(), Assign("s", LaneSum(V), COMPUTE))),
    ("the sum of lanes is added to a scalar, and nothing else", (vector(), Store(Y, ZERO, LaneSum(V), COMPUTE))),
    ("the scalar 's' is assigned among lanes", (SUM, vector(), lanes(Assign("s", LaneSum(V), COMPUTE, "+")))),
    # Steps.
    ("a parallel loop, or one without an end, in steps of 8",
     (For("i", ZERO, ONE, block(), COMPUTE, LoopKind.CPU_THREAD, step=8),)),
    ("a parallel loop, or one without an end, in steps of 0", (For("i", ZERO, ONE, block(), COMPUTE, step=0),)),
]  # fmt: skip


@pytest.mark.parametrize(("message", "body"), BROKEN, ids=[f"{n} {one[0][:50]}" for n, one in enumerate(BROKEN)])
def test_broken_rules(message: str, body: tuple[Stmt, ...]) -> None:
    with pytest.raises(InternalError) as caught:
        verify(function(*body))
    assert str(caught.value).startswith(f"invalid loop IR: {message}, in `")


def test_lanes_inside_of_a_loop_inside_of_lanes_are_refused_as_well() -> None:
    inner = For("i", ZERO, ONE, block(lanes(store(same()))), COMPUTE)
    with pytest.raises(InternalError, match="lanes do not take `for i in"):
        verify(function(lanes(inner)))
