"""Small kernels for the checked interpreter, and the fault that each ends in."""

from __future__ import annotations

import numpy as np
import pytest

from heddle.loop_ir.interpreter.faults import Fault
from heddle.loop_ir.interpreter.interpreter import interpret
from heddle.loop_ir.nodes import INDEX, Const, Declare, Expr, For, Function, LoopKind, Reduction, Stmt
from tests.compiler.loop_ir import kernels
from tests.compiler.loop_ir.kernels import COMPUTE, ZERO, block

X, Y, C = kernels.vals("x"), kernels.vals("y"), kernels.crd("x", 1)
RESULT = kernels.crd("y", 1)
W = kernels.workspace("w")
ONE_HALF = Const(0.5, "float64")
SUM = Declare("s", "float64", ONE_HALF, COMPUTE, mutable=True)
THREADS = LoopKind.CPU_THREAD
LARGEST = Const(2**63 - 1)


def run(*body: Stmt, step_limit: int = 1000) -> None:
    """Five elements everywhere; ``x1_crd`` holds 0, 2, 1, 3, 4."""
    parameters = (kernels.output(Y), kernels.output(RESULT), kernels.operand(C), kernels.operand(X))
    arguments = {
        "y_vals": np.zeros(5),
        "y1_crd": np.zeros(5, np.int32),
        "x1_crd": np.array([0, 2, 1, 3, 4], np.int32),
        "x_vals": np.arange(5.0),
    }
    interpret(Function("kernel", parameters, block(*body)), arguments, step_limit=step_limit)


def fault(kind: type[Fault], *body: Stmt) -> str:
    with pytest.raises(Fault) as caught:
        run(*body)
    assert type(caught.value) is kind
    return str(caught.value)


def value(expression: Expr, dtype: str = INDEX) -> Declare:
    return Declare("value", dtype, expression, COMPUTE)


def loop(*body: Stmt, variable: str = "i", size: int = 3, kind: LoopKind = THREADS, **reductions: str) -> For:
    combined = tuple(Reduction(name, operator) for name, operator in reductions.items())
    return For(variable, ZERO, Const(size), block(*body), COMPUTE, kind, reductions=combined)
