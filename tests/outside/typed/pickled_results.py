"""Results and kernels go through pickle, as packed operands do."""

import pickle

import numpy as np

import heddle as hd

A = np.array([[0.0, 1], [2, 0]])
k = hd.compile("C(i,j) = A(i,j) * 2", formats={"A": "csr", "C": "csr"})
np.testing.assert_array_equal(pickle.loads(pickle.dumps(hd.pack(A, "csr"))).to_numpy(), A)
np.testing.assert_array_equal(pickle.loads(pickle.dumps(k(A=A))).to_numpy(), 2 * A)
