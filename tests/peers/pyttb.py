"""Programs of the tests of pyttb (sandialabs/pyttb, ``tests/``): sparse and Kruskal tensors, losses of ``gcp/``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from tests.peers.program import Array, Data, Program

_THREE = ("", "X=coo", "X=csf", "X=csl")
_PAIR = ("", "X=coo Y=coo", "X=csf Y=csf", "X=coo")


def _times_vector(mode: int, tensor: Array, vector: Array) -> Array:
    return np.tensordot(tensor, vector, (mode, 0))


def _times_matrix(mode: int, tensor: Array, matrix: Array) -> Array:
    return np.moveaxis(np.tensordot(tensor, matrix, (mode, 1)), -1, mode)


def _collapse(mode: int, tensor: Array) -> Array:
    return np.asarray(tensor.sum(mode))


def _scale(mode: int, tensor: Array, vector: Array) -> Array:
    return np.moveaxis(np.moveaxis(tensor, mode, -1) * vector, -1, mode)


def _modes() -> Iterator[Program]:
    """Tensor times a vector, a matrix, and Khatri-Rao products, in each mode."""
    variables, shape = "ijk", (4, 3, 5)
    convert = {"convert": "automatic"}
    for mode, variable in enumerate(variables):
        first, second = variables.replace(variable, "")
        of_rest, of_result = f"{first},{second}", ",".join(variables.replace(variable, "r"))
        order = ",".join(str(place) for place in (mode, *(place for place in range(3) if place != mode)))
        formats = ("", "X=coo", "X=csf", f"X=csf:{order}")
        x, size = "X(i,j,k)", shape[mode]
        vector, matrix = f"X=4,3,5 v={size}", f"X=4,3,5 M=2,{size}"
        factors = f"{first.upper()}({first},r) * {second.upper()}({second},r)"
        sizes = " ".join(f"{letter.upper()}={shape[variables.index(letter)]},2" for letter in (first, second))
        khatri_rao = partial(np.einsum, f"ijk,{first}r,{second}r->{variable}r")
        for name, text, shapes, oracle in (
            ("ttv", f"Y({of_rest}) = {x} * v({variable})", vector, partial(_times_vector, mode)),
            ("ttm", f"Y({of_result}) = {x} * M(r,{variable})", matrix, partial(_times_matrix, mode)),
            ("mttkrp", f"W({variable},r) = {x} * {factors}", f"X=4,3,5 {sizes}", khatri_rao),
            ("collapse", f"Y({of_rest}) = {x}", "X=4,3,5", partial(_collapse, mode)),
            ("scale", f"Y(i,j,k) = {x} * v({variable})", vector, partial(_scale, mode)),
        ):
            yield Program(f"{name} mode {mode}", text, shapes, oracle, formats, options=convert)


PROGRAMS = (
    *_modes(),
    Program(
        "ttv all modes",
        "y = X(i,j,k) * u(i) * v(j) * w(k)",
        "X=4,3,5 u=4 v=3 w=5",
        lambda X, u, v, w: np.einsum("ijk,i,j,k", X, u, v, w),
        _THREE,
    ),
    Program(
        "ttv two modes",
        "Y(k) = X(i,j,k) * u(i) * v(j)",
        "X=4,3,5 u=4 v=3",
        lambda X, u, v: np.einsum("ijk,i,j", X, u, v),
        _THREE,
    ),
    Program(
        "ttm two modes",
        "Y(r,s,k) = X(i,j,k) * U(r,i) * V(s,j)",
        "X=4,3,5 U=2,4 V=2,3",
        lambda X, U, V: np.einsum("ijk,ri,sj->rsk", X, U, V),
        ("", "X=coo"),
    ),
    Program("ttt inner", "y = X(i,j,k) * Y(i,j,k)", "X=4,3,5 Y=4,3,5", lambda X, Y: (X * Y).sum(), _PAIR),
    Program(
        "ttt over one mode",
        "Z(j,k,l) = X(i,j,k) * Y(i,l)",
        "X=4,3,5 Y=4,2",
        lambda X, Y: np.tensordot(X, Y, (0, 0)),
        ("", "X=coo", "X=csf Y=ds"),
    ),
    Program(
        "ttt outer",
        "Z(i,j,k,l) = X(i,j) * Y(k,l)",
        "X=4,3 Y=3,2",
        lambda X, Y: np.multiply.outer(X, Y),
        ("", "X=csr Y=csr", "X=coo"),
    ),
    Program(
        "innerprod with ktensor",
        "y = w(r) * X(i,j,k) * A(i,r) * B(j,r) * C(k,r)",
        "w=2 X=4,3,5 A=4,2 B=3,2 C=5,2",
        lambda w, X, A, B, C: np.einsum("r,ijk,ir,jr,kr", w, X, A, B, C),
        ("", "X=coo", "X=csf"),
    ),
    Program(
        "ktensor full",
        "X(i,j,k) = w(r) * A(i,r) * B(j,r) * C(k,r)",
        "w=2 A=4,2 B=3,2 C=5,2",
        lambda w, A, B, C: np.einsum("r,ir,jr,kr->ijk", w, A, B, C),
    ),
    Program(
        "ktensor norm",
        "n = w(r) * w(s) * A(i,r) * A(i,s) * B(j,r) * B(j,s)",
        "w=2 A=4,2 B=3,2",
        lambda w, A, B: np.einsum("r,s,ir,is,jr,js", w, w, A, A, B, B),
    ),
    Program(
        "ktensor masked",
        "X(i,j,k) = S(i,j,k) * A(i,r) * B(j,r) * C(k,r)",
        "S=4,3,5 A=4,2 B=3,2 C=5,2",
        lambda S, A, B, C: np.einsum("ijk,ir,jr,kr->ijk", S, A, B, C),
        ("", "S=coo", "S=csf", "S=csf X=csf"),
    ),
    Program(
        "khatrirao",
        "K(i,j,r) = A(i,r) * B(j,r)",
        "A=4,2 B=3,2",
        lambda A, B: np.einsum("ir,jr->ijr", A, B),
        ("", "A=ds B=ds"),
    ),
    Program(
        "khatrirao of three",
        "K(i,j,k,r) = A(i,r) * B(j,r) * C(k,r)",
        "A=4,2 B=3,2 C=2,2",
        lambda A, B, C: np.einsum("ir,jr,kr->ijkr", A, B, C),
    ),
    Program(
        "ttensor full",
        "X(i,j,k) = G(r,s,t) * A(i,r) * B(j,s) * C(k,t)",
        "G=2,2,2 A=4,2 B=3,2 C=5,2",
        lambda G, A, B, C: np.einsum("rst,ir,js,kt->ijk", G, A, B, C),
        ("", "G=coo"),
    ),
    Program("contract 0 1", "y(k) = X(i,i,k)", "X=4,4,5", lambda X: np.einsum("iik->k", X), ("",)),
    Program("contract of a matrix", "y = X(i,i)", "X=4,4", np.trace, ("",)),
    Program(
        "norm",
        "n = sqrt(sum(i, sum(j, sum(k, square(X(i,j,k))))))",
        "X=4,3,5",
        lambda X: np.linalg.norm(X.ravel()),
        _THREE,
        tolerance=1e-15,
    ),
    Program("collapse two modes", "y(i) = X(i,j,k)", "X=4,3,5", lambda X: X.sum((1, 2)), _THREE),
    Program("collapse all", "y = X(i,j,k)", "X=4,3,5", lambda X: X.sum(), _THREE),
    Program(
        "collapse max", "y(i) = max(j, max(k, X(i,j,k)))", "X=4,3,5", lambda X: X.max((1, 2)), ("", "X=coo", "X=csf")
    ),
    Program(
        "collapse min", "y(i) = min(j, min(k, X(i,j,k)))", "X=4,3,5", lambda X: X.min((1, 2)), ("", "X=coo", "X=csf")
    ),
    Program(
        "permute 2 0 1",
        "Y(k,i,j) = X(i,j,k)",
        "X=4,3,5",
        lambda X: X.transpose(2, 0, 1),
        ("", "X=coo", "X=csf", "X=csf:2,0,1 Y=csf"),
    ),
    Program("add", "Z(i,j,k) = X(i,j,k) + Y(i,j,k)", "X=4,3,5 Y=4,3,5", np.add, (*_PAIR, "X=csf Y=csf Z=csf")),
    Program("sub", "Z(i,j,k) = X(i,j,k) - Y(i,j,k)", "X=4,3,5 Y=4,3,5", np.subtract, (*_PAIR, "X=csf Y=csf Z=csf")),
    Program("mul", "Z(i,j,k) = X(i,j,k) * Y(i,j,k)", "X=4,3,5 Y=4,3,5", np.multiply, (*_PAIR, "X=csf Y=csf Z=csf")),
    Program(
        "div by dense",
        "Z(i,j,k) = X(i,j,k) / Y(i,j,k)",
        "X=4,3,5 Y=4,3,5",
        np.divide,
        ("", "X=coo", "X=csf", "X=csf Z=csf"),
        data=Data.DENSE,
        tolerance=1e-15,
    ),
    Program("rdiv", "Z(i,j,k) = 2 / X(i,j,k)", "X=4,3,5", lambda X: 2 / X, ("",), data=Data.DENSE, tolerance=1e-15),
    Program("neg", "Z(i,j,k) = -X(i,j,k)", "X=4,3,5", np.negative, ("", "X=coo", "X=csf Z=csf")),
    Program("add a scalar", "Z(i,j,k) = X(i,j,k) + 1", "X=4,3,5", lambda X: X + 1, ("", "X=coo")),
    *(
        Program(
            f"compare {sign}",
            f"Z(i,j,k) = X(i,j,k) {sign} Y(i,j,k)",
            "X=4,3,5 Y=4,3,5",
            oracle,
            ("", "X=coo Y=coo", "X=csf Y=csf"),
            density=0.6,
        )
        for sign, oracle in (
            ("==", np.equal),
            ("!=", np.not_equal),
            ("<", np.less),
            ("<=", np.less_equal),
            (">", np.greater),
            (">=", np.greater_equal),
        )
    ),
    Program(
        "logical_and",
        "Z(i,j,k) = X(i,j,k) * Y(i,j,k)",
        "X=4,3,5 Y=4,3,5",
        np.logical_and,
        ("", "X=coo Y=coo", "X=csf Y=csf Z=csf"),
        dtypes="X=bool Y=bool",
    ),
    Program(
        "logical_or",
        "Z(i,j,k) = X(i,j,k) + Y(i,j,k)",
        "X=4,3,5 Y=4,3,5",
        np.logical_or,
        ("", "X=coo Y=coo", "X=csf Y=csf Z=csf"),
        dtypes="X=bool Y=bool",
    ),
    Program(
        "logical_xor",
        "Z(i,j,k) = X(i,j,k) != Y(i,j,k)",
        "X=4,3,5 Y=4,3,5",
        np.logical_xor,
        ("", "X=coo Y=coo"),
        dtypes="X=bool Y=bool",
    ),
    Program("logical_not", "Z(i,j,k) = X(i,j,k) == 0", "X=4,3,5", np.logical_not, ("", "X=coo")),
    Program(
        "mask",
        "Z(i,j,k) = X(i,j,k) * (W(i,j,k) != 0)",
        "X=4,3,5 W=4,3,5",
        lambda X, W: X * (W != 0),
        ("", "X=csf W=csf", "X=coo W=coo"),
    ),
    Program("elemfun", "Z(i,j,k) = square(X(i,j,k)) + X(i,j,k)", "X=4,3,5", lambda X: X**2 + X, ("", "X=csf Z=csf")),
    Program(
        "gcp gaussian", "f = square(X(i,j) - M(i,j))", "X=4,3 M=4,3", lambda X, M: ((X - M) ** 2).sum(), ("", "X=csr")
    ),
    Program(
        "gcp gaussian gradient",
        "g(i,j) = 2 * (M(i,j) - X(i,j))",
        "X=4,3 M=4,3",
        lambda X, M: 2 * (M - X),
        ("", "X=csr"),
    ),
    Program(
        "gcp poisson",
        "f = M(i,j) - X(i,j) * log(M(i,j) + 0.0000000001)",
        "X=4,3 M=4,3",
        lambda X, M: (M - X * np.log(M + 1e-10)).sum(),
        ("", "X=csr"),
        data=Data.DENSE,
        tolerance=1e-14,
    ),
    Program(
        "gcp poisson gradient",
        "g(i,j) = 1 - X(i,j) / (M(i,j) + 0.0000000001)",
        "X=4,3 M=4,3",
        lambda X, M: 1 - X / (M + 1e-10),
        ("", "X=csr"),
        data=Data.DENSE,
        tolerance=1e-14,
    ),
    Program(
        "gcp bernoulli odds",
        "f = log(M(i,j) + 1) - X(i,j) * log(M(i,j) + 0.0000000001)",
        "X=4,3 M=4,3",
        lambda X, M: (np.log(M + 1) - X * np.log(M + 1e-10)).sum(),
        ("", "X=csr"),
        data=Data.DENSE,
        tolerance=1e-14,
    ),
    Program(
        "gcp bernoulli logit",
        "f = log(exp(M(i,j)) + 1) - X(i,j) * M(i,j)",
        "X=4,3 M=4,3",
        lambda X, M: (np.log(np.exp(M) + 1) - X * M).sum(),
        ("", "X=csr"),
        data=Data.DENSE,
        tolerance=1e-14,
    ),
    Program(
        "gcp rayleigh",
        "f = 2 * log(M(i,j) + 0.0000000001) + 0.785398163397448 * square(X(i,j) / (M(i,j) + 0.0000000001))",
        "X=4,3 M=4,3",
        lambda X, M: (2 * np.log(M + 1e-10) + 0.785398163397448 * (X / (M + 1e-10)) ** 2).sum(),
        ("", "X=csr"),
        data=Data.DENSE,
        tolerance=1e-13,
    ),
    Program(
        "gcp gamma",
        "f = X(i,j) / (M(i,j) + 0.0000000001) + log(M(i,j) + 0.0000000001)",
        "X=4,3 M=4,3",
        lambda X, M: (X / (M + 1e-10) + np.log(M + 1e-10)).sum(),
        ("", "X=csr"),
        data=Data.DENSE,
        tolerance=1e-13,
    ),
    Program(
        "innerprod of other shapes",
        "y = X(i,j,k) * Y(i,j,k)",
        "X=4,3,5 Y=4,3,4",
        formats=("", "X=coo Y=coo"),
        refusal=("runtime/shape-mismatch", "has size 5"),
    ),
    Program(
        "ttm with a vector",
        "Y(r,j,k) = X(i,j,k) * M(r,i)",
        "X=4,3,5 M=4",
        refusal=("runtime/order-mismatch", "has 2 dimensions, but the operand has 1"),
    ),
    Program(
        "mttkrp with too few columns",
        "W(i,r) = X(i,j,k) * B(j,r) * C(k,r)",
        "X=4,3,5 B=3,2 C=5,3",
        formats=("", "X=coo"),
        refusal=("runtime/shape-mismatch", "has 2 columns but C(k,r) has 3"),
    ),
)
