"""Quotients of sparse operands: one rule, whatever the formats of the operands and of the result."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd

A = np.array([[1.0, 0, 0, 2], [0, 0, 0, 0], [0, 3, 0, 0], [0, 0, 0, 0]])
B = np.array([[2.0, 0, 0, 0], [0, 0, 0, 0], [1, 4, 0, 0], [0, 0, 5, 0]])
SPARSE = ("csr", "dcsr", "coo", "csf")


def divided(a: str, b: str, result: str, target: str = "interpreter") -> np.ndarray:
    kernel = hd.compile("Z(i,j) = A(i,j) / B(i,j)", {"A": a, "B": b, "Z": result}, target=target)
    return kernel(A=A, B=B).to_numpy()


@pytest.mark.combinations(4, "a", "b", "result")
@pytest.mark.parametrize("result", ["dense", *SPARSE])
@pytest.mark.parametrize("b", SPARSE)
@pytest.mark.parametrize("a", ["dense", *SPARSE])
def test_a_sparse_divisor_divides_as_numpy(a: str, b: str, result: str) -> None:
    """Rows that B does not store at all are zeros as well, beside rows of A that have no entry."""
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(divided(a, b, result), A / B)


@pytest.mark.parametrize("a", SPARSE)
def test_what_is_not_stored_decides_over_a_dense_divisor(a: str) -> None:
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(divided(a, "dense", "dense"), np.where(A == 0, 0, A / B))


def test_compiled_code_has_the_same_rule() -> None:
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(divided("csr", "dcsr", "coo", "c"), A / B)
