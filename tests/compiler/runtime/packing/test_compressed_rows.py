"""Packing into CSR and CSC without sorting: the same arrays as the general way makes."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import heddle as hd
from heddle.diagnostics import CompileError
from heddle.runtime.packing.row_conversions import compressed_rows

RNG = np.random.default_rng(5)
SHAPE = (90, 70)
COUNT = 6000
ROWS, COLUMNS = RNG.integers(0, SHAPE[0], COUNT), RNG.integers(0, SHAPE[1], COUNT)
"""So many that coordinates repeat; the values are whole, so that their sums do not depend on an order."""


def operands(dtype: str) -> dict[str, Any]:
    values = RNG.integers(-3, 4, COUNT).astype(dtype)
    values[:40] = 0
    csr = sp.coo_array((values, (ROWS, COLUMNS)), shape=SHAPE).tocsr()
    return {
        "coordinates": ((ROWS, COLUMNS), values, SHAPE),
        "SciPy CSR": csr,
        "SciPy CSC": csr.tocsc(),
        "CSR": hd.pack(csr, "csr"),
        "CSC": hd.pack(csr.tocsc(), "csc"),
    }


@pytest.mark.parametrize(
    ("dtype", "format"), list(product(("float64", "float32", "int8", "bool", "complex64"), ("csr", "csc")))
)
def test_the_same_arrays_as_by_sorting(dtype: str, format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, operand in operands(dtype).items():
        direct = hd.pack(operand, format)
        with monkeypatch.context() as patch:
            patch.setattr("heddle.runtime.packing.paths.in_compressed_rows", lambda *_: None)
            general = hd.pack(operand, format)
        assert direct.dtype == general.dtype == dtype
        for role, array in general.arrays().items():
            np.testing.assert_array_equal(direct.arrays()[role], array, f"{role} of {name}")
            assert direct.arrays()[role].dtype == array.dtype


def test_explicit_zeros_and_fills_are_kept() -> None:
    made = hd.pack(operands("float64")["CSR"], "csc")
    assert made.stored == hd.pack(operands("float64")["SciPy CSR"], "csr").stored
    filled = hd.pack(operands("float64")["SciPy CSR"], "csr", fill=2)
    assert hd.convert(filled, "csc").fill == 2
    with pytest.raises(CompileError, match="does not store is 2, but 0"):
        hd.pack(filled, "csc", fill=0)


def test_rows_out_of_order_take_the_general_way() -> None:
    indices, pos = np.array([5, 2, 2, 0] * 1500), np.arange(0, 6001, 4)
    matrix = sp.csr_array((np.ones(6000), indices, pos), shape=(1500, 6))
    assert compressed_rows.in_compressed_rows(matrix, hd.pack(np.eye(2), "csc").format, "float64", 0) is None
    made = hd.pack(matrix, "csc")
    np.testing.assert_array_equal(made.to_numpy(), matrix.toarray())
    matrix.indices[0] = 6
    with pytest.raises(CompileError, match="Entry 0 of operand has coordinate 6 in dimension 2"):
        hd.pack(matrix, "csc")
