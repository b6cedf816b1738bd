"""A real matrix in parts, in float32: beside the product in float64 within what rounding explains, entry by entry."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from numpy.typing import NDArray

import heddle as hd

MATRIX = Path(__file__).resolve().parents[3] / "backend" / "heddle_server" / "datasets" / "bcsstk13.mtx"
COLUMNS = 5
SPMM = "C(i,k) = A(i,j) * B(j,k)"
TEXTS = (
    *("hyb(1,5)", "hyb(3,2)", "hyb(8,5,64)", "hyb(1,5,whole)", "hyb(1,3,7,whole)"),
    *("bcsr(4,4) where tile(4,4) >= 8 + csr", "dia where depth >= 50 + csr", "ell(4) where slot < 4 + coo"),
    *("dbsr(4,4)", "srbcrs(8,4)", "csb(64,64)", "parts(8), parts(8), compressed(nonunique), padded(2) : 0,1,0,1"),
)


@cache
def operands() -> tuple[Any, NDArray[np.float32], NDArray[np.float64], NDArray[np.float64]]:
    """The stiffness matrix bcsstk13 (2,003 rows, 83,883 entries of 1e-8 to 1e12) rounded to float32, a dense matrix,
    their product in float64, and how far one in float32 may be from it."""
    matrix = scipy.sparse.csr_array(scipy.io.mmread(MATRIX)).astype(np.float32)
    matrix.sum_duplicates()
    others = np.random.default_rng(5).standard_normal((matrix.shape[1], COLUMNS)).astype(np.float32)
    exactly = matrix.astype(np.float64)
    # A product and an addition for each entry of the row, each rounded once, and one more for each part.
    roundings = np.diff(matrix.indptr)[:, None] + 16
    magnitudes = np.abs(exactly) @ np.abs(others.astype(np.float64))
    bound = 1.01 * roundings * np.finfo(np.float32).eps / 2 * magnitudes
    return matrix, others, exactly @ others.astype(np.float64), bound


@pytest.mark.combinations(2)
@pytest.mark.parametrize("text", TEXTS)
def test_float32_is_as_near_to_float64_as_rounding_allows(text: str) -> None:
    matrix, others, expected, bound = operands()
    assert matrix.nnz == 83_883
    kernel = hd.compile(SPMM, formats={"A": text}, dtypes={"A": "float32", "B": "float32"})
    packed = hd.pack(matrix, text, dtype="float32", name="A")
    found = kernel(A=packed, B=others).to_numpy()
    assert found.dtype == np.float32
    error = np.abs(found.astype(np.float64) - expected)
    assert (error <= bound).all(), f"worst row {int(np.argmax((error - bound).max(1)))}"
    # Without the entries of one row, the bound is exceeded: it tells a wrong result from a rounded one.
    assert (np.abs(expected) > bound).mean() > 0.9


def test_explicit_zeros_of_the_file_stay_entries() -> None:
    matrix, *_ = operands()
    back = scipy.sparse.csr_array(hd.pack(matrix, "hyb(3,2)", dtype="float32").to_scipy())
    assert back.nnz == matrix.nnz
    assert (back != matrix).nnz == 0
