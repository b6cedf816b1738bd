"""Maxima over the rows of a sparse matrix take time by its entries."""

import time

import numpy as np
import scipy.sparse as sp

import heddle as hd

n = 20000
r = np.random.default_rng(0)
c = np.unique(r.integers(0, n, (2, 5 * n)), axis=1)
A = sp.coo_array((r.random(c.shape[1]), c), shape=(n, n)).tocsr()
P = hd.pack(A, "csr")
k = hd.compile("y(i) = max(j, A(i,j))", formats={"A": "csr"})
k(A=P)


def best(f):
    return min((lambda s: (f(), time.perf_counter() - s)[1])(time.perf_counter()) for _ in range(3))


np.testing.assert_array_equal(k(A=P).to_numpy(), A.max(axis=1).toarray())
ours, scipys = best(lambda: k(A=P)), best(lambda: A.max(axis=1))
assert ours < 30 * scipys, f"{ours * 1e3:.0f} ms, SciPy {scipys * 1e3:.1f} ms: {ours / scipys:.0f} times"
