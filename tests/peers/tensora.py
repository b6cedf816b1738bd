"""Programs of the tests of Tensora (drhagen/tensora, ``tests/`` and ``tests_cffi/``), in its formats."""

from __future__ import annotations

import numpy as np

from tests.peers.program import Program, combine

_MATRICES = "dd|ds|sd|ss"
_ORDERS = "dd|ds|sd|ss|dd:1,0|ds:1,0|ss:1,0"
_VECTORS = "d|s"

PROGRAMS = (
    Program("copy_1", "b(i) = a(i)", "a=7", lambda a: a, combine("b=d|s a=d|s")),
    Program("copy_1 of zeros", "b(i) = a(i)", "a=3", lambda a: a, combine("b=d|s a=d|s"), density=0),
    Program("copy_2", "b(i,j) = a(i,j)", "a=4,3", lambda a: a, combine(f"b={_MATRICES} a={_MATRICES}")),
    Program(
        "copy_2_backwards",
        "b(i,j) = a(i,j)",
        "a=4,3",
        lambda a: a,
        combine("b=ss:1,0|dd:1,0|ds:1,0 a=ss:1,0|dd:1,0|sd:1,0|ds:1,0|dd"),
    ),
    Program(
        "copy_3", "b(i,j,k) = a(i,j,k)", "a=4,3,2", lambda a: a, combine("b=ddd|dds|sss|sds a=ddd|dss|sss|ssd|sdd|dsd")
    ),
    Program("constant_scalar 0", "a = 0", "", lambda: 0.0),
    Program("constant_scalar 1", "a = 1", "", lambda: 1.0),
    Program(
        "vector_dot", "out = in1(i) * in2(i)", "in1=4 in2=4", lambda in1, in2: in1 @ in2, combine("in1=s|d in2=s|d")
    ),
    Program(
        "vector_dot of zeros",
        "out = in1(i) * in2(i)",
        "in1=4 in2=4",
        lambda in1, in2: in1 @ in2,
        combine("in1=s|d in2=s|d"),
        density=0,
    ),
    Program(
        "vector_binary +",
        "out(i) = in1(i) + in2(i)",
        "in1=4 in2=4",
        lambda in1, in2: in1 + in2,
        combine("out=s|d in1=s|d in2=s|d"),
    ),
    Program(
        "vector_binary -",
        "out(i) = in1(i) - in2(i)",
        "in1=4 in2=4",
        lambda in1, in2: in1 - in2,
        combine("out=s|d in1=s|d in2=s|d"),
    ),
    Program(
        "vector_binary *",
        "out(i) = in1(i) * in2(i)",
        "in1=4 in2=4",
        lambda in1, in2: in1 * in2,
        combine("out=s|d in1=s|d in2=s|d"),
    ),
    Program(
        "vector_add_3",
        "out(i) = in1(i) + in2(i) + in3(i)",
        "in1=4 in2=4 in3=4",
        lambda in1, in2, in3: in1 + in2 + in3,
        combine("out=s|d in1=s|d in2=s|d in3=s|d"),
    ),
    Program(
        "vector_multiply_3",
        "out(i) = in1(i) * in2(i) * in3(i)",
        "in1=4 in2=4 in3=4",
        lambda in1, in2, in3: in1 * in2 * in3,
        combine("out=s|d in1=s|d in2=s|d in3=s|d"),
        density=0.7,
    ),
    Program(
        "matrix_dot",
        "out(i,k) = in1(i,j) * in2(j,k)",
        "in1=4,3 in2=3,2",
        lambda in1, in2: in1 @ in2,
        combine("out=dd|dd:1,0|sd in1=ss|dd|sd|ds|dd:1,0 in2=ss|ds|dd:1,0"),
    ),
    Program(
        "matrix_vector_product",
        "out(i) = in1(i,j) * in2(j)",
        "in1=4,3 in2=3",
        lambda in1, in2: in1 @ in2,
        combine("in1=ss|dd|sd|ds|ss:1,0|dd:1,0|sd:1,0|ds:1,0 in2=s|d"),
    ),
    Program(
        "matrix_multiply_add",
        "out(i,k) = in1(i,j) * in2(j,k) + in3(i,k)",
        "in1=4,3 in2=3,2 in3=4,2",
        lambda in1, in2, in3: in1 @ in2 + in3,
        combine("out=dd|ds|sd|ss in1=dd|ds in3=dd|ds"),
    ),
    Program(
        "mttkrp",
        "A(i,j) = B(i,k,l) * D(l,j) * C(k,j)",
        "B=4,3,4 D=4,5 C=3,5",
        lambda B, D, C: np.einsum("ikl,lj,kj->ij", B, D, C),
        (*combine("B=ddd|dss|sss|ssd|sdd:0,2,1 D=dd|ds|ss C=dd|ds"), "A=dd:1,0 B=sss", "A=sd B=sss", "A=sd B=dss D=ds"),
    ),
    Program(
        "csr_matrix_plus_csr_matrix",
        "C(i,j) = A(i,j) + B(i,j)",
        "A=4,3 B=4,3",
        lambda A, B: A + B,
        combine("C=ds|ss A=ds B=ds|ss"),
    ),
    Program(
        "rhs",
        "f(i) = A0(i) + A1(i,j) * x(j) + A2(i,k,l) * x(k) * x(l)",
        "A0=3 A1=3,3 A2=3,3,3 x=3",
        lambda A0, A1, A2, x: A0 + A1 @ x + A2 @ x @ x,
        ("A1=ds A2=dss", "", "f=s A0=s A1=ss A2=sss x=s"),
    ),
    Program("many_elements_realloc", "b(i) = a(i)", "a=20000", lambda a: a, ("b=s a=d",), density=0),
    Program(
        "output_format_precludes_illegal_iteration_graphs",
        "J(i,j) = S(i,r) * rdx(r,j) + S(i,r2) * rdu(r2,y) * udx(y,j)",
        "S=4,3 rdx=3,2 rdu=3,2 udx=2,2",
        lambda S, rdx, rdu, udx: S @ rdx + S @ rdu @ udx,
        ("J=ds S=ds rdx=ds:1,0 rdu=ds udx=ds:1,0", "S=ds rdu=ds", "S=ds rdx=ds rdu=ds udx=ds", ""),
    ),
    Program(
        "output_format_precludes_illegal_iteration_graphs by rows",
        "J(i,j) = S(i,r) * rdx(r,j) + S(i,r2) * rdu(r2,y) * udx(y,j)",
        "S=4,3 rdx=3,2 rdu=3,2 udx=2,2",
        formats=("J=ds S=ds rdx=ds rdu=ds udx=ds",),
        refusal=("format/conflicting-orders", "rdx is stored r→j, so j cannot be visited before r is known"),
    ),
    Program(
        "sparse_output_above_contraction_omits_explicit_zeros",
        "J(i,j) = S(i,r) * rdx(r,j)",
        "S=4,3 rdx=3,2",
        lambda S, rdx: S @ rdx,
        ("J=ds S=ds rdx=ds:1,0", "J=ss S=ss rdx=ss:1,0"),
    ),
    Program(
        "sum_non_adjacent",
        "a(i) = b(i) + c(j,i) + d(i)",
        "b=3 c=4,3 d=3",
        lambda b, c, d: b + c.sum(0) + d,
        ("", "b=s c=ds:1,0 d=s", "a=s b=s c=ss:1,0 d=s"),
    ),
    Program(
        "broadcast_scalar_in_product",
        "a(i) = b(i) * (c(i) + 1)",
        "b=4 c=4",
        lambda b, c: b * (c + 1),
        combine("a=s|d b=s|d c=s|d"),
    ),
    Program(
        "different_free_indexes_in_product",
        "a(i,j) = b(i,j) * (c(i) + d(j))",
        "b=4,3 c=4 d=3",
        lambda b, c, d: b * (c[:, None] + d),
        combine("a=dd|ss b=dd|ds|sd|ss c=s|d d=s|d"),
    ),
    Program(
        "nested_broadcast_scalar_in_product",
        "a(i,j) = b(i) * (c(i,j) + 1)",
        "b=4 c=4,3",
        lambda b, c: b[:, None] * (c + 1),
        combine("a=dd|sd b=s|d c=dd|ds|sd|ss"),
    ),
    Program(
        "product_of_sums",
        "a(i) = (c(i) + 1) * (d(i) + 1)",
        "c=5 d=5",
        lambda c, d: (c + 1) * (d + 1),
        combine("a=s|d c=s|d d=s|d"),
    ),
    Program(
        "three_term_sum_in_product",
        "a(i,j) = b(i) * (c(i,j) + d(j) + 1)",
        "b=4 c=4,3 d=3",
        lambda b, c, d: b[:, None] * (c + d + 1),
        combine("a=dd|sd b=s|d c=dd|ds|ss d=s|d"),
    ),
    Program(
        "contraction_in_product", "a(i) = b(i) * (c(i) + d(j,i))", "b=3 c=3 d=4,3", lambda b, c, d: b * (c + d.sum(0))
    ),
    Program(
        "fold a product of sums over a contraction",
        "A(i) = 2 * B(i,j) * (C(j) + D(j))",
        "B=4,3 C=3 D=3",
        lambda B, C, D: 2 * B @ (C + D),
        ("B=ds C=s D=s", ""),
    ),
    Program(
        "README trapezoid",
        "y(i) = 0.5 * (b - a) * (x1(i,j) + x2(i,j)) * z(j)",
        "a= b= x1=4,3 x2=4,3 z=3",
        lambda a, b, x1, x2, z: 0.5 * (b - a) * (x1 + x2) @ z,
        ("x1=ds x2=ds", ""),
    ),
    Program("README square", "B2(i,k) = B(i,j) * B(j,k)", "B=4,4", lambda B: B @ B, ("B2=ds B=ds", "B=dd")),
    Program("diagonal", "diagA2(i) = A(i,i) + A(i,i)", "A=4,4", lambda A: 2 * np.diag(A), ("A=dd",)),
    Program("transposed sum", "A(i,j) = B(i,j) + C(j,i)", "B=4,4 C=4,4", lambda B, C: B + C.T, ("A=dd",)),
    Program("operators: scaled", "B2(i) = 2.0 * B(i)", "B=5", lambda B: 2 * B, ("B2=s B=s", "")),
    Program(
        "operators: sum scaled",
        "ab2(i) = (a(i) + b(i)) * 2.0",
        "a=5 b=5",
        lambda a, b: 2 * (a + b),
        combine("ab2=s|d a=s|d b=s|d"),
    ),
    Program(
        "expression: outer",
        "A(i) = B(i,j) * C(k,l,m)",
        "B=4,3 C=2,2,3",
        lambda B, C: B.sum(1) * C.sum(),
        ("B=ds C=sss", ""),
    ),
    Program("expression: minus a scalar", "A(i) = B(i) - c", "B=5 c=", lambda B, c: B - c, ("B=s", "A=s B=s", "")),
    Program(
        "expression: sum with a product",
        "A(i) = B(i,j) + C(j,k) + b(k) * d(k)",
        "B=4,3 C=3,2 b=2 d=2",
        lambda B, C, b, d: B.sum(1) + C.sum() + b @ d,
        ("B=ds C=ss", ""),
    ),
)
