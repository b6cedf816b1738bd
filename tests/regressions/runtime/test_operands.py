"""Operands that were believed: each gave a wrong number, read memory that was not its own, or was refused untruly."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp

import heddle as hd


def test_a_row_out_of_range_is_not_stored_outside_of_the_result() -> None:
    matrix = sp.csc_array((np.array([1.0, 1.0]), np.array([0, 10**8]), np.array([0, 2])), shape=(2, 1))
    kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csc"})
    with pytest.raises(hd.OperandError, match="Entry 1 of A has coordinate 100000000 in dimension 1"):
        kernel(A=matrix, x=np.ones(1))


def test_a_column_out_of_range_is_not_read_behind_its_vector() -> None:
    matrix = sp.csr_array((np.array([1.0, 1.0]), np.array([0, 5]), np.array([0, 2])), shape=(1, 2))
    kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"})
    with pytest.raises(hd.OperandError, match="Entry 1 of A has coordinate 5 in dimension 2"):
        kernel(A=matrix, x=np.ones(2))


def test_a_python_number_for_a_float32_scalar() -> None:
    x = np.arange(4, dtype=np.float32)
    kernel = hd.compile("y(i) = s * x(i)", dtypes={"s": "float32", "x": "float32"})
    np.testing.assert_array_equal(kernel(s=2.0, x=x).to_numpy(), np.float32(2) * x)
    bytes_ = hd.compile("y(i) = s * x(i)", dtypes={"s": "uint8", "x": "uint8"})
    np.testing.assert_array_equal(bytes_(s=2, x=np.arange(4, dtype=np.uint8)).to_numpy(), [0, 2, 4, 6])


def test_the_order_of_columns_is_looked_at_again_in_each_call() -> None:
    """The first call made SciPy remember that the columns are in order, and the second one believed it."""
    matrix = sp.csr_array((np.array([2.0, 3, 4]), np.array([0, 1, 2]), np.array([0, 3])), shape=(1, 3))
    other = sp.csr_array(np.array([[10.0, 0, 0]]))
    kernel = hd.compile("C(i,j) = A(i,j) + B(i,j)", formats={"A": "csr", "B": "csr", "C": "csr"})
    kernel(A=matrix, B=other)
    matrix.indices = np.array([2, 1, 0], dtype=matrix.indices.dtype)
    np.testing.assert_array_equal(kernel(A=matrix, B=other).to_numpy(), [[14, 3, 2]])


def test_an_integer_beyond_doubles_is_not_rounded_by_packing() -> None:
    with pytest.raises(hd.OperandError, match="would lose digits"):
        hd.pack([2**53 + 1], "", dtype="float64")
    assert hd.pack([2**53], "", dtype="float64").vals.tolist() == [2.0**53]


def test_masks_are_not_forgotten() -> None:
    kernel = hd.compile("y(i) = 2 * x(i)")
    with pytest.raises(hd.OperandError, match="x cannot be packed: it is given as a masked array"):
        kernel(x=np.ma.array([1.0, 99.0], mask=[False, True]))
    np.testing.assert_array_equal(kernel(x=np.ma.array([1.0, 99.0])).to_numpy(), [2, 198])


CRASHES = """
import sys
import numpy as np, scipy.sparse as sp
import heddle as hd
matrix = sp.csr_array((np.ones(4), np.array([0, 1, 0, 1]), np.array([0, 1, 2, 4])), shape=(3, 2))
matrix.indptr[:] = [0, 10**9, 2, 4]
dia = sp.dia_array((np.ones((2, 4)), [0, 1]), shape=(4, 4))
dia.data = dia.data[:1]
for operand in (matrix, dia):
    for format in ("csr", "csc", "hyb(1,2)", "sell(2)", "bcsr(2,2)", "dia", "coo"):
        try:
            hd.pack(operand, format)
        except hd.OperandError as error:
            assert error.diagnostics[0].code == "runtime/malformed-matrix", error
        else:
            raise AssertionError(format)
"""


def test_broken_positions_and_diagonals_do_not_end_the_process() -> None:
    """In a process of its own: SciPy's conversions of these matrices end it."""
    done = subprocess.run([sys.executable, "-c", CRASHES], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
