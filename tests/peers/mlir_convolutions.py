"""Kernels of MLIR's sparsifier whose subscripts are sums: convolutions, slices and strides, as comprehensions."""

from __future__ import annotations

import numpy as np

from tests.peers.program import Array, Program


def _convolve(image: Array, filter_: Array, stride: int = 1, dilation: int = 1) -> Array:
    height = (image.shape[0] - (filter_.shape[0] - 1) * dilation - 1) // stride + 1
    width = (image.shape[1] - (filter_.shape[1] - 1) * dilation - 1) // stride + 1
    result = np.zeros((height, width))
    for k, row in enumerate(filter_):
        for m, value in enumerate(row):
            top, left = k * dilation, m * dilation
            result += value * image[top : top + height * stride : stride, left : left + width * stride : stride]
    return result


def _convolve_1d(image: Array, filter_: Array) -> Array:
    return np.convolve(image, filter_[::-1], "valid")


def _comprehension(operands: str, statement: str, dtype: str = "double") -> str:
    """The text of a kernel with affine subscripts, which are the other language's."""
    parameters = ", ".join(
        f"{dtype}({sizes}) {tensor}" for tensor, _, sizes in (pair.partition("=") for pair in operands.split())
    )
    return f"def kernel({parameters}) -> (O) {{ {statement} }}"


_CONV = _comprehension("I=H,W F=K,M", "O(i,j) +=! I(i+k,j+m) * F(k,m)", "int")
_IMAGES = ("", "I=csr", "I=dcsr", "I=csc", "I=coo", "F=csr", "I=csr F=csr", "I=dcsr F=dcsr")

PROGRAMS = (
    Program(
        "sparse_matmul_slice",
        _comprehension("A=M,K B=K,N", "O(i,j) +=! A(i+1,k) * B(k,j)"),
        "A=5,8 B=8,4",
        lambda A, B: A[1:5] @ B,
        ("", "A=csr", "A=dcsr", "A=coo"),
        language="comprehension",
    ),
    Program(
        "sparse_matmul_slice strided",
        _comprehension("A=M,K B=K,N", "O(i,j) +=! A(2*i,k) * B(k,j)"),
        "A=8,8 B=8,4",
        lambda A, B: A[::2] @ B,
        ("", "A=csr", "A=dcsr", "A=coo"),
        language="comprehension",
    ),
    Program(
        "sparse_filter_conv2d",
        _CONV,
        "I=8,8 F=3,3",
        _convolve,
        _IMAGES,
        dtypes="I=int32 F=int32",
        language="comprehension",
    ),
    Program(
        "sparse_conv_2d_55",
        _CONV,
        "I=10,10 F=5,5",
        _convolve,
        ("", "I=dcsr", "I=dcsr F=dcsr"),
        dtypes="I=int32 F=int32",
        language="comprehension",
    ),
    Program(
        "dual_sparse_conv_2d",
        _CONV,
        "I=8,8 F=3,3",
        _convolve,
        ("I=csr F=csr", "I=dcsr F=dcsr", "I=csr F=dd", "I=csc F=csc"),
        dtypes="I=int32 F=int32",
        language="comprehension",
    ),
    Program(
        "sparse_conv_1d_nwc_wcf",
        _comprehension("I=N,W,C F=K,C,L", "O(n,w,f) +=! I(n,w+k,c) * F(k,c,f)"),
        "I=3,8,1 F=3,1,1",
        lambda T, F: np.stack([_convolve_1d(T[n, :, 0], F[:, 0, 0]) for n in range(3)])[:, :, None],
        ("", "I=sss", "I=dss", "F=sss"),
        language="comprehension",
    ),
    Program(
        "sparse_conv_3d",
        _comprehension("I=H,W,D F=K,L,M", "O(i,j,k) +=! I(i+p,j+q,k+r) * F(p,q,r)"),
        "I=4,4,4 F=2,2,2",
        lambda T, F: sum(
            F[p, q, r] * T[p : p + 3, q : q + 3, r : r + 3] for p in range(2) for q in range(2) for r in range(2)
        ),
        ("", "I=csf", "I=dss", "F=csf"),
        language="comprehension",
    ),
    Program(
        "sparse_strided_conv_2d",
        _comprehension("I=H,W F=K,M", "O(i,j) +=! I(2*i+k,2*j+m) * F(k,m)"),
        "I=9,9 F=3,3",
        lambda T, F: _convolve(T, F, stride=2),
        ("", "I=csr", "I=dcsr", "F=csr"),
        language="comprehension",
    ),
    Program(
        "sparse_dilated_conv_2d",
        _comprehension("I=H,W F=K,M", "O(i,j) +=! I(i+2*k,j+2*m) * F(k,m)"),
        "I=8,8 F=3,3",
        lambda T, F: _convolve(T, F, dilation=2),
        ("", "I=csr", "I=dcsr", "F=csr"),
        language="comprehension",
    ),
    Program(
        "sparse_conv_2d_nchw_fchw",
        _comprehension("I=N,C,H,W F=L,C,K,M", "O(n,f,i,j) +=! I(n,c,i+k,j+m) * F(f,c,k,m)"),
        "I=1,2,6,6 F=2,2,3,3",
        lambda T, F: np.stack([sum(_convolve(T[0, c], F[f, c]) for c in range(2)) for f in range(2)])[None],
        ("", "I=ssss", "F=ssss"),
        language="comprehension",
    ),
    Program(
        "sparse_pooling_nhwc sum",
        _comprehension("I=H,V W=K,M", "O(i,j) +=! I(i+k,j+m) * W(k,m)"),
        "I=4,4 W=3,3",
        lambda T, W: _convolve(T, W),
        ("I=csr", "I=dcsr"),
        language="comprehension",
    ),
)
