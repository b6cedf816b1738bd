"""GPU kernels written by hand: what lowering makes of a schedule has this form."""

from __future__ import annotations

from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    Allocate,
    Array,
    ArrayRole,
    Assign,
    Barrier,
    Binary,
    Block,
    Combine,
    CombineRuns,
    Const,
    Declare,
    Expr,
    For,
    Function,
    GroupScope,
    If,
    Load,
    LoopKind,
    MemorySpace,
    Parameter,
    ParameterKind,
    Single,
    Stmt,
    Store,
    Var,
)
from heddle.origin import Origin, Role

HERE = Origin(Role.COMPUTE)
ZERO, ONE_BLOCK, N = Const(0), Const(1), Var("n")
X = Array("x", "float64", ArrayRole.VALS, "x")
KEYS = Array("keys", "int32", ArrayRole.CRD, "x", 1)
Y = Array("y", "float64", ArrayRole.VALS, "y")
S = Array("s", "float64", ArrayRole.WORKSPACE)
SUM = Var("sum", "float64")
WARP, BLOCK = GroupScope.WARP, GroupScope.BLOCK


def kernel(*body: Stmt) -> Function:
    parameters = (
        Parameter(ParameterKind.DIMENSION, "n", INDEX, "x", None, 0),
        Parameter(ParameterKind.ARRAY, "y", Y.dtype, "y", Y, None, True),
        Parameter(ParameterKind.ARRAY, "x", X.dtype, "x", X),
        Parameter(ParameterKind.ARRAY, "keys", KEYS.dtype, "x", KEYS),
    )
    return Function("kernel", parameters, Block(body))


def block(*body: Stmt) -> Block:
    return Block(body)


def blocks(*body: Stmt, count: Expr = ONE_BLOCK) -> For:
    return For("b", ZERO, count, Block(body), HERE, LoopKind.GPU_BLOCK)


def warps(count: int, *body: Stmt) -> For:
    return For("w", ZERO, Const(count), Block(body), HERE, LoopKind.GPU_WARP)


def threads(count: int, *body: Stmt, variable: str = "t") -> For:
    return For(variable, ZERO, Const(count), Block(body), HERE, LoopKind.GPU_THREAD)


def add(left: Expr, right: Expr) -> Expr:
    return Binary("+", left, right)


def times(left: Expr, right: Expr) -> Expr:
    return Binary("*", left, right)


def shared(size: int, space: MemorySpace = MemorySpace.SHARED) -> Allocate:
    return Allocate(S, Const(size), HERE, space=space)


def one(scope: GroupScope, *body: Stmt) -> Single:
    return Single(scope, Block(body), HERE)


def sum_of_zero() -> Declare:
    return Declare("sum", "float64", Const(0.0, "float64"), HERE, mutable=True)


def below(bound: Expr, index: Expr, *body: Stmt) -> If:
    return If(Binary("<", index, bound, BOOL), Block(body), HERE)


def vector_sums(warp_count: int = 2) -> Function:
    """Each block adds up 32 elements per warp and stores the sum of its warps: y[b] = Σ x[64 b … 64 b + 64)."""
    at = add(times(add(times(Var("b"), Const(warp_count)), Var("w")), Const(32)), Var("t"))
    total = Assign("sum", Load(X, Var("at")), HERE, "+")
    body = threads(32, Declare("at", INDEX, at, HERE), below(N, Var("at"), total))
    count = Binary("//", add(N, Const(32 * warp_count - 1)), Const(32 * warp_count))
    return kernel(
        blocks(
            sum_of_zero(),
            warps(warp_count, body),
            Combine("sum", "+", BLOCK, HERE),
            one(BLOCK, Store(Y, Var("b"), SUM, HERE)),
            count=count,
        )
    )


def warp_sums() -> Function:
    """Each warp adds up its 32 elements: y[2 b + w]."""
    row = add(times(Var("b"), Const(2)), Var("w"))
    at = add(times(row, Const(32)), Var("t"))
    body = threads(
        32, Declare("at", INDEX, at, HERE), below(N, Var("at"), Assign("sum", Load(X, Var("at")), HERE, "+"))
    )
    return kernel(
        blocks(
            warps(2, sum_of_zero(), body, Combine("sum", "+", WARP, HERE), one(WARP, Store(Y, row, SUM, HERE))),
            count=Binary("//", add(N, Const(63)), Const(64)),
        )
    )


def reversed_in_shared(barrier: bool = True) -> Function:
    """y[b] of 8 elements per block, reversed through shared memory."""
    first = times(Var("b"), Const(8))
    write = threads(8, Store(S, Var("t"), Load(X, add(first, Var("t"))), HERE))
    read = Load(S, Binary("-", Const(7), Var("u")))
    between = (Barrier(BLOCK, HERE),) if barrier else ()
    copy = threads(8, Store(Y, add(first, Var("u")), read, HERE), variable="u")
    return kernel(blocks(shared(8), write, *between, copy, count=Binary("//", N, Const(8))))


def narrow_in_shared(dtype: str, in_warps: bool) -> Function:
    """Atomic updates of three elements, narrower than a word, that a block shares, or each of three warps."""
    narrow = Array("s", dtype, ArrayRole.WORKSPACE)
    allocate = Allocate(narrow, Const(3), HERE, space=MemorySpace.SHARED)
    element = Binary("%", Var("t"), Const(3))
    operator = "||" if dtype == BOOL else "max"
    write = threads(32, Store(narrow, element, Const(dtype == BOOL or 1, dtype), HERE, operator, True))
    positive = If(
        Load(narrow, Const(2)) if dtype == BOOL else Binary(">", Load(narrow, Const(2)), Const(0, dtype), BOOL),
        Block((Store(Y, ZERO, Const(1.0, "float64"), HERE),)),
        HERE,
    )
    if in_warps:
        return kernel(blocks(warps(3, allocate, write, one(WARP, positive))))
    return kernel(blocks(allocate, write, Barrier(BLOCK, HERE), one(BLOCK, positive)))


def sums_by_key() -> Function:
    """y[keys[p]] += x[p], first over neighbouring lanes with the same key, then by one atomic update for each run."""
    key = Declare("key", INDEX, Const(-1), HERE, mutable=True)
    at = Declare("at", INDEX, add(times(Var("b"), Const(32)), Var("t")), HERE)
    take = below(
        N,
        Var("at"),
        Assign("key", Load(KEYS, Var("at")), HERE),
        Assign("sum", Load(X, Var("at")), HERE),
    )
    give = If(
        Binary("&&", Var("head", BOOL), Binary(">=", Var("key"), ZERO, BOOL), BOOL),
        Block((Store(Y, Var("key"), SUM, HERE, "+", True),)),
        HERE,
    )
    return kernel(
        blocks(
            warps(
                1,
                sum_of_zero(),
                key,
                threads(32, at, take),
                CombineRuns("sum", "key", "head", "+", HERE),
                threads(32, give, variable="u"),
            ),
            count=Binary("//", add(N, Const(31)), Const(32)),
        )
    )


def register_array() -> Function:
    """y[t] = x[t] + x[t + 1], through an array of each thread."""
    fill = For("k", ZERO, Const(2), Store(S, Var("k"), Load(X, add(Var("t"), Var("k"))), HERE), HERE)
    total = Binary("+", Load(S, ZERO), Load(S, Const(1)), "float64")
    body = threads(4, shared(2, MemorySpace.REGISTER), fill, Store(Y, Var("t"), total, HERE))
    return kernel(blocks(body))
