"""Kernels of MLIR's sparsifier (llvm-project, ``mlir/test/Integration/Dialect/SparseTensor/CPU/``) in its encodings."""

from __future__ import annotations

import numpy as np

from tests.peers.program import Array, Data, Program, combine


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
        "sparse_matvec",
        "x(i) = A(i,j) * b(j)",
        "A=4,8 b=8",
        lambda A, b: A @ b,
        ("", "A=csr", "A=dcsr", "A=csc", "A=dcsc", "A=coo", "A=bcsr(2,2)"),
        dtypes="A=int32 b=int32",
    ),
    Program(
        "sparse_matmul dense × csr",
        "C(i,j) = A(i,k) * B(k,j)",
        "A=4,8 B=8,4",
        lambda A, B: A @ B,
        (*combine("A=dd|csr|dcsr B=csr|dcsr|dd"), "C=csr A=csr B=csr", "C=dcsr A=dcsr B=dcsr"),
    ),
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
        "sparse_sampled_matmul",
        "X(i,j) = S(i,j) * A(i,k) * B(k,j)",
        "S=5,5 A=5,10 B=10,5",
        lambda S, A, B: S * (A @ B),
        ("", "S=csr", "S=dcsr", "S=dcsr X=dcsr", "S=csr X=csr", "S=coo"),
    ),
    Program(
        "sparse_sampled_mm_fusion",
        "X(i,j) = S(i,j) * A(i,k) * B(k,j) + S(i,j) * C(i,k) * D(k,j)",
        "S=4,4 A=4,4 B=4,4 C=4,4 D=4,4",
        lambda S, A, B, C, D: S * (A @ B) + S * (C @ D),
        ("", "S=csr", "S=csr X=csr"),
    ),
    Program(
        "sparse_quantized_matmul",
        "C(i,j) = (A(i,k) - 2) * B(k,j)",
        "A=5,3 B=3,6",
        lambda A, B: (A - 2) @ B,
        ("", "B=csr", "B=dcsr"),
        dtypes="A=int64 B=int64",
    ),
    Program(
        "sparse_mttkrp",
        "a(i,j) = b(i,k,l) * d(l,j) * c(k,j)",
        "b=2,3,4 d=4,5 c=3,5",
        lambda b, d, c: np.einsum("ikl,lj,kj->ij", b, d, c),
        ("", "b=csf", "b=dss", "b=coo", "b=csf d=csr c=csr"),
    ),
    Program("sparse_ttv and reductions", "x = a(i)", "a=32", lambda a: a.sum(), ("", "a=s"), dtypes="a=int32"),
    Program("sparse_reductions float", "x = a(i)", "a=32", lambda a: a.sum(), ("", "a=s"), dtypes="a=float32"),
    Program("sparse_reductions_prod", "x = prod(i, a(i))", "a=8", lambda a: a.prod(), ("", "a=s"), density=0.9),
    Program(
        "sparse_reductions_prod of csr",
        "x(i) = prod(j, a(i,j))",
        "a=4,8",
        lambda a: a.prod(1),
        ("", "a=csr", "a=dcsr"),
        density=0.9,
    ),
    Program("sparse_reductions_min", "x = min(i, a(i))", "a=8", lambda a: a.min(), ("", "a=s"), dtypes="a=int32"),
    Program("sparse_reductions max", "x = max(i, a(i))", "a=8", lambda a: a.max(), ("", "a=s"), dtypes="a=int32"),
    Program("sparse_reductions and", "x = all(i, a(i))", "a=8", lambda a: a.all(), ("", "a=s"), dtypes="a=bool"),
    Program("sparse_reductions or", "x = any(i, a(i))", "a=8", lambda a: a.any(), ("", "a=s"), dtypes="a=bool"),
    Program(
        "sparse_out_reduction",
        "x(i,j) = a(i,j,k) * b(i,j,k)",
        "a=4,4,4 b=4,4,4",
        lambda a, b: (a * b).sum(2),
        ("", "a=csf b=csf", "x=dcsr a=csf b=csf", "x=csr a=dss b=dss"),
        dtypes="a=int32 b=int32",
    ),
    Program(
        "sparse_out_mult_elt",
        "x(i,j) = a(i,j) * b(i,j)",
        "a=8,16 b=8,16",
        np.multiply,
        ("", "x=dcsr a=dcsr b=dcsr", "x=csr a=csr b=csr", "x=ss a=ss b=dd"),
    ),
    Program(
        "sparse_out_simple",
        "x(i,j) = a(i,j) * a(i,j) * a(i,j)",
        "a=8,16",
        lambda a: a**3,
        ("", "x=csr a=csr", "x=dcsr a=dcsr", "x=ss a=coo"),
    ),
    Program(
        "sparse_scale",
        "x(i,j) = a(i,j) * 2",
        "a=8,8",
        lambda a: a * 2,
        ("", "x=csr a=csr", "x=ds a=ds"),
        dtypes="a=float32",
    ),
    Program(
        "sparse_sum_bf16 as float32",
        "x = a(i,j)",
        "a=8,8",
        lambda a: a.sum(),
        ("", "a=csr", "a=dcsr"),
        dtypes="a=float32",
    ),
    Program("sparse_sum_c32", "x = a(i,j)", "a=8,8", lambda a: a.sum(), ("", "a=csr"), dtypes="a=complex64"),
    Program(
        "sparse_complex64",
        "x(i) = a(i) + b(i)",
        "a=32 b=32",
        np.add,
        ("", "a=s b=s", "x=s a=s b=s"),
        dtypes="a=complex128 b=complex128",
    ),
    Program(
        "sparse_complex32",
        "x(i) = a(i) * b(i)",
        "a=32 b=32",
        np.multiply,
        ("", "a=s b=s", "x=s a=s b=s"),
        dtypes="a=complex64 b=complex64",
    ),
    Program(
        "sparse_complex_ops sub",
        "x(i) = a(i) - b(i)",
        "a=32 b=32",
        np.subtract,
        ("", "x=s a=s b=s"),
        dtypes="a=complex128 b=complex128",
    ),
    Program(
        "sparse_complex_ops sin",
        "x(i) = sin(a(i))",
        "a=8",
        np.sin,
        ("", "x=s a=s"),
        dtypes="a=complex128",
        data=Data.FRACTIONS,
        tolerance=1e-13,
    ),
    Program(
        "sparse_complex_ops sqrt",
        "x(i) = sqrt(a(i))",
        "a=8",
        np.sqrt,
        ("", "x=s a=s"),
        dtypes="a=complex128",
        tolerance=1e-14,
    ),
    Program(
        "sparse_complex_ops tanh",
        "x(i) = tanh(a(i))",
        "a=8",
        np.tanh,
        ("", "x=s a=s"),
        dtypes="a=complex128",
        data=Data.FRACTIONS,
        tolerance=1e-13,
    ),
    Program(
        "sparse_complex_ops div by a scalar",
        "x(i) = a(i) / s",
        "a=8 s=",
        lambda a, s: a / s,
        ("", "x=s a=s"),
        dtypes="a=complex128 s=complex128",
        tolerance=1e-14,
    ),
    Program(
        "sparse_complex_ops abs",
        "x(i) = abs(a(i))",
        "a=8",
        np.abs,
        ("", "x=s a=s"),
        dtypes="a=complex128",
        tolerance=1e-14,
    ),
    Program("sparse_abs", "x(i) = abs(a(i))", "a=32", np.abs, ("", "a=s", "x=s a=s")),
    Program("sparse_abs of integers", "x(i) = abs(a(i))", "a=32", np.abs, ("", "x=s a=s"), dtypes="a=int32"),
    Program("sparse_tanh", "x(i) = tanh(a(i))", "a=32", np.tanh, ("", "x=s a=s"), tolerance=1e-15),
    Program("sparse_unary expm1", "x(i) = expm1(a(i))", "a=32", np.expm1, ("", "x=s a=s"), tolerance=1e-15),
    Program(
        "sparse_unary log1p",
        "x(i) = log1p(a(i))",
        "a=32",
        np.log1p,
        ("", "x=s a=s"),
        data=Data.FRACTIONS,
        tolerance=1e-15,
    ),
    Program("sparse_unary complement", "x(i) = a(i) == 0", "a=32", lambda a: a == 0, ("", "a=s")),
    Program("sparse_unary negation", "x(i,j) = -a(i,j)", "a=4,8", np.negative, ("", "x=dcsr a=dcsr", "x=csr a=csr")),
    Program(
        "sparse_unary clamp", "X(i,j) = max(2, min(7, A(i,j)))", "A=4,8", lambda A: np.clip(A, 2, 7), ("", "A=dcsr")
    ),
    Program(
        "sparse_binary min",
        "x(i) = min(a(i), b(i))",
        "a=32 b=32",
        np.minimum,
        ("", "a=s b=s", "x=s a=s b=s"),
        dtypes="a=int32 b=int32",
    ),
    Program("sparse_binary mul with dense", "x(i) = a(i) * b(i)", "a=32 b=32", np.multiply, ("a=s", "x=s a=s")),
    Program(
        "sparse_binary set difference",
        "x(i) = a(i) * (b(i) == 0)",
        "a=32 b=32",
        lambda a, b: a * (b == 0),
        ("", "a=s b=s", "x=s a=s b=s"),
    ),
    Program(
        "sparse_binary add",
        "x(i,j) = a(i,j) + b(i,j)",
        "a=4,4 b=4,4",
        np.add,
        ("", "a=dcsr b=dcsr", "x=csr a=csr b=csr", "x=csr a=dcsr b=csr", "x=dcsr a=dcsr b=dcsr"),
    ),
    Program(
        "sparse_binary intersection",
        "x(i,j) = (a(i,j) + b(i,j)) * (a(i,j) != 0) * (b(i,j) != 0)",
        "a=4,8 b=4,8",
        lambda a, b: (a + b) * ((a != 0) & (b != 0)),
        ("", "a=dcsr b=dcsr", "x=dcsr a=dcsr b=dcsr"),
        density=0.6,
    ),
    Program(
        "sparse_binary threshold",
        "x(i,j) = max(-1, min(1, a(i,j) - b(i,j)))",
        "a=4,4 b=4,4",
        lambda a, b: np.clip(a - b, -1, 1),
        ("", "a=dcsr b=dcsr", "x=dcsr a=dcsr b=dcsr"),
    ),
    Program(
        "sparse_binary equal where both",
        "x(i,j) = (a(i,j) == b(i,j)) * (a(i,j) != 0)",
        "a=4,4 b=4,4",
        lambda a, b: (a == b) & (a != 0),
        ("", "a=dcsr b=dcsr"),
        density=0.8,
    ),
    Program(
        "sparse_cmp",
        "x(i,j) = a(i,j) < b(i,j)",
        "a=4,4 b=4,4",
        np.less,
        combine("a=dd|dcsr|csr b=dd|dcsr|csr"),
        density=0.6,
    ),
    Program(
        "sparse_matrix_ops scale and add",
        "x(i,j) = a(i,j) * 2 + b(i,j)",
        "a=4,8 b=4,8",
        lambda a, b: a * 2 + b,
        ("", "a=dcsr b=dcsr", "x=dcsr a=dcsr b=dcsr"),
    ),
    Program("sparse_vector_ops scale", "x(i) = a(i) * 2", "a=32", lambda a: a * 2, ("", "a=s", "x=s a=s")),
    Program("sparse_vector_ops add mul dot", "x = a(i) * b(i)", "a=32 b=32", np.dot, combine("a=d|s b=d|s")),
    Program(
        "sparse_tensor_ops scale",
        "x(i,j,k) = a(i,j,k) * 2",
        "a=3,4,2",
        lambda a: a * 2,
        ("", "a=csf", "x=csf a=csf", "x=sss a=sss"),
    ),
    Program(
        "sparse_tensor_ops add",
        "x(i,j,k) = a(i,j,k) + b(i,j,k)",
        "a=3,4,2 b=3,4,2",
        np.add,
        ("", "a=csf b=csf", "x=csf a=csf b=csf"),
    ),
    Program(
        "sparse_tensor_mul",
        "x(i,j,k) = a(i,j,k) * b(i,j,k)",
        "a=3,4,2 b=3,4,2",
        np.multiply,
        ("", "a=csf b=csf", "x=csf a=csf b=csf"),
        density=0.7,
    ),
    Program(
        "sparse_dot",
        "x = a(i) * b(i)",
        "a=1024 b=1024",
        np.dot,
        ("a=s b=s",),
        dtypes="a=float32 b=float32",
        density=0.01,
    ),
    Program(
        "sparse_transpose", "x(j,i) = a(i,j)", "a=3,4", np.transpose, ("", "a=dcsr", "x=dcsr a=dcsc", "x=csc a=csr")
    ),
    Program(
        "sparse_permute",
        "x(k,i,j) = a(i,j,k)",
        "a=2,3,4",
        lambda a: a.transpose(2, 0, 1),
        ("", "a=csf", "x=csf a=csf:2,0,1"),
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
    Program(
        "sparse_block_matmul",
        "C(i,j) = A(i,k) * B(k,j)",
        "A=4,8 B=8,4",
        lambda A, B: A @ B,
        ("A=bcsr(2,2)", "A=bcsr(2,4)", "A=dbsr(2,2)"),
    ),
    Program(
        "block", "y(i) = A(i,j) * x(j)", "A=6,6 x=6", lambda A, x: A @ x, ("A=bcsr(2,2)", "A=bcsr(3,2)", "A=bcsr(2)")
    ),
    Program(
        "sparse_spmm",
        "x(i,j) = a(i,k) * b(k,j)",
        "a=4,8 b=8,4",
        lambda a, b: a @ b,
        ("a=csr", "a=dcsr", "a=csc", "a=coo"),
    ),
    Program(
        "sparse_coo_test",
        "c(i,j) = a(i,j) + b(i,j)",
        "a=8,8 b=8,8",
        np.add,
        ("a=coo b=coo", "a=csr b=coo", "a=coo", "a=coo b=csr"),
        dtypes="a=float32 b=float32",
    ),
    Program(
        "sparse_expand",
        "C(i,j) = A(i,k) * B(k,j)",
        "A=8,2 B=2,4",
        lambda A, B: A @ B,
        ("C=csr A=csr B=csr", "C=csc A=csc B=csc", "C=csc A=dd B=csc"),
    ),
    Program(
        "sparse_re_im",
        "x(i) = real(a(i))",
        "a=8",
        formats=("", "a=s"),
        dtypes="a=complex128",
        refusal=("expression/unknown-function", "real is not a function"),
    ),
    Program(
        "sparse_sign",
        "x(i) = sign(a(i))",
        "a=12",
        formats=("", "a=s"),
        refusal=("expression/unknown-function", "sign is not a function"),
    ),
    Program(
        "sparse_index",
        "x(i) = a(i) * i",
        "a=8",
        formats=("", "a=s"),
        refusal=("expression/name-conflict", "i is both a tensor and an index variable"),
    ),
    Program(
        "sparse_sum_f16",
        "x = a(i)",
        "a=8",
        formats=("a=s",),
        dtypes="a=float16",
        refusal=("plan/choice", "found the text `float16`"),
    ),
    Program(
        "sparse_reductions xor", "x(i) ^= a(i,j)", "a=4,8", dtypes="a=int32", refusal=("expression/syntax", "found `^`")
    ),
    Program(
        "concatenate", "x(i+4,j) = a(i,j)", "a=4,4", refusal=("expression/index", "no arithmetic and no constants")
    ),
)
