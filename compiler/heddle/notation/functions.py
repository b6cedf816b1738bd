"""The functions and comparisons of the language, in one table for the parser, the passes, the printers and the docs.

What is algebra (which operand decides alone, which one leaves the other unchanged) is in
``iteration_graph/algebra/constants.py``; that ``f(0) = 0`` keeps a loop sparse is not declared anywhere but computed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from heddle.notation.nodes import Binary, Call, Expression, Literal, Unary

Definition = Callable[..., Expression]


@dataclass(frozen=True, slots=True)
class FunctionSpec:
    """A pure function of ``arguments`` values that are brought to one dtype.

    ``kinds``: NumPy's letters of the dtypes that it takes; integers become float64 where it takes floats alone.
    ``result``: ``same`` dtype as the arguments, or ``real`` (the real part's dtype of a complex argument).
    ``evaluate``: its meaning in NumPy. ``c``: its name in C, CUDA and OpenCL for reals (complex: ``c`` in front);
    empty for what is an operator of loop IR (``min``, ``max``) or has a ``definition`` in simpler terms.
    """

    name: str
    arguments: int
    kinds: str
    evaluate: Callable[..., Any]
    summary: str
    c: str = ""
    result: str = "same"
    definition: Definition | None = None


def _relu(x: Expression) -> Expression:
    return Call("max", (x, Literal(0)))


def _sigmoid(x: Expression) -> Expression:
    return Binary("/", Literal(1), Binary("+", Literal(1), Call("exp", (Unary("-", x),))))


def _square(x: Expression) -> Expression:
    return Binary("*", x, x)


def _numpy_sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


FUNCTIONS: dict[str, FunctionSpec] = {
    spec.name: spec
    for spec in (
        FunctionSpec("abs", 1, "biufc", np.abs, "magnitude", "fabs", "real"),
        FunctionSpec("sqrt", 1, "fc", np.sqrt, "square root", "sqrt"),
        FunctionSpec("exp", 1, "fc", np.exp, "exponential; exp(0) = 1, so it visits every coordinate", "exp"),
        FunctionSpec("expm1", 1, "f", np.expm1, "exp(x) - 1; keeps what is sparse", "expm1"),
        FunctionSpec("log", 1, "fc", np.log, "natural logarithm", "log"),
        FunctionSpec("log1p", 1, "f", np.log1p, "log(1 + x); keeps what is sparse", "log1p"),
        FunctionSpec("sin", 1, "fc", np.sin, "sine", "sin"),
        FunctionSpec("cos", 1, "fc", np.cos, "cosine", "cos"),
        FunctionSpec("tan", 1, "fc", np.tan, "tangent", "tan"),
        FunctionSpec("tanh", 1, "fc", np.tanh, "hyperbolic tangent", "tanh"),
        FunctionSpec("floor", 1, "f", np.floor, "largest integer below", "floor"),
        FunctionSpec("ceil", 1, "f", np.ceil, "smallest integer above", "ceil"),
        FunctionSpec("pow", 2, "fc", np.power, "x to the power y", "pow"),
        FunctionSpec("square", 1, "biufc", np.square, "x * x", definition=_square),
        FunctionSpec("min", 2, "biuf", np.minimum, "the smaller of two; NaN where one is NaN"),
        FunctionSpec("max", 2, "biuf", np.maximum, "the larger of two; NaN where one is NaN"),
        FunctionSpec("relu", 1, "iuf", lambda x: np.maximum(x, x.dtype.type(0)), "max(x, 0)", definition=_relu),
        FunctionSpec("sigmoid", 1, "f", _numpy_sigmoid, "1 / (1 + exp(-x))", definition=_sigmoid),
    )
}

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}
"""Infix, binding less tightly than ``+``; each gives a bool."""

REDUCTIONS: dict[str, str] = {"sum": "+", "prod": "*", "min": "min", "max": "max", "any": "||", "all": "&&"}
"""``sum(j, …)``: the operator of loop IR that combines the values for all j. ``min`` and ``max`` of an index variable
that the second argument uses are reductions, else functions of two values."""

ASSIGNMENTS: dict[str, str] = {"+=": "+", "*=": "*", "min=": "min", "max=": "max", "|=": "||", "&=": "&&"}
"""Combine with what the result holds already; variables missing on the left are reduced by the same operator."""

REDUCING: dict[str, str] = {operator: text for text, operator in ASSIGNMENTS.items()}
"""The assignment operator of each reduction."""

NAMES = frozenset({*FUNCTIONS, *REDUCTIONS, "complex"})
