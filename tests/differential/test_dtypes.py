"""Every dtype that a Plan may name computes what the oracle says, and keeps its type."""

from __future__ import annotations

import numpy as np
import pytest

import compiler as hd
from compiler.notation.nodes import accesses
from compiler.notation.parser import parse
from compiler.plan import DTYPES
from tests.differential.check import TARGETS
from tests.differential.operands import operand_sets
from tests.differential.oracle import evaluate

EXPRESSIONS = [
    ("y(i) = A(i,j) * x(j)", {"A": "csr", "x": "sparse"}),
    ("C(i,j) = A(i,j) - B(i,j)", {"A": "csr", "B": "dcsr"}),
    ("y(i) = -x(i) * 2 - 1", {"x": "sparse"}),
]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("expression", "formats"), EXPRESSIONS, ids=[expression for expression, _ in EXPRESSIONS])
def test_dtypes(expression: str, formats: dict[str, str], dtype: str, target: str) -> None:
    assignment = parse(expression)
    operands = next(operand_sets(assignment)).arrays
    names = {access.tensor for access in accesses(assignment.expression)}
    kernel = hd.compile(expression, formats, "", target, dtypes=dict.fromkeys(names, dtype))
    typed = {name: array.astype(dtype) for name, array in operands.items()}
    if dtype.startswith("complex"):
        typed = {name: array * (1 + 2j) for name, array in typed.items()}
        typed = {name: array.astype(dtype) for name, array in typed.items()}
    found = kernel(**typed).to_numpy()
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, evaluate(assignment, typed))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("expression", "dtypes", "dtype"),
    [
        ("y(i) = x(i) * 2.5", {"x": "int64"}, "float64"),
        ("y(i) = x(i) / z(i)", {"x": "int64", "z": "int64"}, "float64"),
        ("y(i) = x(i) * 2", {"x": "int32"}, "int32"),
        ("y(i) = x(i) * z(i)", {"x": "int32", "z": "float32"}, "float64"),
        ("y(i) = x(i) * z(i)", {"x": "float32", "z": "float64"}, "float64"),
        ("y(i) = x(i) + z(i)", {"x": "float32", "z": "complex64"}, "complex64"),
    ],
)
def test_the_result_holds_what_the_expression_computes(
    expression: str, dtypes: dict[str, str], dtype: str, target: str
) -> None:
    values = {"x": np.array([3, -1, 5, 2]), "z": np.array([2, 4, -1, 8])}
    operands = {name: values[name].astype(dtypes[name]) for name in dtypes}
    found = hd.compile(expression, {}, "", target, dtypes=dtypes)(**operands).to_numpy()
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, evaluate(parse(expression), operands))
