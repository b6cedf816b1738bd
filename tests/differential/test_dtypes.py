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
