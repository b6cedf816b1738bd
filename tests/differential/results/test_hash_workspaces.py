"""Sparse results whose coordinates come out of order: collected in a hash map, sorted, appended
(docs/sources.toml T34)."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from tests.differential.check import check

PRODUCT = "A(i,j) = B(i,k) * C(k,j)"


@pytest.mark.combinations(6, "result", "operand")
@pytest.mark.parametrize("result", ["csr", "csc", "dcsr", "coo", "compressed(nonunique),singleton", "dense,compressed"])
@pytest.mark.parametrize("operand", ["csr", "csc", "dcsr", "coo", "dense"])
def test_transposed(result: str, operand: str) -> None:
    check("A(i,j) = B(j,i)", {"A": result, "B": operand})


@pytest.mark.combinations(4, "result", "indices")
@pytest.mark.parametrize("result", ["csf", "coo", "dense,compressed,compressed", "compressed,dense,compressed"])
@pytest.mark.parametrize("indices", ["j,i,k", "k,i,j", "k,j,i", "i,k,j"])
def test_dimensions_in_another_order(result: str, indices: str) -> None:
    check("A(i,j,k) = B(" + indices + ")", {"A": result, "B": "csf"})


@pytest.mark.combinations(4, "right", "left", "result")
@pytest.mark.parametrize("result", ["csr", "csc"])
@pytest.mark.parametrize("left", ["csr", "csc"])
@pytest.mark.parametrize("right", ["csr", "csc"])
def test_products_in_every_orientation(result: str, left: str, right: str) -> None:
    check(PRODUCT, {"A": result, "B": left, "C": right})


def test_outer_products_of_columns_and_rows_as_the_proposal_says() -> None:
    schedule = "reorder(k, i, j)\nprecompute(B(i,k) * C(k,j), {i, j}, {iw, jw}, w)"
    check(PRODUCT, {"A": "csr", "B": "csc", "C": "csr"}, schedule)


@pytest.mark.parametrize("expression", ["A(i,j) = B(j,i) + C(j,i)", "A(i,j) = B(j,i) * C(j,i) - 2 * C(j,i)"])
def test_operands_that_are_all_transposed(expression: str) -> None:
    check(expression, {"A": "csr", "B": "csr", "C": "csr"})


def test_a_map_for_each_worker() -> None:
    schedule = "reorder(i, k, j)\nprecompute(B(i,k,j), {k, j}, {kw, jw}, w)\nparallelize(i, CPUThread, NoRaces)"
    check("A(i,j,k) = B(i,k,j)", {"A": "csf", "B": "csf"}, schedule)
    check("A(i,j,k) = B(i,k,j)", {"A": "dense,compressed,compressed", "B": "csf"}, schedule)


def test_largest_values_are_kept_where_none_is_negative() -> None:
    values = np.random.default_rng(3).integers(0, 9, (4, 5, 6)) * (np.random.default_rng(4).random((4, 5, 6)) < 0.4)
    operand = values.astype("uint8")
    kernel = hd.compile("A(i,j) = max(k, B(j,k,i))", {"A": "csr", "B": "csf"}, dtypes={"A": "uint8", "B": "uint8"})
    np.testing.assert_array_equal(kernel(B=operand).to_numpy(), operand.max(axis=1).T)
