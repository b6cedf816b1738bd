"""Programs as people type them: products that are scaled, transposed, in batches, with statements around them;
convolutions and a maximum of windows. Wanted of each is 0.7 of the fastest library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from benchmarks.comprehensions.case import Arrays, Case

WANTED = 0.7
GEMM = "def gemm(float a, float b, float(N,K) A, float(K,M) B, float(N,M) D, float(M) c) -> (C) { %s }"
POOL = "def pool(float(N,C,H,V) I) -> (O) { O(n,c,h,w) max=! I(n,c,2*h+kh,2*w+kw) where kh in 0:2, kw in 0:2 }"


def _gemm(name: str, body: str, size: int, compute: Callable[[Any], Any]) -> Case:
    """``compute`` takes arrays of NumPy or of PyTorch."""
    shapes = {"a": (), "b": (), "A": (size, size), "B": (size, size), "D": (size, size), "c": (size,)}
    return Case(f"{name} {size}", GEMM % body, shapes, compute, lambda torch, x: compute(x), WANTED)


def _batch(count: int, rows: int, columns: int, depth: int) -> Case:
    return Case(
        f"batch {count} x {rows} x {columns} x {depth}",
        "def bmm(float(B,N,K) X, float(B,K,M) Y) -> (Z) { Z(b,n,m) +=! X(b,n,k) * Y(b,k,m) }",
        {"X": (count, rows, depth), "Y": (count, depth, columns)},
        lambda x: x["X"] @ x["Y"],
        lambda torch, x: torch.bmm(x["X"], x["Y"]),
        WANTED,
    )


def _convolution(name: str, stride: int, dilation: int) -> Case:
    rows, columns = (f"{stride}*{out} + {dilation}*{inside}" for out, inside in (("h", "kh"), ("w", "kw")))
    span = 2 * dilation + 1

    def compute(x: Arrays) -> NDArray[Any]:
        windows = sliding_window_view(x["I"], (span, span), (2, 3))
        windows = windows[:, :, ::stride, ::stride, ::dilation, ::dilation]
        return np.tensordot(windows, x["W"], ((1, 4, 5), (1, 2, 3))).transpose(0, 3, 1, 2)

    return Case(
        name,
        "def conv(float(N,C,H,V) I, float(M,C,KH,KW) W) -> (O) "
        f"{{ O(n,m,h,w) +=! I(n,c,{rows},{columns}) * W(m,c,kh,kw) }}",
        {"I": (4, 16, 30, 30), "W": (16, 16, 3, 3)},
        compute,
        lambda torch, x: torch.nn.functional.conv2d(x["I"], x["W"], stride=stride, dilation=dilation),
        WANTED,
    )


def _largest(x: Arrays) -> NDArray[Any]:
    height, width = (size // 2 * 2 for size in x["I"].shape[2:])
    images = x["I"][:, :, :height, :width]
    return np.asarray(np.maximum.reduce([images[:, :, a::2, b::2] for a in (0, 1) for b in (0, 1)]))


def _largest_torch(torch: Any, x: Any) -> Any:
    return torch.nn.functional.max_pool2d(x["I"], 2)


TYPED_PROGRAMS = (
    _gemm(
        "sgemm",
        "C(i,j) = b*D(i,j)  C(i,j) += a*A(i,k)*B(k,j)",
        512,
        lambda x: x["b"] * x["D"] + x["a"] * (x["A"] @ x["B"]),
    ),
    _gemm(
        "sgemm, scale behind",
        "C(i,j) = b*D(i,j)  C(i,j) += A(i,k)*B(k,j)*a",
        300,
        lambda x: x["b"] * x["D"] + x["a"] * (x["A"] @ x["B"]),
    ),
    _gemm("product, scaled", "C(i,j) +=! a*(A(i,k)*B(k,j))", 127, lambda x: x["a"] * (x["A"] @ x["B"])),
    _gemm(
        "product, bias and rectifier",
        "C(i,j) = c(j)  C(i,j) += A(i,k)*B(k,j)  C(i,j) = fmax(C(i,j), 0)",
        256,
        lambda x: (x["A"] @ x["B"] + x["c"]).clip(0),
    ),
    _batch(300, 10, 10, 30),
    _batch(8, 127, 127, 127),
    _convolution("strided convolution", 2, 1),
    _convolution("dilated convolution", 1, 2),
    Case("maximum of windows", POOL, {"I": (4, 8, 112, 112)}, _largest, _largest_torch, WANTED),
    Case(
        "products of columns and rows",
        "def outer(float(M,K) A, float(K,N) B) -> (C) { O(k,i,j) = A(i,k) * B(k,j)  C(i,j) +=! O(k,i,j) }",
        {"A": (96, 96), "B": (96, 96)},
        lambda x: x["A"] @ x["B"],
        lambda torch, x: x["A"] @ x["B"],
        WANTED,
    ),
)
