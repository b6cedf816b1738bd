"""New values of an operand in place, of which an automatic conversion keeps a transposed copy."""

import numpy as np
import scipy.sparse as sp

import heddle as hd

A = sp.csr_array(np.array([[0.0, 1, 0], [2, 0, 3], [0, 4, 5]]))
P = hd.pack(A, "csr")
k = hd.compile("B(i,j) = A(i,j) + A(j,i)", formats={"A": "csr", "B": "csr"}, options={"convert": "automatic"})
k(A=P)
A.data *= 10  # time step: same coordinates, new values
got = k(A=P).to_numpy()
new = A.toarray() + A.toarray().T
old = new / 10
assert np.array_equal(got, new) or np.array_equal(got, old), f"neither the new nor the old sum:\n{got}\nnew\n{new}"
