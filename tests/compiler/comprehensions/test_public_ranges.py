"""The questions that the public implementation's tests of range inference ask (Vasilache et al. 2018), in words of our
own: 29 programs. Where it warns and picks a range, or begins below 0, or has a negative size, the paper's rule decides:
an ambiguous range is refused, and no range begins below 0."""

from __future__ import annotations

import pytest

from compiler.comprehensions.ranges.text import text
from compiler.diagnostics import CompileError
from tests.compiler.comprehensions.test_ranges import program

FILTERS = "float(N,C,H,W) X, float(M,C,P,Q) K"
ANSWERS: list[tuple[str, dict[str, str] | str]] = [
    ("float(N) x) -> (y) { y(i) = x(i) }", {"y": "0:N"}),
    ("float(M,N) x) -> (y) { y(i,j) = x(i,j) }", {"y": "0:M 0:N"}),
    ("float(M,N) x) -> (y) { y(i,j) = x(j,i) }", {"y": "0:N 0:M"}),
    ("float(A,B,C,D) x) -> (y) { y(i,j,l,k) = x(j,i,k,l) }", {"y": "0:B 0:A 0:D 0:C"}),
    ("float(A,B,C,D,E) x) -> (y) { y(i,j,k,l,m) = x(j,i,k,i,l) }", "tc/unresolved"),
    ("float(N) x) -> (y) { y(i) = x(123*i) }", {"y": "0:(N+122)/123"}),
    ("float(N) x) -> (y) { y(i) = x(i-1) }", {"y": "1:N+1"}),
    ("float(N) x) -> (y) { y(i) = x(i+5) }", {"y": "0:N-5"}),
    (
        FILTERS
        + ", float(M) b) -> (t,y) { t(n,m,h,w) +=! X(n,c,h+p,w+q) * K(m,c,p,q)  y(n,m,h,w) +=! t(n,m,h,w) + b(m) }",
        {"t": "0:N 0:M 0:H-P+1 0:W-Q+1", "y": "0:N 0:M 0:H-P+1 0:W-Q+1"},
    ),
    (
        FILTERS + ", float(N,M,U,V) d) -> (dX,dK,db) { dX(n,c,h,w) +=! d(n,m,h-p,w-q) * K(m,c,p,q) "
        "dK(m,c,p,q) +=! d(n,m,h-p,w-q) * X(n,c,h,w)  db(m) +=! d(n,m,h,w) }",
        {"dX": "0:N 0:C max(0,P-1):U max(0,Q-1):V", "dK": "0:M 0:C max(0,H-U):1 max(0,W-V):1", "db": "0:M"},
    ),
    (
        FILTERS
        + ", float(M) b) -> (s,y) { s(n,c,h,w) = X(n,c,h-2-3,w-3-4)  y(n,m,h,w) +=! s(n,c,2*h+p,3*w+q) * K(m,c,p,q) }",
        {"s": "0:N 0:C 5:H+5 7:W+7", "y": "0:N 0:M 3:(H-P+1)/2+3 3:(W-Q+1)/3+3"},
    ),
    (
        FILTERS + ") -> (y) { y(n,m,h,w) +=! X(n,c,2*h+3*w+p,2*w+q) * K(m,c,p,q) }",
        {"y": "0:N 0:M 0:Q+(H+Q-P-3*((Q+W)/2))/2+1 0:(W-Q)/2+1"},
    ),
    ("float(A,B,C) x) -> (y) { y(i) +=! x(j,i+j,k) }", {"y": "0:B-A+1"}),
    ("float(A,B,C) x) -> (y) { y(i) +=! x(i+j,i+j,i+j) }", "tc/unresolved"),
    ("float(A,B,C) x) -> (y) { y(i) +=! x(i,i+j,j) }", "tc/ambiguous-range"),
    ("float(A,B,C,D,E) x) -> (y) { y(i) +=! x(i,j,i,k,2*i+j) }", "tc/ambiguous-range"),
    ("float(A,B,C,D,E) x) -> (y) { y(i) +=! x(j,j+1,i,i+3,2*i+j+0) }", "tc/ambiguous-range"),
    (
        "float(A0,A1,A2) A, float(B0,B1,B2) B, float(C0,C1,C2) C) -> (y,z) { "
        "y(j,k,l) +=! B(j,k,l) + A(i,j,k)  z(k,l,m) +=! C(k,l,m) + y(j,k,l) }",
        {"y": "0:min(A1,B0) 0:min(A2,B1) 0:B2", "z": "0:min(A2,B1,C0) 0:min(B2,C1) 0:C2"},
    ),
    (
        "float(A0,A1,A2) A, float(B0,B1,B2) B, float(C0,C1,C2) C) -> (x,y,z) { "
        "x(i,j) +=! A(i,j,k)  y(j,k,l) +=! B(j,k,l) + x(i,j)  z(k,l,m) +=! C(k,l,m) + y(j,k,l) }",
        {"x": "0:A0 0:A1", "y": "0:min(A1,B0) 0:B1 0:B2", "z": "0:min(B1,C0) 0:min(B2,C1) 0:C2"},
    ),
    ("float(N,M) x) -> (y) { y(i,j) = x(i,j) where i in 3:N-1 }", {"y": "3:N-1 0:M"}),
    ("float(N,M) x) -> (y) { y(i,j) = x(10+i-j,i+j) }", "tc/unresolved"),
    ("float(N,M) x) -> (y) { y(i,j) = x(10+i-j,i+j) where i in 0:10 }", {"y": "0:10 max(-N+20,0):min(11,M-9)"}),
    ("float(N,K,M) x) -> (y) { y(i,j) = x(i,i+j,j) }", "tc/ambiguous-range"),
    ("float(10,19,10) x) -> (y) { y(i,j) = x(i,i+j,j) }", {"y": "0:10 0:10"}),
    (") -> (y) { y(i,j) = 3 }", "tc/unresolved"),
    (") -> (y) { y(i,j) = 3 where i in 4:8, j in 3:20 }", {"y": "4:8 3:20"}),
    (") -> (y) { y(i,j) = 3 where i in 8:4, j in 3:20 }", "tc/empty-range"),
    ("float(T) s) -> (y) { y(i,j) = 3 where i in 0:s(0), j in 0:s(1) }", "tc/where-bound"),
    ("float(T) s) -> (y) { y(i,j) = 3 where i in 0:s(j), j in 0:s(i) }", "tc/where-bound"),
]


@pytest.mark.parametrize(("body", "answer"), ANSWERS)
def test_results_have_these_ranges_or_are_refused(body: str, answer: dict[str, str] | str) -> None:
    if isinstance(answer, str):
        with pytest.raises(CompileError) as refused:
            program(body)
        assert refused.value.diagnostics[0].code == answer
        return
    found = program(body).found.dimensions
    spelled = {
        name: " ".join(f"{text(one.lower)}:{text(one.upper)}".replace(" ", "") for one in found[name])
        for name in answer
    }
    assert spelled == answer
