"""The next commands behind a `precompute` in a comprehension of two statements."""

import heddle as hd
from heddle.schedule.legal import legal

src = "def f(float(M,N) A, float(N) x, float(M) b) -> (t,y) { t(i) +=! A(i,j)*x(j)  y(i) = t(i)*b(i) }"
s = "precompute(A(i,j) * x(j), j, jw, w)"
r = hd.lower(src, schedule=s, language="comprehension")
assert r.ok
assert legal(r.graph, (s,))
