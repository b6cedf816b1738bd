"""Random expressions: the generated C evaluates them as the interpreter does."""

from __future__ import annotations

import random

import numpy as np
import pytest

from heddle.loop_ir.interpreter.faults import IntegerFault
from heddle.loop_ir.interpreter.interpreter import interpret
from heddle.loop_ir.nodes import (
    BOOL,
    INDEX,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Function,
    Load,
    Parameter,
    ParameterKind,
    Select,
    Store,
    Unary,
    Var,
)
from heddle.loop_ir.passes.fold import fold
from tests.compiler.codegen.native import call
from tests.compiler.loop_ir import kernels
from tests.compiler.loop_ir.kernels import COMPUTE, ONE, ZERO, block

CRD = kernels.crd("x", 1)
PARAMETERS = (
    *(Parameter(ParameterKind.DIMENSION, name, INDEX, "y", dimension=0) for name in ("n", "m")),
    kernels.operand(CRD),
)
INPUTS = {"n": 7, "m": 3, "x1_crd": np.array([2**31 - 1, -5], np.int32)}
# Random arithmetic draws warnings that no real kernel does.
QUIET = ("-w",)


def leaf(draw: random.Random, dtype: str) -> Expr:
    if dtype == INDEX:
        options = (Var("n"), Var("m"), Load(CRD, ZERO), Load(CRD, ONE), Const(draw.randint(-3, 9)))
        return draw.choice(options)
    if dtype == BOOL:
        return Const(draw.random() < 0.5, BOOL)
    if dtype.startswith(("int", "uint")):
        return Cast(leaf(draw, INDEX), dtype)
    return Const(draw.choice([0.0, 1.0, -2.5, 0.1, float("inf"), float("nan")]), dtype)


def expression(draw: random.Random, depth: int, dtype: str) -> Expr:
    """A random expression of ``dtype`` with at most ``depth`` operators on the way to a leaf."""
    if depth == 0:
        return leaf(draw, dtype)

    def inner(kind: str = dtype) -> Expr:
        return expression(draw, draw.randrange(depth), kind)

    if draw.random() < 0.15:
        return Select(inner(BOOL), inner(), inner(), dtype)
    if dtype == BOOL:
        kind = draw.choice(OPERAND_DTYPES)
        if draw.random() < 0.6:
            return Binary(draw.choice(["<", "<=", "==", "!=", ">", ">="]), inner(kind), inner(kind), BOOL)
        if draw.random() < 0.3:
            return Unary("!", inner(), BOOL)
        return Binary(draw.choice(["&&", "||", "==", "!=", "+", "*", "min", "max"]), inner(), inner(), BOOL)
    if draw.random() < 0.15:
        return Cast(inner(draw.choice([*OPERAND_DTYPES, BOOL])), dtype)
    if draw.random() < 0.15:
        return Call("abs", (inner(),), dtype)
    if draw.random() < 0.15 and not dtype.startswith("u"):
        return Unary("-", inner(), dtype)
    operators = ["+", "-", "*", "/", "min", "max"]
    if dtype.startswith(("int", "uint")):
        operators += ["//", "%"]
    return Binary(draw.choice(operators), inner(), inner(), dtype)


OPERAND_DTYPES = [INDEX, "int8", "uint8", "int32", "uint32", "uint64", "float32", "float64"]


@pytest.mark.combinations(4, "dtype", "folded")
@pytest.mark.parametrize("folded", [False, True], ids=["as is", "folded"])
@pytest.mark.parametrize("dtype", [*OPERAND_DTYPES, BOOL])
def test_c_evaluates_as_the_interpreter_does(dtype: str, folded: bool) -> None:
    """150 expressions in one kernel; those with a fault, which C leaves undefined, are left out."""
    draw = random.Random(f"{dtype} 1")
    y = kernels.vals("y", dtype)
    stores, expected = [], []
    while len(stores) < 150:
        candidate = expression(draw, 5, dtype)
        result = np.zeros(1, dtype)
        one = Function("kernel", (*PARAMETERS, kernels.output(y)), block(Store(y, ZERO, candidate, COMPUTE)))
        try:
            interpret(one, {**INPUTS, "y_vals": result})
        except IntegerFault:
            continue
        stores.append(Store(y, Const(len(stores)), fold(candidate) if folded else candidate, COMPUTE))
        expected.append(result[0])
    results = np.zeros(len(stores), dtype)
    function = Function("kernel", (*PARAMETERS, kernels.output(y)), block(*stores))
    call(function, {**INPUTS, "y_vals": results}, *QUIET)
    np.testing.assert_array_equal(results, np.array(expected, dtype))
