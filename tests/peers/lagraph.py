"""Steps of LAGraph's algorithms (GraphBLAS/LAGraph, ``src/algorithm/``, ``experimental/algorithm/``) over semirings.

A mask is a factor, plus_one counts entries, and min_plus has matrices filled with inf.
"""

from __future__ import annotations

import numpy as np

from tests.peers.program import Array, Data, Program

_INF = float("inf")
_GRAPH = ("", "A=csr", "A=dcsr", "A=csc", "A=coo")
_TWO = ("", "A=csr B=csr", "A=dcsr B=dcsr")


def _weights(matrix: Array) -> Array:
    return np.where(matrix == 0, _INF, matrix)


def _min_plus(matrix: Array, vector: Array) -> Array:
    return (matrix + vector).min(1)


def _structure(matrix: Array) -> Array:
    return (matrix != 0).astype(float)


PROGRAMS = (
    Program("plus_times mxv", "y(i) = A(i,j) * x(j)", "A=6,6 x=6", lambda A, x: A @ x, _GRAPH),
    Program("plus_times vxm", "y(j) = x(i) * A(i,j)", "A=6,6 x=6", lambda A, x: x @ A, _GRAPH),
    Program(
        "plus_times mxv of a sparse vector",
        "y(i) = A(i,j) * x(j)",
        "A=6,6 x=6",
        lambda A, x: A @ x,
        ("A=csr x=s", "A=dcsr x=s", "A=csc x=s"),
    ),
    Program(
        "plus_times mxm",
        "C(i,k) = A(i,j) * B(j,k)",
        "A=6,6 B=6,6",
        lambda A, B: A @ B,
        (*_TWO, "C=csr A=csr B=csr", "C=dcsr A=dcsr B=dcsr", "C=csc A=csc B=csc"),
    ),
    Program(
        "plus_times mxm FP32",
        "C(i,k) = A(i,j) * B(j,k)",
        "A=6,6 B=6,6",
        lambda A, B: A @ B,
        ("", "C=csr A=csr B=csr"),
        dtypes="A=float32 B=float32",
    ),
    Program(
        "plus_times mxm INT64",
        "C(i,k) = A(i,j) * B(j,k)",
        "A=6,6 B=6,6",
        lambda A, B: A @ B,
        ("", "C=csr A=csr B=csr"),
        dtypes="A=int64 B=int64",
    ),
    Program(
        "plus_times masked mxm",
        "C(i,k) = M(i,k) * A(i,j) * B(j,k)",
        "M=6,6 A=6,6 B=6,6",
        lambda M, A, B: M * (A @ B),
        ("M=csr A=csr B=csc", "M=csr A=csr B=csc C=csr", "M=dcsr A=csr B=csc", ""),
    ),
    Program(
        "plus_times transposed second",
        "C(i,k) = A(i,j) * B(k,j)",
        "A=6,6 B=6,6",
        lambda A, B: A @ B.T,
        (*_TWO, "A=csr B=csr C=dd"),
    ),
    Program(
        "triangle count Burkhardt",
        "t = A(i,k) * A(i,j) * A(j,k)",
        "A=6,6",
        lambda A: np.einsum("ik,ij,jk", A, A, A),
        ("", "A=csr"),
        options={"convert": "automatic"},
    ),
    Program(
        "triangle count Cohen",
        "t = A(i,k) * L(i,j) * U(j,k)",
        "A=6,6 L=6,6 U=6,6",
        lambda A, L, U: (A * (L @ U)).sum(),
        ("", "A=csr L=csr U=csr", "A=csr L=csr U=csc"),
    ),
    Program(
        "triangle count Sandia LUT",
        "t = L(i,k) * L(i,j) * U(k,j)",
        "L=6,6 U=6,6",
        lambda L, U: (L * (L @ U.T)).sum(),
        ("", "L=csr U=csr"),
    ),
    Program(
        "triangle count per vertex",
        "t(i) = A(i,k) * A(i,j) * A(k,j)",
        "A=6,6",
        lambda A: (A * (A @ A.T)).sum(1),
        ("", "A=csr"),
    ),
    Program(
        "plus_one mxv: degrees of neighbours", "y(i) = (A(i,j) != 0)", "A=6,6", lambda A: (A != 0).any(1), ("", "A=csr")
    ),
    Program(
        "plus_one: out degree",
        "y(i) = sum(j, A(i,j) != 0)",
        "A=6,6",
        lambda A: np.count_nonzero(A, axis=1),
        ("", "A=csr", "A=dcsr", "A=coo"),
    ),
    Program(
        "plus_one: in degree",
        "y(j) = sum(i, A(i,j) != 0)",
        "A=6,6",
        lambda A: np.count_nonzero(A, axis=0),
        ("", "A=csr", "A=csc"),
    ),
    Program(
        "plus_first", "y(i) = A(i,j) * (x(j) != 0)", "A=6,6 x=6", lambda A, x: A @ (x != 0), ("", "A=csr", "A=csr x=s")
    ),
    Program(
        "plus_second",
        "y(i) = (A(i,j) != 0) * x(j)",
        "A=6,6 x=6",
        lambda A, x: _structure(A) @ x,
        ("", "A=csr", "A=csr x=s"),
    ),
    Program(
        "any_one: next frontier",
        "q(i) = any(j, A(i,j) * x(j))",
        "A=6,6 x=6",
        lambda A, x: (A.astype(int) @ x) > 0,
        ("", "A=csr", "A=csc", "A=csr x=s"),
        dtypes="A=bool x=bool",
    ),
    Program(
        "lor_land masked: unvisited neighbours",
        "q(i) = any(j, A(i,j) * x(j)) * (v(i) == 0)",
        "A=6,6 x=6 v=6",
        lambda A, x, v: ((A.astype(int) @ x) > 0) & ~v,
        ("", "A=csr"),
        dtypes="A=bool x=bool v=bool",
    ),
    Program(
        "min_plus mxv: Bellman-Ford", "d(i) = min(j, A(i,j) + x(j))", "A=6,6 x=6", _min_plus, ("",), data=Data.DENSE
    ),
    Program(
        "min_plus accumulated",
        "d(i) min= A(i,j) + x(j)",
        "A=6,6 x=6 d=6",
        lambda A, x, d: np.minimum(d, _min_plus(A, x)),
        ("",),
        data=Data.DENSE,
    ),
    Program(
        "min_plus mxm",
        "D(i,k) = min(j, A(i,j) + B(j,k))",
        "A=5,5 B=5,5",
        lambda A, B: (A[:, :, None] + B).min(1),
        ("",),
        data=Data.DENSE,
    ),
    Program(
        "max_plus mxv: longest step",
        "d(i) = max(j, A(i,j) + x(j))",
        "A=6,6 x=6",
        lambda A, x: (A + x).max(1),
        ("",),
        data=Data.DENSE,
    ),
    Program(
        "min_second: smallest label of neighbours",
        "f(i) = min(j, (A(i,j) == 0) * 100 + x(j))",
        "A=6,6 x=6",
        lambda A, x: ((A == 0) * 100 + x).min(1),
        ("", "A=csr"),
        data=Data.FRACTIONS,
    ),
    Program(
        "max_first",
        "m(i) = max(j, A(i,j) * (x(j) != 0))",
        "A=6,6 x=6",
        lambda A, x: (A * (x != 0)).max(1),
        ("", "A=csr"),
        density=0.5,
    ),
    Program(
        "min_times",
        "m(i) = min(j, A(i,j) * x(j))",
        "A=6,6 x=6",
        lambda A, x: (A * x).min(1),
        ("", "A=csr"),
        density=0.5,
    ),
    Program("PageRank: scaled by degree", "w(i) = t(i) / d(i)", "t=6 d=6", np.divide, data=Data.DENSE, tolerance=1e-15),
    Program(
        "PageRank: one step",
        "r(i) = 0.15 / 6 + 0.85 * sum(j, A(j,i) * w(j))",
        "A=6,6 w=6",
        lambda A, w: 0.15 / 6 + 0.85 * (A.T @ w),
        ("", "A=csc"),
        tolerance=1e-14,
    ),
    Program("PageRank: difference", "e = abs(t(i) - r(i))", "t=6 r=6", lambda t, r: np.abs(t - r).sum()),
    Program(
        "PageRank: dangling vertices",
        "s = r(i) * (d(i) == 0)",
        "r=6 d=6",
        lambda r, d: (r * (d == 0)).sum(),
        ("", "d=s"),
    ),
    Program(
        "betweenness: paths",
        "F(s,j) = F0(s,i) * A(i,j) * (P(s,j) == 0)",
        "F0=2,6 A=6,6 P=2,6",
        lambda F, A, P: (F @ A) * (P == 0),
        ("", "A=csr", "F0=csr A=csr"),
    ),
    Program(
        "betweenness: update",
        "B(s,i) = W(s,i) * P(s,i) + B0(s,i)",
        "W=2,6 P=2,6 B0=2,6",
        lambda W, P, B: W * P + B,
        ("", "W=csr P=csr"),
    ),
    Program("betweenness: sum over sources", "c(i) = B(s,i) - 2", "B=2,6", lambda B: B.sum(0) - 2),
    Program(
        "dnn: a layer",
        "Y(i,k) = relu(sum(j, X(i,j) * W(j,k)) + b(k))",
        "X=5,6 W=6,6 b=6",
        lambda X, W, b: np.maximum(X @ W + b, 0),
        ("", "W=csc", "X=csr W=csc"),
        options={"convert": "automatic"},
    ),
    Program("dnn: saturated", "Y(i,k) = min(32, X(i,k))", "X=5,6", lambda X: np.minimum(X, 32), ("", "X=csr")),
    Program(
        "dnn: positive entries",
        "Y(i,k) = X(i,k) * (X(i,k) > 0)",
        "X=5,6",
        lambda X: X * (X > 0),
        ("", "X=csr", "Y=csr X=csr"),
    ),
    Program("lcc: wedges", "w(i) = d(i) * (d(i) - 1)", "d=6", lambda d: d * (d - 1), ("", "d=s", "w=s d=s")),
    Program(
        "lcc: coefficient",
        "l(i) = t(i) / w(i)",
        "t=6 w=6",
        np.divide,
        ("", "t=s", "l=s t=s"),
        data=Data.DENSE,
        tolerance=1e-15,
    ),
    Program(
        "lcc: both directions",
        "D(i,j) = S(i,j) + S(j,i)",
        "S=6,6",
        lambda S: S + S.T,
        ("", "S=csr"),
        options={"convert": "automatic"},
    ),
    Program(
        "ktruss: support",
        "C(i,j) = A(i,j) * A(i,k) * A(j,k)",
        "A=6,6",
        lambda A: A * (A @ A.T),
        ("", "A=csr", "C=csr A=csr"),
    ),
    Program("ktruss: supported edges", "K(i,j) = C(i,j) >= 2", "C=6,6", lambda C: C >= 2, ("", "C=csr", "K=csr C=csr")),
    Program("kcore: vertices left", "v(i) = d(i) > 2", "d=6", lambda d: d > 2, ("", "d=s")),
    Program(
        "square clustering: common neighbours",
        "P(i,k) = A(i,j) * A(k,j)",
        "A=6,6",
        lambda A: A @ A.T,
        ("", "A=csr", "P=csr A=csr"),
        options={"convert": "automatic"},
    ),
    Program(
        "square clustering: pairs",
        "q(i) = P(i,j) * (P(i,j) - 1) / 2",
        "P=6,6",
        lambda P: (P * (P - 1) / 2).sum(1),
        ("", "P=csr"),
    ),
    Program(
        "triangle centrality",
        "c(i) = (3 * u(i) - 2 * w(i) + y(i)) / k",
        "u=6 w=6 y=6 k=",
        lambda u, w, y, k: (3 * u - 2 * w + y) / k,
        tolerance=1e-15,
    ),
    Program(
        "maximal independent set: neighbours' score",
        "m(i) = max(j, A(i,j) * s(j))",
        "A=6,6 s=6",
        lambda A, s: (A * s).max(1),
        ("", "A=csr"),
        density=0.5,
    ),
    Program("maximal independent set: members", "n(i) = s(i) > m(i)", "s=6 m=6", np.greater, ("", "s=s m=s")),
    Program(
        "coarsen",
        "C(p,q) = S(p,i) * A(i,j) * S(q,j)",
        "S=3,6 A=6,6",
        lambda S, A: S @ A @ S.T,
        ("", "A=csr", "S=csr A=csr"),
    ),
    Program(
        "select TRIL by a mask",
        "L(i,j) = A(i,j) * T(i,j)",
        "A=6,6 T=6,6",
        np.multiply,
        ("A=csr T=csr", "L=csr A=csr T=csr", "L=csr A=csr"),
    ),
    Program("reduce to a scalar", "s = A(i,j)", "A=6,6", np.sum, _GRAPH),
    Program("reduce rows with max", "m(i) = max(j, A(i,j))", "A=6,6", lambda A: A.max(1), _GRAPH),
    Program("eWiseAdd min", "C(i,j) = min(A(i,j), B(i,j))", "A=6,6 B=6,6", np.minimum, _TWO),
    Program(
        "eWiseAdd lor",
        "C(i,j) = A(i,j) + B(i,j)",
        "A=6,6 B=6,6",
        np.logical_or,
        (*_TWO, "C=csr A=csr B=csr"),
        dtypes="A=bool B=bool",
    ),
    Program("eWiseMult", "C(i,j) = A(i,j) * B(i,j)", "A=6,6 B=6,6", np.multiply, (*_TWO, "C=csr A=csr B=csr")),
    Program(
        "diagonal scaling",
        "C(i,j) = d(i) * A(i,j) * e(j)",
        "d=6 A=6,6 e=6",
        lambda d, A, e: d[:, None] * A * e,
        ("", "A=csr", "C=csr A=csr"),
    ),
    Program(
        "Kronecker product",
        "K(i,k,j,l) = A(i,j) * B(k,l)",
        "A=3,3 B=2,2",
        lambda A, B: np.einsum("ij,kl->ikjl", A, B),
        ("", "A=csr B=csr"),
    ),
    Program(
        "assign through an index vector",
        "c(p(i)) = x(i)",
        "p=6 x=6",
        dtypes="p=int64",
        refusal=("expression/unknown-function", "c is not a function"),
    ),
    Program(
        "tril by coordinates",
        "L(i,j) = A(i,j) * (j < i)",
        "A=6,6",
        refusal=("expression/name-conflict", "is both a tensor and an index variable"),
    ),
    Program("parity by xor", "y(i) ^= A(i,j)", "A=6,6", dtypes="A=int64", refusal=("expression/syntax", "found `^`")),
    Program(
        "argmin of neighbours",
        "p(i) = argmin(j, A(i,j))",
        "A=6,6",
        refusal=("expression/unknown-function", "argmin is not a function"),
    ),
)
