"""Definitions of the library of Tensor Comprehensions (``tc/library/``, ``tc/benchmarks/``, ``python/tests/``).

In its language, with our names for the same parameters.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from tests.peers.comprehension import CONVOLUTION, ROUNDED, convolve, define, slide_windows
from tests.peers.program import Array, Data


def _layer(values: Array, weights: Array, bias: Array) -> Array:
    return np.maximum(values @ weights.T + bias, 0)


def _moments(values: Array) -> tuple[Array, Array]:
    return values.mean(1), (values**2).mean(1) - values.mean(1) ** 2


def _group_norm(values: Array, scale: Array, shift: Array) -> tuple[Array, Array, Array]:
    total, squares = values.sum((2, 3, 4)), (values**2).sum((2, 3, 4))
    count = np.prod(values.shape[2:])
    spread = squares / count - (total / count) ** 2 + 1e-5
    centred = values - (total / count)[:, :, None, None, None]
    result = scale[:, :, None, None] * centred / np.sqrt(spread)[:, :, None, None, None] + shift[:, :, None, None]
    return total, squares, result


PROGRAMS = (
    define(
        "convolution of stride 2",
        f"{CONVOLUTION}, float(M) B -> O",
        "O(n,m,h,w) +=! I(n,c,2*h+kh,2*w+kw) * W1(m,c,kh,kw)  O(n,m,h,w) = O(n,m,h,w) + B(m)",
        "I=1,2,7,7 W1=2,2,3,3 B=2",
        lambda T, W, B: convolve(T, W, 2) + B[:, None, None],
        ("", "W1=ssss"),
    ),
    define(
        "group_convolution",
        "float(N,G,C,H,W) I, float(G,F,C,KH,KW) W1 -> O",
        "O(n,g,f,h,w) +=! I(n,g,c,h+kh,w+kw) * W1(g,f,c,kh,kw)",
        "I=1,2,2,4,4 W1=2,2,2,2,2",
        lambda T, W: np.einsum("ngchwkl,gfckl->ngfhw", slide_windows(T, 2, 2), W),
    ),
    define(
        "depthwise of one dimension",
        "float(C,W) I, float(C,K) F -> O",
        "O(c,w) +=! I(c,w+k) * F(c,k)",
        "I=3,7 F=3,3",
        lambda T, F: np.einsum("cwk,ck->cw", sliding_window_view(T, 3, 1), F),
        ("", "I=csr", "F=csr"),
    ),
    define(
        "batch_matmul",
        "float(B,N,M) X, float(B,M,K) Y -> Z",
        "Z(b,n,k) +=! X(b,n,m) * Y(b,m,k)",
        "X=2,3,4 Y=2,4,3",
        np.matmul,
        ("", "X=sss", "X=dds"),
    ),
    *(
        define(
            f"matmul {first} {second}",
            f"float({sizes[0]}) A, float({sizes[1]}) B -> O",
            f"O(i,j) +=! A({first}) * B({second})",
            shapes,
            oracle,
            ("", "A=csr", "A=csr B=csr") if first == "i,k" else ("", "A=csc"),
        )
        for first, second, sizes, shapes, oracle in (
            ("i,k", "k,j", ("N,K", "K,M"), "A=3,4 B=4,2", lambda A, B: A @ B),
            ("k,i", "k,j", ("K,N", "K,M"), "A=4,3 B=4,2", lambda A, B: A.T @ B),
            ("k,i", "j,k", ("K,N", "M,K"), "A=4,3 B=2,4", lambda A, B: (B @ A).T),
        )
    ),
    define(
        "fcrelu",
        "float(B,M) I, float(N,M) W1, float(N) B1 -> O1",
        "O1(b,n) +=! I(b,m) * W1(n,m)  O1(b,n) = O1(b,n) + B1(n)  O1(b,n) = fmax(O1(b,n), 0)",
        "I=3,4 W1=5,4 B1=5",
        _layer,
        ("", "W1=csr"),
    ),
    define(
        "2fcrelu",
        "float(B,M) I, float(N,M) W1, float(N) B1, float(O,N) W2, float(O) B2 -> O1, O2",
        "O1(b,n) +=! I(b,m) * W1(n,m)  O1(b,n) = fmax(O1(b,n) + B1(n), 0)  "
        "O2(b,o) +=! O1(b,n) * W2(o,n)  O2(b,o) = fmax(O2(b,o) + B2(o), 0)",
        "I=3,4 W1=5,4 B1=5 W2=2,5 B2=2",
        lambda T, W1, B1, W2, B2: (_layer(T, W1, B1), _layer(_layer(T, W1, B1), W2, B2)),
        ("", "W1=csr W2=csr"),
    ),
    define(
        "lut",
        "float(E,D) LUT, int32(B,L) I -> O",
        "O(i,j) +=! LUT(I(i,k),j)",
        "LUT=6,3 I=2,4",
        lambda LUT, T: LUT[T].sum(1),
        ("",),
        below="I=6",
    ),
    define(
        "2lut",
        "float(E1,D) LUT1, int32(B,L1) I1, float(E2,D) LUT2, int32(B,L2) I2 -> O1, O2",
        "O1(i,j) +=! LUT1(I1(i,k),j)  O2(i,j) +=! LUT2(I2(i,k),j)",
        "LUT1=6,3 I1=2,4 LUT2=5,3 I2=2,2",
        lambda L1, I1, L2, I2: (L1[I1].sum(1), L2[I2].sum(1)),
        below="I1=6 I2=5",
    ),
    define(
        "Kronecker3_1",
        "float(D,N) W2, float(M,A,B,N) X -> Y",
        "Y(m,a,b,d) +=! X(m,a,b,n) * W2(d,n)",
        "W2=2,3 X=2,2,2,3",
        lambda W, X: X @ W.T,
        ("", "W2=csr"),
    ),
    define(
        "Kronecker3_2",
        "float(D,N) W1, float(M,A,N,B) X -> Y",
        "Y(m,a,d,b) +=! X(m,a,n,b) * W1(d,n)",
        "W1=2,3 X=2,2,3,2",
        lambda W, X: np.einsum("manb,dn->madb", X, W),
    ),
    define(
        "Kronecker3_FULL",
        "float(D,E) U, float(F,G) V, float(H,I) W, float(M,E,G,I) X -> Y",
        "P(m,e,g,h) +=! X(m,e,g,i) * W(h,i)  Q(m,e,f,h) +=! P(m,e,g,h) * V(f,g)  Y(m,d,f,h) +=! Q(m,e,f,h) * U(d,e)",
        "U=2,3 V=3,2 W=2,2 X=2,3,2,2",
        lambda U, V, W, X: np.einsum("megi,hi,fg,de->mdfh", X, W, V, U),
    ),
    define("sum_2D_1D", "float(N,K) I -> s", "s(n) +=! I(n,k)", "I=4,6", lambda T: T.sum(1), ("", "I=csr")),
    define(
        "mean_2D_1D",
        "float(N,K) I -> m",
        "m(n) +=! I(n,k)  m(n) = m(n) / K",
        "I=4,6",
        lambda T: T.mean(1),
        ("", "I=csr"),
        ROUNDED,
    ),
    define(
        "sum_squares_2D_1D",
        "float(N,K) I -> s",
        "s(n) +=! I(n,k) * I(n,k)",
        "I=4,6",
        lambda T: (T**2).sum(1),
        ("", "I=csr"),
    ),
    define(
        "sum_and_squares_2D_1D",
        "float(N,K) I -> s, q",
        "s(n) +=! I(n,k)  q(n) +=! I(n,k) * I(n,k)",
        "I=4,6",
        lambda T: (T.sum(1), (T**2).sum(1)),
        ("", "I=csr"),
    ),
    define(
        "moments2_2D_1D",
        "float(N,K) I -> m, v",
        "m(n) +=! I(n,k)  v(n) +=! I(n,k) * I(n,k)  m(n) = m(n) / K  v(n) = v(n) / K - m(n) * m(n)",
        "I=4,6",
        _moments,
        ("", "I=csr"),
        ROUNDED,
    ),
    define(
        "group_norm_fused",
        "float(N,G,D,H,W) I, float(G,D) a, float(G,D) b -> s, q, O",
        "s(n,g) +=! I(n,g,d,h,w)  "
        "q(n,g) +=! I(n,g,d,h,w) * I(n,g,d,h,w)  "
        "O(n,g,d,h,w) = a(g,d) * (I(n,g,d,h,w) - s(n,g) / (D * H * W)) "
        "* rsqrt((q(n,g) - s(n,g) * s(n,g) / (D * H * W)) / (D * H * W) + 1e-5) + b(g,d)",
        "I=2,2,2,3,3 a=2,2 b=2,2",
        _group_norm,
        tolerance=ROUNDED,
        data=Data.DENSE,
    ),
    define(
        "avgpool",
        "float(B,C,H,W) I -> O",
        "O(b,c,h,w) +=! I(b,c,h+kh,w+kw) / (2 * 2) where kh in 0:2, kw in 0:2",
        "I=1,2,4,4",
        lambda T: slide_windows(T, 2, 2).mean((-2, -1)),
        tolerance=ROUNDED,
    ),
    define(
        "maxpool",
        "float(B,C,H,W) I -> O",
        "O(b,c,h,w) max=! I(b,c,2*h+kh,2*w+kw) where kh in 0:2, kw in 0:2",
        "I=1,2,4,4",
        lambda T: slide_windows(T, 2, 2, 2).max((-2, -1)),
    ),
    define(
        "tensordot",
        "float(N,A,B,H,W) I0, float(N,B,C,H,W) I1 -> O",
        "O(n,a,c,h,w) +=! I0(n,a,b,h,w) * I1(n,b,c,h,w)",
        "I0=2,2,3,2,2 I1=2,3,2,2,2",
        lambda T, J: np.einsum("nabhw,nbchw->nachw", T, J),
    ),
    define("add", "float(N) A, float(N) B -> C", "C(i) = A(i) + B(i)", "A=9 B=9", np.add, ("", "A=s", "A=s B=s")),
    define("sub", "float(N) A, float(N) B -> C", "C(i) = A(i) - B(i)", "A=9 B=9", np.subtract, ("", "A=s", "A=s B=s")),
)
