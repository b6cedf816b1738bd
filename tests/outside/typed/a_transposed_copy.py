"""A transposed copy in csr takes no more than a few times what SciPy takes."""

import time

import numpy as np
import scipy.sparse as sp

import heddle as hd

n = 50000
r = np.random.default_rng(0)
c = np.unique(r.integers(0, n, (2, 10 * n)), axis=1)
A = sp.coo_array((r.random(c.shape[1]), c.astype(np.int32)), shape=(n, n)).tocsr()
P = hd.pack(A, "csr")
k = hd.compile("B(j,i) = A(i,j)", formats={"A": "csr", "B": "csr"}, options={"convert": "automatic"})
assert abs(k(A=P).to_scipy() - A.T).max() == 0


def best(f):
    return min((lambda s: (f(), time.perf_counter() - s)[1])(time.perf_counter()) for _ in range(3))


ours, scipys = best(lambda: k(A=P)), best(lambda: A.T.tocsr())
assert ours < 5 * scipys, f"{ours * 1e3:.0f} ms, SciPy {scipys * 1e3:.1f} ms: {ours / scipys:.0f} times"
