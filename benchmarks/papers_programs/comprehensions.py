"""The tensor comprehensions of Vasilache et al. 2018, as printed but for what is said of them.

Sizes are those of the paper's experiments where it names any, else a few hundred.
"""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.papers_programs.program import Program, Shapes

LAYERS = "\n".join(
    f"O{n}({b},{o}) = B{n}({o})\nO{n}({b},{o}) += {x}({b},{i}) * W{n}({o},{i})\nO{n}({b},{o}) = fmaxf(O{n}({b},{o}), 0)"
    for n, x, b, i, o in ((2, "O1", "b", "n", "o"), (3, "O2", "b", "o", "p"), (4, "O3", "b", "p", "q"))
)
MLP1 = """def MLP1(float(B,M) I, float(O,M) W1, float(O) B1) -> (O1) {
O1(b,n) = B1(n)
O1(b,n) += I(b,m) * W1(n,m)
O1(b,n) = fmaxf(O1(b,n), 0)
}"""
TWO_LUT = """def 2LUT(float(E1,D) LUT1, int(B,L1) I1, float(E2,D) LUT2, int(B,L2) I2) -> (O1, O2) {
O1(i,j) +=! LUT1(I1(i,k),j)
O2(i,j) +=! LUT2(I2(i,k),j)
}"""
MLP3 = f"""def MLP3(float(B,N) O1, float(O,N) W2, float(O) B2, float(P,O) W3, float(P) B3, float(Q,P) W4, float(Q) B4)
-> (O2,O3,O4) {{
{LAYERS}
}}"""
TABLES: Shapes = {"LUT1": (100_000, 64), "LUT2": (100_000, 64)}
LOOKED_UP: Mapping[str, tuple[int, tuple[int, int]]] = {"I1": (100_000, (128, 50)), "I2": (100_000, (128, 50))}
DEEP: Shapes = {"W2": (128, 128), "B2": (128,), "W3": (64, 128), "B3": (64,), "W4": (32, 64), "B4": (32,)}


def _of(name: str, where: str, text: str, shapes: Shapes, mended: str = "", **more: object) -> Program:
    return Program(name, where, "comprehension", text, shapes, mended, **more)  # type: ignore[arg-type]


