"""The programs, in the paper's sizes, and what NumPy and PyTorch compute in their place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from benchmarks.comprehensions.case import Arrays, Case
from benchmarks.comprehensions.typed_programs import TYPED_PROGRAMS

LAYER = "O{n}({b},{o}) = B{n}({o}) O{n}({b},{o}) += {x}({b},{i})*W{n}({o},{i}) O{n}({b},{o}) = fmaxf(O{n}({b},{o}),0)"


def _relu_layer(x: NDArray[Any], w: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(np.maximum(x @ w.T + b, 0))


def _mlp(a: Arrays) -> NDArray[Any]:
    x = _relu_layer(a["I"], a["W2"], a["B2"])
    return _relu_layer(_relu_layer(x, a["W3"], a["B3"]), a["W4"], a["B4"])


def _mlp_torch(torch: Any, a: Mapping[str, Any]) -> Any:
    x = a["I"]
    for n in (2, 3, 4):
        x = torch.relu(torch.nn.functional.linear(x, a[f"W{n}"], a[f"B{n}"]))
    return x


def _gconv(a: Arrays) -> NDArray[Any]:
    windows = sliding_window_view(a["I"], (3, 3), (3, 4))
    return np.asarray(np.einsum("ngihwyx,goiyx->ngohw", windows, a["W"], optimize=True))


def _gconv_torch(torch: Any, a: Mapping[str, Any]) -> Any:
    n, groups, channels, height, width = a["I"].shape
    filters = a["W"].shape[1]
    flat = a["W"].reshape(groups * filters, channels, 3, 3)
    made = torch.nn.functional.conv2d(a["I"].reshape(n, groups * channels, height, width), flat, groups=groups)
    return made.reshape(n, groups, filters, height - 2, width - 2)


def _softmax(a: Arrays) -> NDArray[Any]:
    e = np.exp(a["I"] - a["I"].max(1, keepdims=True))
    return np.asarray(e / e.sum(1, keepdims=True))


def _norm(a: Arrays) -> NDArray[Any]:
    x = a["I"]
    mean, square = x.mean((2, 3, 4), keepdims=True), (x * x).mean((2, 3, 4), keepdims=True)
    return np.asarray((x - mean) / np.sqrt(square - mean * mean + 1e-2))


def _norm_torch(torch: Any, a: Mapping[str, Any]) -> Any:
    n, groups, channels, height, width = a["I"].shape
    flat = a["I"].reshape(n, groups * channels, height, width)
    return torch.nn.functional.group_norm(flat, groups, eps=1e-2).reshape(a["I"].shape)


def _bag(torch: Any, table: Any, rows: Any) -> Any:
    return torch.nn.functional.embedding_bag(rows, table, mode="sum")


TMM = "def tmm(float(M,K) A, float(N,K) B) -> (C) { C(m,n) +=! A(m,kk) * B(n,kk) }"
MLP = (
    "def mlp3(float(B,N) I, float(O,N) W2, float(O) B2, float(P,O) W3, float(P) B3, float(Q,P) W4, float(Q) B4) -> (O4)"
    + " { "
    + " ".join(
        LAYER.format(n=n, x=x, b="b", i=i, o=o)
        for n, x, i, o in ((2, "I", "n", "o"), (3, "O2", "o", "p"), (4, "O3", "p", "q"))
    )
    + " }"
)


def _tmm(m: int, n: int, k: int, target: float, paper: str, left_out: Mapping[str, str] | None = None) -> Case:
    return Case(
        f"tmm {m} x {n} x {k}",
        TMM,
        {"A": (m, k), "B": (n, k)},
        lambda a: a["A"] @ a["B"].T,
        lambda torch, a: a["A"] @ a["B"].t(),
        target,
        paper,
        left_out=left_out or {},
    )


ONE_BY_ONE = {"loops": "8.6e9 products, one after the other: a call takes longer than all rounds of the others"}


CASES = (
    _tmm(128, 256, 32, 1.0, "1.0 of cuBLAS"),
    _tmm(128, 1024, 1024, 0.7, "0.43 to 0.98 of cuBLAS"),
    _tmm(128, 16384, 4096, 0.6, "0.24 to 0.30 of cuBLAS", ONE_BY_ONE),
    Case(
        "tbmm",
        "def tbmm(float(B,N,M) X, float(B,K,M) Y) -> (Z) { Z(b,n,k) +=! X(b,n,m) * Y(b,k,m) }",
        {"X": (500, 26, 72), "Y": (500, 26, 72)},
        lambda a: a["X"] @ a["Y"].swapaxes(1, 2),
        lambda torch, a: torch.bmm(a["X"], a["Y"].transpose(1, 2)),
        1.2,
    ),
    Case(
        "grouped convolution",
        "def gconv(float(N,G,C,H,W1) I, float(G,F,C,KH,KW) W) -> (O) "
        "{ O(n,g,o,h,w) +=! I(n,g,i,h+kh,w+kw) * W(g,o,i,kh,kw) }",
        {"I": (4, 32, 4, 56, 56), "W": (32, 4, 4, 3, 3)},
        _gconv,
        _gconv_torch,
        1.2,
    ),
    Case(
        "1LUT",
        "def lut(float(E,D) T, int(B,L) I) -> (O) { O(i,j) +=! T(I(i,k),j) }",
        {"T": (1_000_000, 64), "I": (128, 50)},
        lambda a: a["T"][a["I"]].sum(1),
        lambda torch, a: _bag(torch, a["T"], a["I"]),
        1.3,
        rows={"I": 1_000_000},
        hand=("reorder(i, k, j)", "parallelize(j, CPUVector, NoRaces)"),
    ),
    Case(
        "2LUT",
        "def lut2(float(E,D) T, int(B,L) I, float(E,D) U, int(B,L) J) -> (O, P) "
        "{ O(i,j) +=! T(I(i,k),j)  P(i,j) +=! U(J(i,k),j) }",
        {"T": (1_000_000, 64), "I": (128, 50), "U": (1_000_000, 64), "J": (128, 50)},
        lambda a: (a["T"][a["I"]].sum(1), a["U"][a["J"]].sum(1)),
        lambda torch, a: (_bag(torch, a["T"], a["I"]), _bag(torch, a["U"], a["J"])),
        2.0,
        rows={"I": 1_000_000, "J": 1_000_000},
    ),
    Case(
        "MLP3",
        MLP,
        {"I": (128, 128), "W2": (128, 128), "B2": (128,), "W3": (64, 128), "B3": (64,), "W4": (32, 64), "B4": (32,)},
        _mlp,
        _mlp_torch,
        1.5,
    ),
    Case(
        "KRU",
        "def kru(float(A,R) V, float(B,S) W, float(M,R,S) X) -> (Y) "
        "{ T(m,r,b) +=! X(m,r,s) * W(b,s)  Y(m,a,b) +=! T(m,r,b) * V(a,r) }",
        {"V": (16, 16), "W": (16, 16), "X": (256, 16, 16)},
        lambda a: np.einsum("mrs,ar,bs->mab", a["X"], a["V"], a["W"], optimize=True),
        lambda torch, a: torch.einsum("mrs,ar,bs->mab", a["X"], a["V"], a["W"]),
        1.0,
    ),
    Case(
        "softmax",
        "def softmax(float(N,D) I) -> (O) { m(n) max=! I(n,d)  s(n) +=! exp(I(n,d) - m(n))  "
        "O(n,d) = exp(I(n,d) - m(n)) / s(n) }",
        {"I": (512, 512)},
        _softmax,
        lambda torch, a: torch.softmax(a["I"], 1),
        1.0,
    ),
    Case(
        "group norm",
        "def norm(float(N,G,D,H,W) I) -> (O) { S(n,g) +=! I(n,g,d,h,w)  Q(n,g) +=! I(n,g,d,h,w) * I(n,g,d,h,w)  "
        "O(n,g,d,h,w) = (I(n,g,d,h,w) - S(n,g) / (D*H*W)) * rsqrt(Q(n,g) / (D*H*W) - S(n,g) * S(n,g) / "
        "(float(D*H*W) * (D*H*W)) + 1e-2) }",
        {"I": (4, 32, 16, 28, 28)},
        _norm,
        _norm_torch,
        1.0,
    ),
    Case(
        "pruned layer",
        "def layer(float(I,B) A, float(O,I) W) -> (y) { y(o,b) +=! A(i,b) * W(o,i) }",
        {"A": (1024, 128), "W": (1024, 1024)},
        lambda a: a["W"] @ a["A"],
        lambda torch, a: a["W"] @ a["A"],
        2.0,
        pruned="W",
    ),
    *TYPED_PROGRAMS,
)
