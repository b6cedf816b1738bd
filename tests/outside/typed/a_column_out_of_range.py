"""A CSR matrix with a column out of range is refused."""

import sys

import numpy as np
import scipy.sparse as sp

import heddle as hd

A = sp.csr_array((np.array([1.0, 1.0]), np.array([0, 5]), np.array([0, 2])), shape=(1, 2))
k = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"})
try:
    y = k(A=A, x=np.ones(2)).to_numpy()
except hd.CompileError:
    sys.exit(0)
raise AssertionError(f"not refused: {y}; hd.validate says: crd of level 2 holds 5, expected coordinates from 0 to 1")
