"""Questions that range inference has to answer, one program each: shifts, strides, several readers, statements that
hand ranges on, and conditions. The paper's rule decides (Vasilache et al. 2018): an ambiguous range is refused, none is
guessed, and no range begins below 0."""

from __future__ import annotations

import pytest

from heddle.comprehensions.ranges.text import text
from heddle.diagnostics import CompileError
from tests.compiler.comprehensions.test_ranges import program

IMAGES = "float(B,I,H,W) A, float(O,I,R,S) F"
ANSWERS: list[tuple[str, dict[str, str] | str]] = [
    ("float(N) a) -> (r) { r(u) = a(u) }", {"r": "0:N"}),
    ("float(N,K) a) -> (r) { r(v,u) = a(u,v) }", {"r": "0:K 0:N"}),
    ("float(K,L,N) a) -> (r) { r(w,u,v) = a(u,v,w) }", {"r": "0:N 0:K 0:L"}),
    ("float(K,L,N) a) -> (r) { r(u,v,w) = a(u,v,u) }", "tc/unresolved"),
    ("float(N) a) -> (r) { r(u) = a(6*u) }", {"r": "0:(N+5)/6"}),
    ("float(N) a) -> (r) { r(u) = a(u-3) }", {"r": "3:N+3"}),
    ("float(N) a) -> (r) { r(u) = a(u+4) }", {"r": "0:N-4"}),
    (
        IMAGES
        + ", float(O) bias) -> (s,r) { s(b,o,y,x) +=! A(b,i,y+v,x+w) * F(o,i,v,w)  r(b,o,y,x) = s(b,o,y,x) + bias(o) }",
        {"s": "0:B 0:O 0:H-R+1 0:W-S+1", "r": "0:B 0:O 0:H-R+1 0:W-S+1"},
    ),
    (
        IMAGES + ", float(B,O,Y,X) g) -> (gA,gF) { gA(b,i,y,x) +=! g(b,o,y-v,x-w) * F(o,i,v,w)  "
        "gF(o,i,v,w) +=! g(b,o,y-v,x-w) * A(b,i,y,x) }",
        {"gA": "0:B 0:I max(0,R-1):Y max(0,S-1):X", "gF": "0:O 0:I max(0,H-Y):1 max(0,W-X):1"},
    ),
    (
        IMAGES + ") -> (t,r) { t(b,i,y,x) = A(b,i,y-1-3,x-2-4)  r(b,o,y,x) +=! t(b,i,4*y+v,2*x+w) * F(o,i,v,w) }",
        {"t": "0:B 0:I 4:H+4 6:W+6", "r": "0:B 0:O 1:(H-R)/4+2 3:(W-S)/2+4"},
    ),
    (
        IMAGES + ") -> (r) { r(b,o,y,x) +=! A(b,i,3*y+2*x+v,2*x+w) * F(o,i,v,w) }",
        {"r": "0:B 0:O 0:(H+2*S-R-2*((S+W)/2))/3+1 0:(W-S)/2+1"},
    ),
    ("float(K,L) a) -> (r) { r(u) +=! a(v,u+v) }", {"r": "0:L-K+1"}),
    ("float(K,L) a) -> (r) { r(u) +=! a(u+v,u+v) }", "tc/unresolved"),
    ("float(K,L,N) a) -> (r) { r(u) +=! a(v,u+v,u) }", "tc/ambiguous-range"),
    ("float(K,L,N) a) -> (r) { r(u) +=! a(u,v,3*u+v) }", "tc/ambiguous-range"),
    (
        "float(K,L) a, float(L2,N) c) -> (q,r) { q(u,v) = a(u,v) + 1  r(v,w) +=! c(v,w) * q(u,v) }",
        {"q": "0:K 0:L", "r": "0:min(L,L2) 0:N"},
    ),
    (
        "float(K,L,N) a, float(K2,L2) c) -> (p,q,r) { p(u,v) +=! a(u,v,w)  q(u,v) = c(u,v) + p(u,v)  r(v) +=! q(u,v) }",
        {"p": "0:K 0:L", "q": "0:min(K,K2) 0:min(L,L2)", "r": "0:min(L,L2)"},
    ),
    ("float(N,K) a) -> (r) { r(u,v) = a(u,v) where u in 2:N-2 }", {"r": "2:N-2 0:K"}),
    ("float(N,K) a) -> (r) { r(u,v) = a(8+u-v,u+v) }", "tc/unresolved"),
    ("float(N,K) a) -> (r) { r(u,v) = a(8+u-v,u+v) where u in 0:6 }", {"r": "0:6 max(-N+14,0):min(9,K-5)"}),
    ("float(N,K,L) a) -> (r) { r(u,v) = a(u,u+v,v) }", "tc/ambiguous-range"),
    ("float(6,11,6) a) -> (r) { r(u,v) = a(u,u+v,v) }", {"r": "0:6 0:6"}),
    (") -> (r) { r(u) = 5 }", "tc/unresolved"),
    (") -> (r) { r(u,v) = 5 where u in 2:9, v in 1:4 }", {"r": "2:9 1:4"}),
    (") -> (r) { r(u) = 5 where u in 9:2 }", "tc/empty-range"),
    ("float(N) a) -> (r) { r(u) = 5 where u in 0:a(1) }", "tc/where-bound"),
    ("float(N) a) -> (r) { r(u,v) = 5 where u in 0:4, v in 0:a(u) }", "tc/where-bound"),
]


@pytest.mark.parametrize(("body", "answer"), ANSWERS)
def test_results_have_these_ranges_or_are_refused(body: str, answer: dict[str, str] | str) -> None:
    if isinstance(answer, str):
        with pytest.raises(CompileError) as refused:
            program(body)
        assert refused.value.diagnostics[0].code == answer
        return
    found = program(body).inferred.dimensions
    spelled = {
        name: " ".join(f"{text(one.lower)}:{text(one.upper)}".replace(" ", "") for one in found[name])
        for name in answer
    }
    assert spelled == answer
