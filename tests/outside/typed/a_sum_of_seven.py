"""The sum of seven sparse matrices, at once or with a sparse temporary."""

import sys

import numpy as np
import scipy.sparse as sp

import heddle as hd

n = 30000
r = np.random.default_rng(0)
M = {}
for q in range(7):
    c = np.unique(r.integers(0, n, (2, 1000)), axis=1)
    M[f"A{q}"] = sp.coo_array((r.random(c.shape[1]), c), shape=(n, n)).tocsr()
want = sum(M.values())
F = dict.fromkeys(["C", "t", *M], "csr")
said = []
for text in (
    "C(i,j) = " + " + ".join(f"{a}(i,j)" for a in M),
    "t(i,j) = A0(i,j) + A1(i,j) + A2(i,j) + A3(i,j); C(i,j) = t(i,j) + A4(i,j) + A5(i,j) + A6(i,j)",
):
    try:
        k = hd.compile(text, formats={n_: f for n_, f in F.items() if n_ + "(" in text})
        assert abs(k(**M).to_scipy() - want).max() < 1e-12
        sys.exit(0)
    except hd.CompileError as refused:
        said.append(str(refused))
raise AssertionError("\n".join(said))
