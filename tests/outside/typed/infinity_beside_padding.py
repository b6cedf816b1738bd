"""Infinity beside what a format pads: every format gives the same product."""

import numpy as np

import heddle as hd

A = np.array([[1.0, 0, 0], [0, 2, 0], [0, 3, 0]])
x = np.array([1.0, 2, np.inf])
want = np.array([1.0, 4, 6])
for f in ("csr", "ell", "csb(4,4)", "bcsr(2,2)", "dia"):
    got = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": f})(A=A, x=x).to_numpy()
    np.testing.assert_array_equal(got, want, err_msg=f)
