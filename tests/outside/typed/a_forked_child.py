"""A forked child packs and multiplies behind a parallel region of its parent."""

import os
import time

import numpy as np
import scipy.sparse as sp

import heddle as hd

r = np.random.default_rng(0)
c = np.unique(r.integers(0, 50000, (2, 500000)), axis=1)
A = sp.coo_array((r.random(c.shape[1]), c.astype(np.int32)), shape=(50000, 50000))
x = r.random(50000)
k = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "coo"})
want = A.tocsr() @ x
np.testing.assert_allclose(k(A=A, x=x).to_numpy(), want)
pid = os.fork()
if pid == 0:
    os._exit(0 if np.allclose(k(A=A, x=x).to_numpy(), want) else 3)
end = time.time() + 120
done = 0
while not done and time.time() < end:
    done, status = os.waitpid(pid, os.WNOHANG)
    time.sleep(0.05)
if not done:
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    raise AssertionError("the forked child hangs (killed after 120 s)")
assert status == 0
