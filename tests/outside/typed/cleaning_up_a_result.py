"""SciPy cleans up a result in place, and the operand stays as it was."""

import numpy as np
import scipy.sparse as sp

import heddle as hd

A = sp.csr_array(np.array([[7.0, 0, 5, 3], [1, 0, 0, 6], [0, 8, 3, 7]]))
before = A.toarray().copy()
k = hd.compile("C(i,j) = A(i,j) * x(j)", formats={"A": "csr", "C": "csr"})
C = k(A=A, x=np.array([0.0, 1, 0, 1])).to_scipy()
C.eliminate_zeros()
np.testing.assert_array_equal(C.toarray(), before * np.array([0.0, 1, 0, 1]))
np.testing.assert_array_equal(A.toarray(), before)  # today: A is another matrix now
