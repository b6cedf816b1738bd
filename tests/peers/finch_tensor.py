"""Programs of the tests of finch-tensor (finch-tensor/finch-tensor-lite, ``tests/``): einop, einsum, its interface."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tests.peers.program import Data, Program, combine, einsum

_SYNTAX = "expression/syntax"
_FUNCTION = "expression/unknown-function"
_MATRICES = ("", "A=csr", "A=coo", "A=dcsr")

_EINSUMS = (
    "ij,ij-> ij,jk->ik ji->ij i,i-> i,j->ij ijk,jil->kl ij,jkl,lm->ikm ij->i ij->j ij-> ij->ji ij,j->i ijk,kl->ijl "
    "ijkl->ljik ij,jl->il ij,jk->ki az,zb->ab ii-> ii->i iji->j bij,bjk->bik ijkl->ikjl ljki->lkji"
)
_UNKNOWN = (
    "sinh cosh asin acos atan asinh acosh atanh round trunc sign signbit log2 log10 "
    "isnan isinf isfinite reciprocal conj real imag"
)
_UNKNOWN_BINARY = "hypot atan2 logaddexp copysign nextafter floor_divide remainder bitwise_and bitwise_or bitwise_xor"
_KNOWN = {
    "abs": np.abs, "sin": np.sin, "cos": np.cos, "tan": np.tan, "tanh": np.tanh, "floor": np.floor, "ceil": np.ceil,
    "exp": np.exp, "expm1": np.expm1, "log1p": np.log1p, "sqrt": np.sqrt, "square": np.square,
}  # fmt: skip


def _einsums() -> Iterator[Program]:
    sizes = dict(zip("abijklmz", (3, 5, 3, 4, 5, 2, 6, 4), strict=True))
    for subscripts in _EINSUMS.split():
        terms = subscripts.partition("->")[0].split(",")
        sparse = " ".join(f"{tensor}={'s' * len(term)}" for tensor, term in zip("ABC", terms, strict=False))
        yield einsum(subscripts, sizes, formats=("", sparse), options={"convert": "automatic"})


def _refused() -> Iterator[Program]:
    for function in _UNKNOWN.split():
        reason = (_FUNCTION, f"{function} is not a function")
        yield Program(
            f"unary {function}", f"C(i,j) = {function}(A(i,j))", "A=3,4", formats=("", "A=csr"), refusal=reason
        )
    for function in _UNKNOWN_BINARY.split():
        reason = (_FUNCTION, f"{function} is not a function")
        yield Program(f"binary {function}", f"C(i,j) = {function}(A(i,j), B(i,j))", "A=3,4 B=3,4", refusal=reason)
    for name, right, piece in (
        ("power **", "A(i,j) * A(i,j) ** 2", "found `**`"),
        ("and, or", "A(i,j) or B(i,j) and C(i,j)", "found `or`"),
        ("bitwise", "A(i,j) | B(i,j)", "found `|`"),
        ("shift", "A(i,j) << 2", "found `<`"),
        ("chained comparison", "A(i,j) < B(i,j) < C(i,j)", "found `<`"),
        ("complex literal", "A(i,j) + (3+4j)", "found `j`"),
        ("boolean literal", "A(i,j) and True", "found `and`"),
    ):
        yield Program(f"einop {name}", f"D(i,j) = {right}", "A=3,3 B=3,3 C=3,3", refusal=(_SYNTAX, piece))


PROGRAMS = (
    Program("pass_through", "B(i,j) = A(i,j)", "A=5,5", lambda A: A, combine("B=dd|csr A=dd|csr|coo")),
    Program("transpose", "B(i,j) = A(j,i)", "A=5,5", lambda A: A.T, ("", "A=csc", "A=coo:1,0", "A=csc B=csr")),
    Program(
        "basic_addition_with_transpose",
        "C(i,j) = A(i,j) + B(j,i)",
        "A=5,5 B=5,5",
        lambda A, B: A + B.T,
        ("", "A=csr B=csc", "C=csr A=csr B=csc"),
    ),
    Program(
        "matrix_multiplication",
        "C(i,j) += A(i,k) * B(k,j)",
        "A=3,4 B=4,5 C=3,5",
        lambda A, B, C: C + A @ B,
        ("", "A=csr", "A=csr B=csr"),
    ),
    Program(
        "element_wise_multiplication",
        "C(i,j) = A(i,j) * B(i,j)",
        "A=4,4 B=4,4",
        lambda A, B: A * B,
        combine("C=dd|csr A=csr|coo|dd B=csr|coo"),
    ),
    Program("sum_reduction", "C(i) = A(i,j)", "A=3,4", lambda A: A.sum(1), _MATRICES),
    Program("maximum_reduction", "C(i) = max(j, A(i,j))", "A=3,4", lambda A: A.max(1), _MATRICES),
    Program("minimum_reduction", "C(i) = min(j, A(i,j))", "A=3,4", lambda A: A.min(1), _MATRICES),
    Program("maximum_reduction max=", "C(i) max= A(i,j)", "A=3,4 C=3", lambda A, C: np.maximum(C, A.max(1)), _MATRICES),
    Program("minimum_reduction min=", "C(i) min= A(i,j)", "A=3,4 C=3", lambda A, C: np.minimum(C, A.min(1)), _MATRICES),
    Program("outer_product", "C(i,j) = A(i) * B(j)", "A=3 B=4", np.outer, ("", "A=s B=s", "C=ss A=s B=s", "A=s")),
    Program(
        "batch_matrix_multiplication",
        "C(b,i,j) = A(b,i,k) * B(b,k,j)",
        "A=2,3,4 B=2,4,5",
        lambda A, B: A @ B,
        ("", "A=dds", "A=sss B=sss"),
    ),
    Program(
        "operator_precedence_arithmetic",
        "D(i,j) = A(i,j) + B(i,j) * C(i,j)",
        "A=3,3 B=3,3 C=3,3",
        lambda A, B, C: A + B * C,
        ("", "A=csr B=csr C=csr", "D=csr A=csr B=csr C=csr"),
    ),
    Program(
        "operator_precedence_power",
        "B(i,j) = A(i,j) * pow(A(i,j), 2)",
        "A=3,3",
        lambda A: A**3,
        ("", "A=csr", "B=csr A=csr"),
    ),
    Program(
        "operator_precedence_with_parentheses",
        "D(i,j) = (A(i,j) + B(i,j)) * C(i,j)",
        "A=3,3 B=3,3 C=3,3",
        lambda A, B, C: (A + B) * C,
        ("", "A=csr B=csr C=csr", "D=csr A=csr B=csr C=csr"),
    ),
    Program("operator_precedence_unary", "B(i,j) = -square(A(i,j))", "A=3,3", lambda A: -(A**2), ("", "A=csr")),
    Program(
        "operator_precedence_comparison",
        "D(i,j) = A(i,j) + B(i,j) == C(i,j)",
        "A=3,3 B=3,3 C=3,3",
        lambda A, B, C: A + B == C,
        ("", "A=csr B=csr C=csr"),
    ),
    Program(
        "single_comparison",
        "D(i,j) = A(i,j) < B(i,j)",
        "A=3,3 B=3,3",
        np.less,
        ("", "A=csr B=csr", "D=csr A=csr B=csr"),
    ),
    *(
        Program(
            f"literals {right}",
            f"B(i,j) = {right}",
            "A=2,2",
            oracle,
            ("", "A=csr"),
            data=Data.FRACTIONS,
            tolerance=1e-15,
        )
        for right, oracle in (
            ("A(i,j) + 1", lambda A: A + 1),
            ("A(i,j) * 2 + 3", lambda A: A * 2 + 3),
            ("A(i,j) + 42", lambda A: A + 42),
            ("A(i,j) * (-5)", lambda A: A * -5),
            ("A(i,j) + 0", lambda A: A + 0),
            ("A(i,j) + 123456789", lambda A: A + 123456789),
            ("A(i,j) + 3.14159", lambda A: A + 3.14159),
            ("A(i,j) * (-2.71828)", lambda A: A * -2.71828),
            ("A(i,j) + 1.5e-3", lambda A: A + 1.5e-3),
            ("A(i,j) + 0.000001", lambda A: A + 0.000001),
            ("A(i,j) + 5 + 3.14", lambda A: A + 5 + 3.14),
            ("A(i,j) + 2 * 3", lambda A: A + 2 * 3),
            ("A(i,j) + 1 + 2 + 3", lambda A: A + 1 + 2 + 3),
            ("A(i,j) > 0.5", lambda A: A > 0.5),
            ("A(i,j) * (2 + 3)", lambda A: A * (2 + 3)),
        )
    ),
    Program(
        "alphanumeric_tensor_names",
        "result_1(i,j) = A1(i,j) + B2(i,j) * C3_test(i,j)",
        "A1=2,2 B2=2,2 C3_test=2,2",
        lambda A, B, C: A + B * C,
        ("", "A1=csr B2=csr C3_test=csr"),
    ),
    *(
        Program(
            f"unary {function}",
            f"C(i,j) = {function}(A(i,j))",
            "A=3,4",
            oracle,
            _MATRICES,
            data=Data.FRACTIONS,
            tolerance=1e-15,
        )
        for function, oracle in _KNOWN.items()
    ),
    Program(
        "ternary clip",
        "C(i,j) = min(max(A(i,j), 0.2), 0.6)",
        "A=3,4",
        lambda A: np.clip(A, 0.2, 0.6),
        ("", "A=csr"),
        data=Data.FRACTIONS,
    ),
    Program("reduction mean", "m(i) = A(i,j) / 4", "A=3,4", lambda A: A.mean(1), _MATRICES, tolerance=1e-15),
    Program(
        "reduction var",
        "m(i) = A(i,j) / 4; v(i) = square(A(i,j) - m(i)) / 4",
        "A=3,4",
        lambda A: A.var(1),
        ("", "A=csr"),
        tolerance=1e-14,
    ),
    Program(
        "reduction std",
        "m(i) = A(i,j) / 4; v(i) = square(A(i,j) - m(i)) / 4; s(i) = sqrt(v(i))",
        "A=3,4",
        lambda A: A.std(1),
        ("", "A=csr"),
        tolerance=1e-14,
    ),
    Program(
        "vecdot",
        "d(i) = A(i,j) * B(i,j)",
        "A=3,4 B=3,4",
        lambda A, B: (A * B).sum(1),
        ("", "A=csr B=csr", "d=s A=dcsr B=dcsr"),
    ),
    Program(
        "vecdot of complex",
        "d(i) = A(i,j) * B(i,j)",
        "A=3,4 B=3,4",
        lambda A, B: (A * B).sum(1),
        ("", "A=csr B=csr"),
        dtypes="A=complex128 B=complex128",
    ),
    Program("linalg vector_norm 1", "n = abs(A(i))", "A=7", lambda A: np.abs(A).sum(), ("", "A=s")),
    Program("linalg vector_norm inf", "n = max(i, abs(A(i)))", "A=7", lambda A: np.abs(A).max(), ("", "A=s")),
    Program(
        "linalg vector_norm 2", "n = sqrt(sum(i, square(A(i))))", "A=7", np.linalg.norm, ("", "A=s"), tolerance=1e-15
    ),
    Program(
        "linalg matrix_norm fro",
        "n = sqrt(sum(i, sum(j, square(A(i,j)))))",
        "A=3,4",
        np.linalg.norm,
        _MATRICES,
        tolerance=1e-15,
    ),
    Program("linalg trace", "t = A(i,i)", "A=4,4", np.trace, ("",)),
    Program(
        "matrix_power 3",
        "B(i,j) = A(i,k) * A(k,j); C(i,j) = B(i,k) * A(k,j)",
        "A=4,4",
        lambda A: np.linalg.matrix_power(A, 3),
        ("", "A=csr"),
    ),
    Program(
        "tensordot",
        "C(i,l) = A(i,j,k) * B(j,k,l)",
        "A=3,4,5 B=4,5,2",
        lambda A, B: np.tensordot(A, B, 2),
        ("", "A=sss", "A=sss B=sss"),
    ),
    Program("bool any", "r(i) = any(j, A(i,j))", "A=3,4", lambda A: A.any(1), _MATRICES, dtypes="A=bool"),
    Program("bool all", "r(i) = all(j, A(i,j))", "A=3,4", lambda A: A.all(1), _MATRICES, dtypes="A=bool", density=0.8),
    *_einsums(),
    *_refused(),
)