COMPREHENSIONS: tuple[Program, ...] = (
    _of(
        "mv, zeroed",
        "§3",
        "def mv(float(M,K) A, float(K) x) -> (C) {\nC(i) = 0 where i in 0:M\nC(i) += A(i,k) * x(k)\n}",
        {"A": (1024, 1024), "x": (1024,)},
        "the range of i is said in the first statement, which reads no tensor",
    ),
    _of(
        "mv",
        "§3",
        "def mv(float(M,K) A, float(K) x) -> (C) {\nC(i) +=! A(i,k) * x(k)\n}",
        {"A": (1024, 1024), "x": (1024,)},
    ),
    _of(
        "sgemm",
        "Fig. 1",
        "def sgemm(float a, float b, float(N,M) A, float(M,K) B, float(N,K) C0) -> (C) {\n"
        "C(i,j) = b * C0(i,j)\nC(i,j) += a * A(i,k) * B(k,j)\n}",
        {"A": (512, 512), "B": (512, 512), "C0": (512, 512)},
        "what C holds before is an argument of its own",
    ),
    _of(
        "fcrelu",
        "§3",
        "def fcrelu(float(B,I) in, float(O,I) weight, float(O) bias) -> (out) {\nout(b,o) = bias(o)\n"
        "out(b,o) += in(b,i) * weight(o,i)\nout(b,o) = fmaxf(out(b,o), 0)\n}",
        {"in": (128, 256), "weight": (256, 256), "bias": (256,)},
        "the bias has a value for each output, and the indices one name each",
    ),
    _of(
        "conv2d",
        "§3",
        "def conv2d(float(B,IP,H,W) in, float(OP,IP,KH,KW) weight) -> (out) {\n"
        "out(b,op,h,w) +=! in(b,ip, h + kh, w + kw) * weight(op,ip,kh,kw)\n}",
        {"in": (4, 16, 56, 56), "weight": (32, 16, 3, 3)},
    ),
    _of(
        "maxpool2x2",
        "§3",
        "def maxpool2x2(float(B,C,H,W) in) -> (out) {\nout(b,c,i,j) max=! in(b,c, 2 * i + kw, 2 * j + kh)\n"
        "where kw in 0:2, kh in 0:2\n}",
        {"in": (8, 32, 56, 56)},
    ),
    _of(
        "gather",
        "§3",
        "def gather(float(N) X, int(A,B) I) -> (Z) {\nZ(i,j) = X(I(i,j))\n}",
        {"X": (100_000,)},
        rows={"I": (100_000, (512, 512))},
    ),
    _of(
        "sconv2d",
        "§3",
        "def sconv2d(int sh, int sw, float(N,C,H,W) I, float(F,C,KH,KW) W1, float(F) B) -> (O) {\n"
        "O(n,f,h,w) = B(f)\nO(n,f,h,w) += I(n,c, sh * h + kh, sw * w + kw) * W1(f,c,kh,kw)\n}",
        {"I": (4, 16, 57, 57), "W1": (32, 16, 3, 3), "B": (32,)},
        "W is a size, so that the weights have another name",
        sizes={"sh": 2, "sw": 2},
    ),
    _of(
        "conv1d",
        "§3.1",
        "def conv1d(float(M) I, float(N) K) -> (O) {\nO(i) +=! K(x) * I(i + x)\n}",
        {"I": (100_000,), "K": (32,)},
        "the sum over x has its operator",
    ),
    _of(
        "outerProductMM",
        "§3.2",
        "def outerProductMM(float(P,Q,R) A, float(S,R,T) B) -> (O) {\nO(p,s,q,t) +=! A(p,q,r) * B(s,r,t)\n}",
        {"A": (16, 32, 64), "B": (16, 64, 32)},
    ),
    _of(
        "tmm",
        "§6",
        "def tmm(float(M,K) A, float(N,K) B) -> (C) {\nC(m,n) +=! A(m,kk) * B(n,kk)\n}",
        {"A": (128, 1024), "B": (1024, 1024)},
    ),
    _of(
        "tbmm",
        "§6",
        "def tbmm(float(B,N,M) X, float(B,K,M) Y) -> (Z) {\nZ(b,n,k) +=! X(b,n,m) * Y(b,k,m)\n}",
        {"X": (500, 26, 72), "Y": (500, 26, 72)},
    ),
    _of(
        "gconv",
        "§6",
        "def gconv(float(N,G,C,H,W) I, float(G,F,C,KH,KW) W1, float(G,F) B) -> (O) {\n"
        "O(n,g,o,h,w) +=! I(n,g,i, h + kh, w + kw) * W1(g,o,i,kh,kw)\n"
        "O(n,g,o,h,w) = O(n,g,o,h,w) + B(g,o)\n}",
        {"I": (4, 32, 16, 14, 14), "W1": (32, 16, 16, 3, 3), "B": (32, 16)},
        "the bias is read at indices that the result has",
    ),
    _of(
        "dconv",
        "A.4.3",
        "def dconv(int grp, float(N,F,H,W) I, float(G,FG,GC,KH,KW) W1) -> (O) {\n"
        "O(n,o,h,w) +=! I(n,gci, h + kh, w + kw) * W1(gci % grp, o / grp, gci / grp, kh, kw)\n"
        "where o in 0:FG*grp, gci in 0:F\n}",
        {"I": (2, 16, 28, 28), "W1": (4, 4, 4, 3, 3)},
        "the weights have the five dimensions that are read, and the ranges of o and gci are said",
        sizes={"grp": 4},
    ),
    _of("2LUT", "§6", TWO_LUT, TABLES, rows=LOOKED_UP),
    _of(
        "MLP1",
        "A.4.4",
        MLP1,
        {"I": (128, 512), "W1": (128, 512), "B1": (128,)},
        "the weights have as many columns as the input",
    ),
    _of("MLP3", "A.4.4", MLP3, {"O1": (128, 128), **DEEP}, "its input is an argument"),
    _of(
        "prodModel",
        "A.4.4",
        f"""{TWO_LUT}
{MLP1}
{MLP3}
def prodModel(float(E1,D) LUT1, int(B,L1) I1, float(E2,D) LUT2, int(B,L2) I2, float(N,D) W1, float(N) B1,
float(O,N) W2, float(O) B2, float(P,O) W3, float(P) B3, float(Q,P) W4, float(Q) B4) -> (C1,C2,O1,O2,O3,O4) {{
(C1,C2) = 2LUT(LUT1,I1,LUT2,I2)
C3(b,d) = C1(b,d) + C2(b,d)
O1 = MLP1(C3, W1, B1)
(O2,O3,O4) = MLP3(O1,W2,B2,W3,B3,W4,B4)
}}""",
        {**TABLES, "W1": (128, 64), "B1": (128,), **DEEP},
        "C1 and C2 are added, where the paper's concat is not there yet",
        rows=LOOKED_UP,
    ),
)
