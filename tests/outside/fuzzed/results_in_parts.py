"""A result in parts and a `precompute`: computed, or refused with a reason of the schedule."""

import numpy as np

import heddle as hd

F = {"A": "hyb(1,2)", "C": "hyb(1,2)"}
A = np.diag(np.arange(1.0, 6))
for e, ops, want, s in (
    ("C(i,j) = A(i,j)", {}, A, "A[*]: precompute(A(i,j), j, jw, w)"),
    (
        "C(i,j) = A(i,j) * P(i,k) * Q(k,j)",
        {"P": np.ones((5, 2)), "Q": np.ones((2, 5))},
        2 * A,
        "A[*]: fuse(i, j, f)\nA[*]: precompute(A(i,j) * P(i,k) * Q(k,j), f, fw)",
    ),
):
    r = hd.lower(e, formats=F, schedule=s)
    if r.ok:
        got = hd.compile(e, formats=F, schedule=s, target="interpreter")(A=A, **ops).to_numpy()
        assert np.allclose(got, want)
    else:
        assert r.diagnostics[0].code.startswith("schedule/")
