"""A numbered row that is not stored: the other results are computed all the same."""

import numpy as np

import heddle as hd

A, B = np.array([[1.0, 2], [3, 4]]), np.zeros((2, 2))
src = "def f(double(M,M) A, double(M,M) B) -> (O,s) { O(i,j) = A(i,j)  s +=! B(0, r) }"
for target in ("interpreter", "c"):
    k = hd.compile(src, language="comprehension", target=target, formats={"B": "dcsr"})
    for _ in range(5):
        junk = [np.full((2, 2), 7.0) for _ in range(20)]
        del junk
        o = k(A=A, B=B)
        assert o["s"].item() == 0
        assert np.array_equal(o["O"].to_numpy(), A), (target, o["O"].to_numpy())
