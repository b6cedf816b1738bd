"""A CSC matrix with a row out of range, which SciPy does not look at, is refused."""

import sys

import numpy as np
import scipy.sparse as sp

import heddle as hd

A = sp.csc_array((np.array([1.0, 1.0]), np.array([0, 10**8]), np.array([0, 2])), shape=(2, 1))
k = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csc"})
try:
    y = k(A=A, x=np.ones(1)).to_numpy()
except hd.CompileError:
    sys.exit(0)  # right: refused, as coo and bcsr are ("axis 1 index 5 exceeds matrix dimension 2")
raise AssertionError(f"not refused: {y}")
