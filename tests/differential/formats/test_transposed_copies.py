"""Transposed copies of sparse tensors: rows are counted, and entries are scattered into them in order."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from heddle.pipeline import lower
from heddle.plan import plan_from_arguments
from tests.differential.check import TARGETS, check

SCATTERED = [
    ("B(j,i) = A(i,j)", {"A": "csr", "B": "csr"}),
    ("B(j,i) = 2 * A(i,j)", {"A": "csr", "B": "csr"}),
    ("B(j,i) = A(i,j)", {"A": "csc", "B": "csc"}),
    ("B(j,i) = A(i,j)", {"A": "dcsr", "B": "csr"}),
    ("B(j,i) = A(i,j)", {"A": "coo", "B": "csr"}),
    ("B(i,j) = A(i,j)", {"A": "csr", "B": "csc"}),
    ("B(j,i) = A(i,j)", {"A": "ell", "B": "csr"}),
    ("B(j,i) = A(i,j) * x(j)", {"A": "csr", "B": "csr"}),
    ("B(j,i) = A(i,j) + C(i,j)", {"A": "csr", "B": "csr", "C": "csr"}),
    ("B(j,i) = A(i,j) * C(i,j)", {"A": "csr", "B": "csr", "C": "dcsr"}),
    ("B(k,i,j) = T(i,j,k)", {"T": "csf", "B": "dense,compressed(nonunique),singleton"}),
    ("B(j,k,i) = T(i,j,k)", {"T": "csf", "B": "dense,dense,compressed"}),
]
GATHERED = [
    ("B(j,i) = A(i,j)", {"A": "csr", "B": "dcsr"}),
    ("B(j,i) = A(i,j)", {"A": "csr", "B": "coo"}),
    ("B(k,i,j) = T(i,j,k)", {"T": "csf", "B": "csf"}),
    ("B(k,j,i) = T(i,j,k)", {"T": "csf", "B": "dense,compressed(nonunique),singleton"}),
    ("B(j,i) = A(i,j) + C(j,i)", {"A": "csr", "B": "csr", "C": "csc"}),
]


def is_scattered(expression: str, formats: dict[str, str]) -> bool:
    graph = lower(plan_from_arguments(expression, formats)).lowered_graph
    assert graph is not None
    return graph.scattered


@pytest.mark.parametrize(("expression", "formats"), SCATTERED)
def test_rows_are_counted_and_scattered(expression: str, formats: dict[str, str]) -> None:
    assert is_scattered(expression, formats)
    check(expression, formats)


@pytest.mark.combinations(3)
@pytest.mark.parametrize(("expression", "formats"), GATHERED)
def test_what_has_no_starts_of_rows_is_gathered(expression: str, formats: dict[str, str]) -> None:
    check(expression, formats)


@pytest.mark.parametrize("dtype", ["int8", "float32", "bool", "complex64"])
def test_explicit_fills_and_dtypes_stay(dtype: str) -> None:
    coordinates = (np.array([0, 0, 3, 3]), np.array([1, 4, 0, 1]))
    stored = hd.pack((*[coordinates], np.array([1, 0, 1, 0], dtype), (5, 6)), "csr")
    for target in TARGETS:
        kernel = hd.compile("B(j,i) = A(i,j)", {"A": "csr", "B": "csr"}, target=target, dtypes={"A": dtype})
        (rows, columns), values = kernel(A=stored).to_coo()
        assert list(zip(rows, columns, strict=True)) == [(0, 3), (1, 0), (1, 3), (4, 0)]
        np.testing.assert_array_equal(values, np.array([1, 1, 0, 0], dtype))


def test_new_values_at_the_same_coordinates() -> None:
    kernel = hd.compile("B(j,i) = A(i,j)", {"A": "csr", "B": "csr"})
    array = np.array([[0.0, 1, 2], [3, 0, 0]])
    assembled = kernel.assemble(A=array)
    np.testing.assert_array_equal(assembled.compute(A=10 * array).to_numpy(), 10 * array.T)


def test_a_command_keeps_the_workspace_that_it_names() -> None:
    """Plans that were stored before name the loops of the workspace."""
    check("B(j,i) = A(i,j)", {"A": "csr", "B": "csr"}, "split(iw, i0, i1, 4)")


def test_the_step_is_shown() -> None:
    result = lower(plan_from_arguments("B(j,i) = A(i,j)", {"A": "csr", "B": "csr"}))
    step = next(step for step in result.passes if step.name == "assembly")
    assert "B: count the entries of each row, then scatter" in step.text
