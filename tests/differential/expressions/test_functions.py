"""Functions, comparisons and explicit reductions, dense and sparse: what is not stored takes part, too."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.notation.evaluation import evaluate
from heddle.notation.functions import FUNCTIONS
from heddle.notation.nodes import accesses
from heddle.notation.parser import parse
from tests.differential.check import TARGETS
from tests.differential.operands import operand_sets

EXPRESSIONS = [
    *(f"C(i,j) = {name}({', '.join(['A(i,j)', 'B(i,j)'][: spec.arguments])})" for name, spec in FUNCTIONS.items()),
    "y(i) = sqrt(abs(A(i,j) * x(j)))",
    "y(i) = sqrt(sum(j, A(i,j) * A(i,j)))",
    "y(i) = max(j, A(i,j) * x(j))",
    "y(i) = min(j, A(i,j))",
    "y(i) = prod(j, A(i,j) + 2)",
    "y = prod(i, sum(j, A(i,j)))",
    "y(i) = any(j, A(i,j) > x(j))",
    "y(i) = all(j, A(i,j) * x(j))",
    "y(i) = sum(j, A(i,j)) / max(j, abs(B(i,j)) + 1)",
    "y(i) = sum(j, A(i,j)) * B(i,j)",
    "y(j) = sum(j, x(j)) * z(j)",
    "C(i,j) = A(i,j) / sum(j, B(i,j) + 1)",
    "C(i,j) = A(i,j) > B(i,j)",
    "C(i,j) = (A(i,j) != 0) * (B(i,j) <= 1)",
    "C(i,j) = relu(A(i,j) - 1) + max(A(i,j), B(i,j))",
    "C(i,j) = min(A(i,j), 0) * exp(B(i,j))",
    "C(i,j) = A(i,j) / B(i,j)",
    "y(i) = x(i) / A(i,j)",
    "C(i,j) = sqrt(abs(A(i,j))) * B(i,j) - 1",
    "y(i) = sum(j, max(k, A(i,j) * T(j,k)))",
    "C(i,j) = exp(A(i,j) * B(i,j)) - 1",
]
FORMATS = [{}, {"A": "csr"}, {"A": "dcsr", "B": "csr"}, {"A": "csr", "B": "dcsr", "x": "sparse", "T": "csr"}]


@pytest.mark.combinations(2)
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_functions(expression: str) -> None:
    assignment = parse(expression)
    names = {access.tensor for access in accesses(assignment.expression)}
    for formats in FORMATS:
        used = {name: text for name, text in formats.items() if name in names}
        if formats and used in [
            {n: f for n, f in one.items() if n in names} for one in FORMATS[: FORMATS.index(formats)]
        ]:
            continue
        for target in TARGETS if formats in (FORMATS[0], FORMATS[-1]) else TARGETS[:1]:
            kernel = hd.compile(expression, used, "", target)
            for operands in operand_sets(assignment):
                arrays = {name: operands.arrays[name] for name in names}
                if divided(expression):
                    arrays = {name: np.abs(array) for name, array in arrays.items()}
                found = kernel(**arrays).to_numpy()
                expected = evaluate(assignment, arrays, operands.sizes)
                assert found.dtype == expected.dtype
                np.testing.assert_allclose(found, expected, 1e-12, 1e-14, err_msg=f"{used} {target} {operands.label}")


def divided(expression: str) -> bool:
    """Logarithms and roots of negative numbers are NaN on both sides; their signs are of no interest."""
    return "log" in expression or "pow" in expression


@pytest.mark.combinations(4, "name", "schedule")
@pytest.mark.parametrize(
    "schedule", ["", "parallelize(i, CPUThread, NoRaces)", "split(j, j0, j1, 4)\nparallelize(i, CPUThread, NoRaces)"]
)
@pytest.mark.parametrize("name", ["sum", "prod", "min", "max", "any", "all"])
def test_reductions_under_schedules(name: str, schedule: str) -> None:
    expression = f"y(i) = {name}(j, A(i,j) * x(j))"
    assignment = parse(expression)
    for target in TARGETS:
        kernel = hd.compile(expression, {"A": "csr"}, schedule, target)
        for operands in operand_sets(assignment):
            expected = evaluate(assignment, operands.arrays, operands.sizes)
            np.testing.assert_array_equal(kernel(**operands.arrays).to_numpy(), expected, err_msg=operands.label)


@pytest.mark.combinations(4, "name", "race", "dtype")
@pytest.mark.parametrize("name", ["sum", "prod", "min", "max", "any", "all"])
@pytest.mark.parametrize("race", ["Atomics", "ParallelReduction"])
@pytest.mark.parametrize("dtype", ["float64", "int32", "uint8"])
def test_workers_that_reduce_into_one_place(name: str, race: str, dtype: str) -> None:
    expression = f"y = {name}(i, x(i) + 1)"
    assignment = parse(expression)
    for target in TARGETS:
        kernel = hd.compile(expression, {}, f"parallelize(i, CPUThread, {race})", target, {"x": dtype})
        for values in ([1, 0, 2, 1, 1, 0], [], [3]):
            arrays = {"x": np.array(values, dtype=dtype)}
            np.testing.assert_array_equal(kernel(**arrays).to_numpy(), evaluate(assignment, arrays))
