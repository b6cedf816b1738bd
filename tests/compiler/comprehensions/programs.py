"""Programs that must work, and operands for them by the sizes that they name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.comprehensions.language.nodes import Name
from heddle.comprehensions.language.parser import parse
from heddle.comprehensions.program import check


@dataclass(frozen=True, slots=True)
class Case:
    """``sizes`` are those that nothing divides; ``fixed`` what the plan says; ``indices`` the size that limits the
    values of integers; ``passed`` the sizes of results that the caller passes."""

    text: str
    sizes: Mapping[str, int]
    fixed: Mapping[str, int] = field(default_factory=dict)
    indices: Mapping[str, str] = field(default_factory=dict)
    passed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    numbers: Mapping[str, float] = field(default_factory=dict)


def operands(case: Case, sizes: Mapping[str, int]) -> dict[str, Any]:
    random = np.random.default_rng(11)
    made: dict[str, Any] = {}
    for name, type in check(parse(case.text), case.fixed).names.parameters.items():
        shape = [sizes[d.name] if isinstance(d, Name) else int(d.value) for d in type.dimensions]
        if name in case.fixed:
            continue
        if name in case.numbers:
            made[name] = np.dtype(type.dtype).type(case.numbers[name])
        elif name in case.indices:
            made[name] = random.integers(0, max(1, sizes[case.indices[name]]), shape).astype(type.dtype)
        else:
            made[name] = sparse(random.standard_normal(shape)).astype(type.dtype)
    for name, dimensions in case.passed.items():
        made[name] = random.standard_normal([sizes[one] for one in dimensions]).astype("float32")
    return made


def sparse(values: NDArray[Any]) -> NDArray[Any]:
    """Most of the values are zero, so that formats have something to leave out."""
    return np.where(np.random.default_rng(5).random(values.shape) < 0.5, 0, values)


_LAYERS = "\n".join(
    f"O{n}({b},{o}) = B{n}({o}) O{n}({b},{o}) += {x}({b},{i})*W{n}({o},{i}) O{n}({b},{o}) = fmaxf(O{n}({b},{o}),0)"
    for n, x, b, i, o in ((2, "I", "b", "n", "o"), (3, "O2", "b", "o", "p"), (4, "O3", "b", "p", "q"))
)

CASES: dict[str, Case] = {
    "mv": Case(
        "def mv(float(M,K) A, float(K) x) -> (C) { C(i) = 0 where i in 0:M  C(i) += A(i,k) * x(k) }", {"M": 5, "K": 7}
    ),
    "sgemm": Case(
        """def sgemm(float a, float b, float(M,K) A, float(K,N) B) -> (C) {
            C(i,j) = b * C(i,j)
            C(i,j) += a * A(i,k) * B(k,j) }""",
        {"M": 3, "K": 7, "N": 5},
        passed={"C": ("M", "N")},
        numbers={"a": 1.5, "b": -0.5},
    ),
    "fcrelu": Case(
        """def fcrelu(float(B,I) in, float(O,I) weight, float(O) bias) -> (out) {
            out(b,o) = bias(o)
            out(b,o) += in(b,i) * weight(o,i)
            out(b,o) = fmaxf(out(b,o), 0) }""",
        {"B": 3, "I": 7, "O": 5},
    ),
    "conv2d": Case(
        """def conv(float(B,IP,H,W) in, float(OP,IP,KH,KW) weight) -> (out) {
            out(b,op,h,w) +=! in(b,ip,h+kh,w+kw) * weight(op,ip,kh,kw) }""",
        {"B": 2, "IP": 3, "H": 7, "W": 9, "OP": 4, "KH": 3, "KW": 2},
    ),
    "maxpool": Case(
        """def pool(float(B,C,H,W) in) -> (out) {
            out(b,c,i,j) max=! in(b,c,2*i+kw,2*j+kh) where kw in 0:2, kh in 0:2 }""",
        {"B": 2, "C": 3, "H": 7, "W": 6},
    ),
    "gather": Case(
        "def gather(float(N) X, int(A,B) I) -> (Z) { Z(i,j) = X(I(i,j)) }", {"N": 6, "A": 4, "B": 5}, indices={"I": "N"}
    ),
    "sconv2d": Case(
        """def sconv(int sh, int sw, float(N,C,H,W) I, float(F,C,KH,KW) W1, float(F) B) -> (O) {
            O(n,f,h,w) = B(f)
            O(n,f,h,w) += I(n,c,sh*h+kh,sw*w+kw) * W1(f,c,kh,kw) }""",
        {"N": 2, "C": 3, "H": 9, "W": 11, "F": 4, "KH": 3, "KW": 2},
        fixed={"sh": 2, "sw": 3},
    ),
    "conv1d": Case("def c1(float(N) I, float(K) W) -> (O) { O(i) +=! W(x) * I(i+x) }", {"N": 10, "K": 3}),
    "outer": Case(
        "def outer(float(P,Q,R) A, float(S,R,T) B) -> (O) { O(p,s,q,t) +=! A(p,q,r) * B(s,r,t) }",
        {"P": 2, "Q": 3, "R": 5, "S": 3, "T": 2},
    ),
    "tmm": Case(
        "def tmm(float(M,K) A, float(N,K) B) -> (C) { C(m,n) +=! A(m,kk) * B(n,kk) }", {"M": 5, "K": 7, "N": 3}
    ),
    "tbmm": Case(
        "def tbmm(float(B,N,M) X, float(B,K,M) Y) -> (Z) { Z(b,n,k) +=! X(b,n,m) * Y(b,k,m) }",
        {"B": 2, "N": 3, "M": 5, "K": 4},
    ),
    "gconv": Case(
        """def gconv(float(N,G,C,H,W) I, float(G,F,C,KH,KW) W1, float(G,F) B) -> (O) {
            O(n,g,o,h,w) +=! I(n,g,i,h+kh,w+kw) * W1(g,o,i,kh,kw)
            O(n,g,o,h,w) = O(n,g,o,h,w) + B(g,o) }""",
        {"N": 2, "G": 2, "C": 3, "H": 5, "W": 6, "F": 3, "KH": 2, "KW": 3},
    ),
    "dconv": Case(
        """def dconv(int grp, float(N,C,H,W) I, float(G,F,C2,KH,KW) W1) -> (O) {
            O(n,o,h,w) +=! I(n,gci,h+kh,w+kw) * W1(gci % grp, o / grp, gci / grp, kh, kw)
                where o in 0:F*grp, gci in 0:C }""",
        {"N": 2, "C": 6, "H": 5, "W": 6, "G": 2, "F": 2, "C2": 3, "KH": 2, "KW": 3},
        fixed={"grp": 2},
    ),
    "2LUT": Case(
        """def 2LUT(float(E,D) LUT1, int(B,L) I1, float(F,De) LUT2, int(B,M) I2) -> (O1, O2) {
            O1(i,j) +=! LUT1(I1(i,k),j)
            O2(i,j) +=! LUT2(I2(i,k),j) }""",
        {"E": 6, "D": 3, "B": 4, "L": 5, "F": 7, "De": 2, "M": 3},
        indices={"I1": "E", "I2": "F"},
    ),
    "mlp3": Case(
        f"""def mlp3(float(B,N) I, float(O,N) W2, float(O) B2, float(P,O) W3, float(P) B3, float(Q,P) W4, float(Q) B4)
            -> (O2, O3, O4) {{ {_LAYERS} }}""",
        {"B": 3, "N": 7, "O": 5, "P": 4, "Q": 2},
    ),
    "prod": Case(
        """def mlp1(float(B,M) I, float(N,M) W, float(N) C) -> (O) {
            O(b,n) +=! I(b,m) * W(n,m)
            O(b,n) = fmaxf(O(b,n) + C(n), 0) }
        def lut(float(E,D) LUT, int(B,L) I) -> (O) { O(i,j) +=! LUT(I(i,k),j) }
        def prod(float(E,D) LUT, int(B,L) I, float(N,D) W, float(N) C) -> (O1, O2) {
            O1 = lut(LUT, I)
            (O2) = mlp1(O1, W, C) }""",
        {"E": 6, "D": 3, "B": 4, "L": 5, "N": 2},
        indices={"I": "E"},
    ),
    "kru": Case(
        """def kru(float(Da,R0) W0, float(Db,R1) W1, float(Dc,R2) W2, float(M,R0,R1,R2) X) -> (Y, XW1, XW2) {
            XW2(m,a,b,f) +=! X(m,a,b,r) * W2(f,r)
            XW1(m,a,e,f) +=! XW2(m,a,r,f) * W1(e,r)
            Y(m,d,e,f) +=! XW1(m,r,e,f) * W0(d,r) }""",
        {"Da": 2, "R0": 3, "Db": 3, "R1": 4, "Dc": 4, "R2": 5, "M": 2},
    ),
    "softmax": Case(
        """def softmax(float(N,D) I) -> (O, expsum, most) {
            most(n) max=! I(n,d)
            expsum(n) +=! exp(I(n,d) - most(n))
            O(n,d) = exp(I(n,d) - most(n))
            O(n,d) = O(n,d) / expsum(n) }""",
        {"N": 3, "D": 7},
    ),
    "norm": Case(
        """def norm(float(N,G,D,H,W) I, float(G,D) gamma, float(G,D) beta) -> (O) {
            S(n,g) +=! I(n,g,d,h,w)
            Q(n,g) +=! I(n,g,d,h,w) * I(n,g,d,h,w)
            O(n,g,d,h,w) = gamma(g,d) * (I(n,g,d,h,w) - S(n,g) / (D*H*W))
                * rsqrt(Q(n,g) / (D*H*W) - S(n,g) * S(n,g) / (float(D*H*W) * (D*H*W)) + 1e-2) + beta(g,d) }""",
        {"N": 2, "G": 3, "D": 2, "H": 3, "W": 5},
    ),
    "concat": Case(
        "def cat(float(M,N) A, float(M,N) B) -> (O) { O(n,i,m) = i == 0 ? A(m,n) : B(m,n) where i in 0:2 }",
        {"M": 5, "N": 3},
    ),
    "argmin": Case(
        "def argmin(float(N) S) -> (v, m) { v min=! S(r)  m min=! (S(r) == v) ? r : N }",
        {"N": 9},
    ),
    "wavenet": Case(
        """def wave(float(B,R,T) Data, float(Dd,R,Q) W, int D) -> (O, G) {
            F(b,q,t) +=! (t-D >= 0) ? Data(b,r,t-D) * W(0,r,q) : 0 where t in 0:T
            F(b,q,t) += Data(b,r,t) * W(1,r,q)
            G(b,q,t) = tanh(F(b,q,t))
            O(b,q,t) = G(b,q,t) / (1 + exp(-F(b,q,t))) }""",
        {"B": 2, "R": 3, "T": 8, "Dd": 2, "Q": 4},
        numbers={"D": 3},
    ),
    "backward": Case(
        """def back(float(N,M,H,W) dO, float(M,C,KH,KW) W1) -> (dI) {
            dI(n,c,h,w) +=! dO(n,m,h-kh,w-kw) * W1(m,c,kh,kw) }""",
        {"N": 2, "M": 3, "H": 7, "W": 6, "C": 2, "KH": 3, "KW": 2},
    ),
    "integers": Case(
        """def ints(int(N) A, uint8(N) B, float(N) X) -> (O, Q) {
            Q(i) = A(i) / 3 + A(i) % 4 - B(i)
            O(i) = (Q(i) > 0 && !(X(i) > 0.5)) || i == 2 ? X(i) * Q(i) : sqrt(fabs(X(i))) + N }""",
        {"N": 9},
        indices={"A": "N", "B": "N"},
    ),
}
