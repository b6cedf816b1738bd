"""Missing values as a fill of NaN."""

import numpy as np

import heddle as hd

A = np.array([[1.0, 2, 3], [np.nan, 5, np.nan], [7, 8, 9]])
nan = float("nan")
hd.lower("y(i) = A(i,j)", formats={"A": "csr"}, fills={"A": float("inf")}).raise_errors()
k = hd.compile("y(i) = A(i,j)", formats={"A": "csr"}, fills={"A": nan})
np.testing.assert_array_equal(k(A=hd.pack(A, "csr", fill=nan)).to_numpy(), A.sum(axis=1))
