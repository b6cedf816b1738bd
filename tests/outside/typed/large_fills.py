"""A fill of 1e308, as in tables of distances."""

import numpy as np

import heddle as hd

A = np.array([[1e308, 2.0], [1e308, 1e308]])
P = hd.pack(A, "csr", fill=1e308)
np.testing.assert_array_equal(P.to_numpy(), A)
k = hd.compile("y(i) = min(j, A(i,j))", formats={"A": "csr"}, fills={"A": 1e308})
np.testing.assert_array_equal(k(A=P).to_numpy(), A.min(axis=1))
