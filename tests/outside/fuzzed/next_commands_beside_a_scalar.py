"""A scalar beside a sparse operand: rows are balanced, and the next commands are listed."""

import numpy as np
import scipy.sparse as sp

import heddle as hd
from heddle.schedule.legal import legal

E, F = "y(i) = alpha * A(i,j) * x(j)", {"A": "csr"}
r = hd.lower(E, formats=F, schedule="balance(i, i0, i1, A, 4)")
assert r.ok, r.diagnostics
assert legal(hd.lower(E, formats=F).graph)
A = sp.random(20, 30, 0.2, format="csr", random_state=0)
x = np.ones(30)
k = hd.compile(E, formats=F, schedule="balance(i, i0, i1, A, 4)")
assert np.allclose(k(A=A, x=x, alpha=2.0).to_numpy(), 2 * (A @ x))
