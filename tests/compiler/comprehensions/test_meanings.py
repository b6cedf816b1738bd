"""Programs beside what a person would write in NumPy: strides and dilations, more dimensions, origins, guards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view as windows

import heddle as hd

_CONV = "def f(float(B,C,H,W) I, float(O,C,KH,KW) K) -> (Y) { Y(b,o,h,w) +=! "

MEANINGS: dict[str, tuple[str, tuple[tuple[int, ...], ...], Callable[..., Any]]] = {
    "dilated": (
        _CONV + "I(b,c,h+2*kh,w+2*kw) * K(o,c,kh,kw) }",
        ((2, 3, 9, 10), (4, 3, 3, 2)),
        lambda i, k: np.einsum("bihwyx,oiyx->bohw", windows(i, (5, 3), (2, 3))[..., ::2, ::2], k),
    ),
    "strided and dilated": (
        _CONV + "I(b,c,3*h+2*kh,2*w+kw) * K(o,c,kh,kw) }",
        ((2, 3, 9, 10), (4, 3, 3, 2)),
        lambda i, k: np.einsum("bihwyx,oiyx->bohw", windows(i, (5, 2), (2, 3))[:, :, ::3, ::2, ::2], k),
    ),
    "three dimensions": (
        """def f(float(N,C,D,H,W) I, float(O,C,KD,KH,KW) K) -> (Y) {
            Y(n,o,d,h,w) +=! I(n,c,d+kd,h+kh,w+kw) * K(o,c,kd,kh,kw) }""",
        ((2, 2, 5, 6, 7), (3, 2, 2, 3, 2)),
        lambda i, k: np.einsum("ncdhwxyz,ocxyz->nodhw", windows(i, (2, 3, 2), (2, 3, 4)), k),
    ),
    "transposed, inner part": (
        "def f(float(N) I, float(K) W) -> (Y) { Y(i) +=! I(i-x) * W(x) }",
        ((10,), (3,)),
        lambda i, k: np.convolve(i, k, "valid"),
    ),
    "transposed, all": (
        """def f(float(N) I, float(K) W) -> (Y) {
            Y(i) +=! (i-x >= 0 && i-x < N) ? I(i-x) * W(x) : 0 where i in 0:N+K-1, x in 0:K }""",
        ((10,), (3,)),
        np.convolve,
    ),
    "triangle": (
        "def f(float(N,N) A, float(N) x) -> (y) { y(i) +=! i >= j ? A(i,j) * x(j) : 0 }",
        ((6, 6), (6,)),
        lambda a, x: np.tril(a) @ x,
    ),
    "two triangles": (
        "def f(float(N,N) A, float(N,N) B) -> (C) { C(i,j) +=! (i >= k && k >= j) ? A(i,k) * B(k,j) : 0 }",
        ((6, 6), (6, 6)),
        lambda a, b: np.tril(a) @ np.tril(b),
    ),
    "clamped": (
        "def f(float(N) x) -> (y) { y(i) = x(min(max(i-2, 0), N-1)) where i in 0:N+4 }",
        ((9,),),
        lambda x: x[np.clip(np.arange(13) - 2, 0, 8)],
    ),
    "bounds with max": (
        """def f(float(M) a, float(N) b) -> (y) {
            y(i) = (i < M ? a(i) : 0) + (i < N ? b(i) : 0) where i in 0:max(M,N) }""",
        ((5,), (9,)),
        lambda a, b: np.pad(a, (0, 4)) + b,
    ),
    "KRU for each of a batch": (
        """def f(float(M,E,N) W0, float(M,D,P) W1, float(M,N,P) X) -> (Y) {
            XW(m,n,d) +=! X(m,n,p) * W1(m,d,p)
            Y(m,e,d) +=! XW(m,n,d) * W0(m,e,n) }""",
        ((2, 3, 4), (2, 5, 3), (2, 4, 3)),
        lambda v, w, x: np.einsum("mab,mea,mdb->med", x, v, w),
    ),
    "masked": (
        _CONV.replace("K)", "K, float(H,W) M)") + "I(b,c,h+kh,w+kw) * K(o,c,kh,kw) * M(h+kh,w+kw) }",
        ((2, 3, 6, 5), (2, 3, 3, 2), (6, 5)),
        lambda i, k, m: np.einsum("bihwyx,oiyx->bohw", windows(i * m, (3, 2), (2, 3)), k),
    ),
    "average": (
        """def f(float(B,H,W) I) -> (o) {
            o(b,h,w) +=! I(b,2*h+y,2*w+x) where y in 0:2, x in 0:2
            o(b,h,w) = o(b,h,w) / 4 }""",
        ((2, 7, 6),),
        lambda i: windows(i, (2, 2), (1, 2))[:, ::2, ::2].mean((-1, -2)),
    ),
    "repeated": ("def f(float(N) x) -> (y) { y(i) = x(i/3) }", ((5,),), lambda x: np.repeat(x, 3)),
    "one row": ("def f(float(N,4) A) -> (y) { y(i) = A(i/4, i%4) }", ((5, 4),), np.ravel),
    "mirrored": (
        "def f(float(N) x) -> (y) { y(i) = x(min(i, N-1-i)) }",
        ((7,),),
        lambda x: x[np.minimum(np.arange(7), 6 - np.arange(7))],
    ),
    "sums of what is repeated": (
        "def f(float(N) x, float(K) w) -> (y) { y(i) +=! x((i+k)/2) * w(k) }",
        ((5,), (3,)),
        lambda x, w: np.correlate(np.repeat(x, 2), w, "valid"),
    ),
    "words that C keeps for itself": (
        "def f(float(static) register) -> (volatile) { volatile(for) = 2 * register(for) }",
        ((5,),),
        lambda x: 2 * x,
    ),
    "behind a fold": (
        "def f(float(N) x) -> (y) { y(i) = x(max(3-i, i-3)) }",
        ((3,),),
        lambda x: x[np.abs(np.arange(1, 6) - 3)],
    ),
    "backwards": ("def f(float(N) x) -> (y) { y(i) = x(N-1-i) }", ((9,),), lambda x: x[::-1]),
    "joined": (
        "def f(float(M,N) A, float(M,K) B) -> (O) { O(m,i) = i < N ? A(m,i) : B(m,i-N) where i in 0:N+K }",
        ((3, 4), (3, 5)),
        lambda a, b: np.concatenate([a, b], 1),
    ),
    "concat of what was computed": (
        """def cat(float(M,N) P, float(M,K) Q) -> (R) { R = concat(P, Q, P) }
        def f(float(M,N) A, float(K,N) B, float(M,i0) C) -> (O) {
            T(m,k) +=! A(m,n) * B(k,n)
            U = cat(T, C)
            (V) = concat(U, A)
            O(m,j) = fmax(V(m,j), 0) }""",
        ((3, 4), (2, 4), (3, 5)),
        lambda a, b, c: np.maximum(np.concatenate([a @ b.T, c, a @ b.T, a], 1), 0),
    ),
}


@pytest.mark.combinations(4, "name")
@pytest.mark.parametrize("target", ["c", "interpreter"])
@pytest.mark.parametrize("name", MEANINGS)
def test_a_program_is_what_numpy_computes(name: str, target: str) -> None:
    text, shapes, meaning = MEANINGS[name]
    random = np.random.default_rng(4)
    values = [random.standard_normal(shape).astype("float32") for shape in shapes]
    kernel = hd.compile(text, language="comprehension", target=target)
    main = text[text.index("def f") :]
    parameters = [part.split()[-1] for part in main[main.index("(") + 1 : main.index(") ->")].split(", ")]
    found = kernel(**dict(zip(parameters, values, strict=True))).to_numpy()
    np.testing.assert_allclose(found, meaning(*values), rtol=1e-4, atol=1e-4)
