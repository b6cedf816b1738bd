"""Scalars beside sparse operands, with the schedule that the rules choose."""

import numpy as np
import scipy.sparse as sp

import heddle as hd

F = {"A": "csr", "B": "csr", "C": "csr", "S": "csr", "X": "csf"}
LINES = (
    "y(i) = a * A(i,j) * x(j)",
    "C(i,k) = a * A(i,j) * D(j,k)",
    "C(i,j) = a * S(i,j) * D(i,k) * E(k,j)",
    "C(i,k) = a*A(i,j)*B(j,k)",
    "C(i,j) = a*A(i,j) + b*B(i,j)",
    "D(i,r) = a*X(i,j,k)*E(j,r)*F(k,r)",
    "T(i,j) = a*X(i,j,k)*x(k)",
    "s = a*A(i,j)",
    "t = A(i,j)*x(j)*y(i); z(i) = t*A(i,j)*x(j)",
    "y(i) = A(i,j)*x(j)/n",
    "d(i) = min(j, A(i,j) + x(j) + c)",
    "s = x(j)*x(j); y(i) = A(i,j)*x(j)/sqrt(s)",
    "t(i) = A(i,j)*x(j); y(i) = a*t(i) + b*z(i)",
    "C(i,j) = A(i,j) * a",
    "y(j) = a*A(i,j)*x(i)",
)
crashes = []
for line in LINES:
    try:
        hd.compile(line, formats={name: f for name, f in F.items() if name + "(" in line}, options={"schedule": "auto"})
    except hd.CompileError as refused:
        print("refused", line, refused)
    except Exception as error:
        crashes.append((line, repr(error)))
A = sp.random_array((20, 20), density=0.3, format="csr", rng=0)
x = np.arange(20.0)
y = (
    hd.compile("y(i) = a * A(i,j) * x(j)", formats={"A": "csr"}, options={"schedule": "auto"})(
        A=A, x=x, a=2.0
    ).to_numpy()
    if not crashes
    else None
)
assert not crashes, crashes[:3]
assert np.allclose(y, 2 * (A @ x))
