"""The lines of C that statements and expressions of loop IR become."""

from __future__ import annotations

from heddle.codegen.c.printer import generate
from heddle.loop_ir.nodes import (
    INDEX,
    Binary,
    Const,
    Declare,
    Expr,
    Function,
    Parameter,
    ParameterKind,
    Require,
    Stmt,
    Var,
)
from heddle.loop_ir.verification.verify import verify
from tests.compiler.codegen.native import build
from tests.compiler.loop_ir import kernels
from tests.compiler.loop_ir.kernels import COMPUTE, block

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
