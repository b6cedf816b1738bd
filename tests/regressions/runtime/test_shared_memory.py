"""Memory that results, packed tensors and the caller's arrays had in common."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

import heddle as hd


def test_cleaning_up_a_result_leaves_the_operand_alone() -> None:
    """A result in csr shared its index arrays with the operand, which SciPy then rewrote."""
    matrix = sp.csr_array(np.array([[7.0, 0, 5, 3], [1, 0, 0, 6], [0, 8, 3, 7]]))
    before, x = matrix.toarray(), np.array([0.0, 1, 0, 1])
    kernel = hd.compile("C(i,j) = A(i,j) * x(j)", formats={"A": "csr", "C": "csr"})
    result = kernel(A=matrix, x=x).to_scipy()
    result.eliminate_zeros()
    assert result.nnz == 4
    np.testing.assert_array_equal(result.toarray(), before * x)
    np.testing.assert_array_equal(matrix.toarray(), before)


def test_new_values_are_not_added_to_the_transpose_of_old_ones() -> None:
    """The converted copy of a packed operand on the caller's memory was kept when the values changed."""
    matrix = sp.csr_array(np.array([[0.0, 1, 0], [2, 0, 3], [0, 4, 5]]))
    snapshot, borrowed = hd.pack(matrix, "csr"), hd.pack(matrix, "csr", copy=False)
    kernel = hd.compile("B(i,j) = A(i,j) + A(j,i)", formats={"A": "csr", "B": "csr"}, options={"convert": "automatic"})
    old = kernel(A=snapshot).to_numpy()
    kernel(A=borrowed)
    matrix.data *= 10
    np.testing.assert_array_equal(kernel(A=snapshot).to_numpy(), old)
    np.testing.assert_array_equal(kernel(A=borrowed).to_numpy(), 10 * old)


def test_a_packed_vector_is_a_copy_wherever_it_lies() -> None:
    """It was the caller's memory or a copy, by its address."""
    kernel, base, found = hd.compile("y(i) = x(i) * 1"), np.zeros(100), set()
    for offset in range(9):
        x = base[offset : offset + 50]
        x[:] = 1
        packed = hd.pack(x)
        x[:] = 2
        found.add(float(kernel(x=packed).to_numpy()[0]))
    assert found == {1.0}
