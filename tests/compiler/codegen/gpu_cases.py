"""Functions of loop IR for the GPU that are made for one reduction each: atomic updates, and combinations."""

from __future__ import annotations

import numpy as np

from compiler.loop_ir.dtypes import FLOATS, INTEGERS, reduction_identity
from compiler.loop_ir.nodes import (
    BOOL,
    INDEX,
    Allocate,
    Array,
    ArrayRole,
    Assign,
    Barrier,
    Block,
    Combine,
    CombineRuns,
    Const,
    Declare,
    For,
    Function,
    GroupScope,
    If,
    Load,
    MemorySpace,
    Parameter,
    ParameterKind,
    Stmt,
    Store,
    Var,
)
from tests.compiler.loop_ir.gpu_kernels import HERE, N, add, below, blocks, one, threads, times, warps

REDUCTIONS = [
    (operator, dtype)
    for dtype in sorted(INTEGERS | FLOATS | {BOOL})
    for operator in (("&&", "||") if dtype == BOOL else ("+", "*", "min", "max"))
]
COUNT = 203  # no multiple of a block


def values(operator: str, dtype: str) -> np.ndarray:
    """Values whose reduction is exact in any order and whose products stay within a signed byte."""
    generator = np.random.default_rng(3)
    if operator == "*":
        factors = np.ones(COUNT)
        factors[[5, 40, 41, 100]] = 2
        return factors.astype(dtype)
    if dtype == BOOL:
        return generator.random(COUNT) < (0.02 if operator == "||" else 0.98)
    top = 1 if dtype in ("int8", "uint8") else 50
    return generator.integers(0 if dtype.startswith("u") else -top, top, COUNT, endpoint=True).astype(dtype)


def reduced(operator: str, data: np.ndarray) -> object:
    function = {"+": np.add, "*": np.multiply, "min": np.minimum, "max": np.maximum, "&&": np.logical_and}
    return function.get(operator, np.logical_or).reduce(data, dtype=data.dtype)


def _kernel(dtype: str, *body: Stmt) -> Function:
    x, y = _array("x", dtype), _array("y", dtype)
    keys = Array("keys", "int32", ArrayRole.CRD, "x", 1)
    parameters = (
        Parameter(ParameterKind.DIMENSION, "n", INDEX, "x", None, 0),
        Parameter(ParameterKind.ARRAY, "y", dtype, "y", y, None, True),
        Parameter(ParameterKind.ARRAY, "x", dtype, "x", x),
        Parameter(ParameterKind.ARRAY, "keys", "int32", "x", keys),
    )
    return Function("kernel", parameters, Block(body))


def _array(name: str, dtype: str) -> Array:
    return Array(name, dtype, ArrayRole.VALS, name)


def neutral(operator: str, dtype: str) -> Const:
    return Const(reduction_identity(operator, dtype), dtype)


def atomic(operator: str, dtype: str, space: MemorySpace = MemorySpace.GLOBAL) -> Function:
    """y[3] combines all of x; through shared memory, each block first combines its own."""
    at = Declare("at", INDEX, add(times(Var("b"), Const(64)), Var("t")), HERE)
    x, y = _array("x", dtype), _array("y", dtype)
    count = Const(-(-COUNT // 64))
    if space is MemorySpace.GLOBAL:
        update = Store(y, Const(3), Load(x, Var("at")), HERE, operator, True)
        return _kernel(dtype, blocks(threads(64, at, below(N, Var("at"), update)), count=count))
    part = Array("part", dtype, ArrayRole.WORKSPACE)
    update = Store(part, Const(1), Load(x, Var("at")), HERE, operator, True)
    give = Store(y, Const(3), Load(part, Const(1)), HERE, operator, True)
    return _kernel(
        dtype,
        blocks(
            Allocate(part, Const(3), HERE, space=space),
            one(GroupScope.BLOCK, Store(part, Const(1), neutral(operator, dtype), HERE)),
            Barrier(GroupScope.BLOCK, HERE),
            threads(64, at, below(N, Var("at"), update)),
            Barrier(GroupScope.BLOCK, HERE),
            one(GroupScope.BLOCK, give),
            count=count,
        ),
    )


def combined(operator: str, dtype: str, scope: GroupScope) -> Function:
    """y[b] combines what block b (or, with warps, y[2 b + w] what warp w of it) reads of x. A block of 60 threads or
    two warps."""
    x, y = _array("x", dtype), _array("y", dtype)
    name = Var("total", dtype)
    start = Declare("total", dtype, neutral(operator, dtype), HERE, mutable=True)
    take = Assign("total", Load(x, Var("at")), HERE)
    combine = Combine("total", operator, scope, HERE)
    if scope is GroupScope.BLOCK:
        at = Declare("at", INDEX, add(times(Var("b"), Const(60)), Var("t")), HERE)
        body = threads(60, at, below(N, Var("at"), take))
        give = one(scope, Store(y, Var("b"), name, HERE))
        return _kernel(dtype, blocks(start, body, combine, give, count=Const(-(-COUNT // 60))))
    row = add(times(Var("b"), Const(2)), Var("w"))
    at = Declare("at", INDEX, add(times(row, Const(32)), Var("t")), HERE)
    body = threads(32, at, below(N, Var("at"), take))
    give = one(scope, Store(y, row, name, HERE))
    return _kernel(dtype, blocks(warps(2, start, body, combine, give), count=Const(-(-COUNT // 64))))


def combined_runs(operator: str, dtype: str) -> Function:
    """y[keys[p]] combines x[p] of neighbours with equal keys; each run of a warp gives its share atomically."""
    x, y = _array("x", dtype), _array("y", dtype)
    row = add(times(Var("b"), Const(2)), Var("w"))
    at = Declare("at", INDEX, add(times(row, Const(32)), Var("t")), HERE)
    key = Array("keys", "int32", ArrayRole.CRD, "x", 1)
    take = (Assign("key", Load(key, Var("at")), HERE), Assign("total", Load(x, Var("at")), HERE))
    give = Store(y, Var("key"), Var("total", dtype), HERE, operator, True)
    last = If(Var("head", BOOL), Block((below(Const(99), Var("key"), give),)), HERE)
    return _kernel(
        dtype,
        blocks(
            warps(
                2,
                Declare("total", dtype, neutral(operator, dtype), HERE, mutable=True),
                Declare("key", INDEX, Const(99), HERE, mutable=True),
                threads(32, at, below(N, Var("at"), *take)),
                CombineRuns("total", "key", "head", operator, HERE),
                threads(32, last, variable="u"),
            ),
            count=Const(-(-COUNT // 64)),
        ),
    )


def uneven_warps() -> Function:
    """Warp w of block b combines w + b + 1 times: warps of one block go different ways."""
    y = _array("y", "float64")
    row = add(times(Var("b"), Const(2)), Var("w"))
    turn = (
        Declare("total", "float64", Const(1.0, "float64"), HERE, mutable=True),
        Combine("total", "+", GroupScope.WARP, HERE),
        one(GroupScope.WARP, Store(y, row, Var("total", "float64"), HERE, "+")),
    )
    loop = For("k", Const(0), add(add(Var("w"), Var("b")), Const(1)), Block(turn), HERE)
    lanes = threads(32, Declare("unused", INDEX, Var("t"), HERE))
    clear = one(GroupScope.WARP, Store(y, row, Const(0.0, "float64"), HERE))
    return _kernel("float64", blocks(warps(2, clear, loop, lanes), count=Const(3)))
