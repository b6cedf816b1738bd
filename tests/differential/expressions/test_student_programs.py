"""Ten programs that a course on comprehensions and index notation asks for, each in two dtypes and two formats, beside
NumPy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import heddle as hd

Arrays = Mapping[str, Any]

RANDOM = np.random.default_rng(7)
GRAPH = np.where(RANDOM.random((9, 9)) < 0.4, RANDOM.random((9, 9)) + 0.5, 0) + np.eye(9)
POINTS = np.where(RANDOM.random((9, 8)) < 0.6, RANDOM.integers(-9, 9, (9, 8)), 0)
VECTOR = RANDOM.random(9)
DIAGONAL = np.diag(GRAPH).copy()


@dataclass(frozen=True, slots=True)
class Program:
    text: str
    operands: Arrays
    meaning: Callable[..., Arrays]
    sparse: str
    formats: tuple[str, str] = ("csr", "bcsr(4,4)")
    sizes: Mapping[str, int] | None = None


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def clusters(x: Any, c: Any) -> Arrays:
    nearest = ((x[:, None] - c[None]) ** 2).sum(2).argmin(1)
    sums = np.zeros(c.shape)
    np.add.at(sums, nearest, x)
    return {"S": sums, "n": np.bincount(nearest, minlength=len(c))}


PROGRAMS = {
    "PageRank": Program(
        """def rank(REAL(N,N) P, REAL(N) r) -> (q, e) {
            s(i) +=! P(i,j) * r(j)
            q(i) = 0.85 * s(i) + 0.15 / N
            e +=! fabs(q(i) - r(i)) }""",
        {"P": GRAPH / GRAPH.sum(0), "r": VECTOR},
        lambda p, r: {"q": 0.85 * p @ r + 0.15 / 9, "e": np.abs(0.85 * p @ r + 0.15 / 9 - r).sum()},
        "P",
    ),
    "k-means": Program(
        """def means(REAL(N,D) X, REAL(K,D) C) -> (S, n) {
            d(i,k) +=! (X(i,j) - C(k,j)) * (X(i,j) - C(k,j))
            m(i) min=! d(i,k)
            a(i) min=! d(i,k) == m(i) ? k : K
            S(k,j) +=! a(i) == k ? X(i,j) : 0 where k in 0:K
            n(k) +=! a(i) == k ? 1 : 0 where k in 0:K }""",
        {"X": POINTS, "C": RANDOM.integers(-9, 9, (4, 8))},
        clusters,
        "X",
        ("dense", "csr"),
    ),
    "softmax": Program(
        """def softmax(REAL(N,M) X) -> (Y) {
            m(i) max=! X(i,j)
            e(i,j) = exp(X(i,j) - m(i))
            s(i) +=! e(i,j)
            Y(i,j) = e(i,j) / s(i) }""",
        {"X": POINTS},
        lambda x: {"Y": softmax(x)},
        "X",
    ),
    "layer norm": Program(
        """def norm(REAL(N,M) X, REAL(M) g) -> (Y) {
            t(i) +=! X(i,j)
            m(i) = t(i) / M
            v(i) +=! (X(i,j) - m(i)) * (X(i,j) - m(i))
            Y(i,j) = (X(i,j) - m(i)) * rsqrt(v(i) / M + 0.001) * g(j) }""",
        {"X": POINTS, "g": RANDOM.random(8)},
        lambda x, g: {"Y": (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 0.001) * g},
        "X",
    ),
    "Jacobi": Program(
        """def jacobi(REAL(N,N) A, REAL(N) b, REAL(N) x, REAL(N) d) -> (y) {
            s(i) +=! i != j ? A(i,j) * x(j) : 0
            y(i) = (b(i) - s(i)) / d(i) }""",
        {"A": GRAPH, "b": VECTOR, "x": VECTOR[::-1].copy(), "d": DIAGONAL},
        lambda a, b, x, d: {"y": (b - (a - np.diag(np.diag(a))) @ x) / d},
        "A",
    ),
    "Gram matrix": Program(
        "def gram(REAL(N,M) X) -> (G) { G(j,k) +=! X(i,j) * X(i,k) }",
        {"X": POINTS},
        lambda x: {"G": x.T @ x},
        "X",
    ),
    "graph convolution": Program(
        """def layer(REAL(N,N) A, REAL(N,F) H, REAL(F,G) W) -> (Y) {
            T(i,g) +=! H(i,f) * W(f,g)
            Y(i,g) +=! A(i,j) * T(j,g)
            Y(i,g) = fmax(Y(i,g), 0) }""",
        {"A": GRAPH, "H": POINTS, "W": RANDOM.normal(size=(8, 3))},
        lambda a, h, w: {"Y": np.maximum(a @ h @ w, 0)},
        "A",
    ),
    "max-plus": Program(
        """def step(REAL(S,S) T, REAL(S) p) -> (q, a) {
            q(j) max=! p(i) + T(i,j)
            a(j) max=! p(i) + T(i,j) == q(j) ? i : 0 }""",
        {"T": GRAPH, "p": VECTOR},
        lambda t, p: {"q": (p[:, None] + t).max(0), "a": (p[:, None] + t).argmax(0)},
        "T",
        ("dense", "csr"),
    ),
    "histogram": Program(
        """def histogram(int(N) b, REAL(N) w) -> (h, y) {
            h(k) +=! b(i) == k ? w(i) : 0 where k in 0:5
            y(i) = w(i) / h(b(i)) }""",
        {"b": np.arange(9, dtype=np.int32) % 5, "w": VECTOR},
        lambda b, w: {"h": np.bincount(b, w, 5), "y": w / np.bincount(b, w, 5)[b]},
        "w",
        ("dense", "compressed"),
    ),
    "moving average": Program(
        """def average(REAL(N) x, int K) -> (y) {
            s(i) +=! (i + k - K >= 0 && i + k - K < N) ? x(i+k-K) : 0 where i in 0:N, k in 0:2*K+1
            c(i) +=! (i + k - K >= 0 && i + k - K < N) ? 1 : 0 where i in 0:N, k in 0:2*K+1
            y(i) = s(i) / c(i) }""",
        {"x": VECTOR},
        lambda x: {"y": np.convolve(x, np.ones(5), "same") / np.convolve(np.ones(9), np.ones(5), "same")},
        "x",
        ("dense", "dense"),
        {"K": 2},
    ),
}


@pytest.mark.parametrize("real", ["float", "double"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_of_a_student_gives_what_numpy_gives(name: str, real: str) -> None:
    program = PROGRAMS[name]
    dtype, error = ("float32", 3e-5) if real == "float" else ("float64", 1e-12)
    operands = {n: a if a.dtype == np.int32 else a.astype(dtype) for n, a in program.operands.items()}
    expected = program.meaning(*(a if a.dtype == np.int32 else a.astype(float) for a in operands.values()))
    for format in dict.fromkeys(program.formats):
        kernel = hd.compile(
            program.text.replace("REAL", real),
            {program.sparse: format},
            language="comprehension",
            sizes=program.sizes,
            target="interpreter",
        )
        result = kernel(**operands)
        for tensor, values in expected.items():
            computed = result if isinstance(result, hd.Tensor) else result[tensor]
            np.testing.assert_allclose(computed.to_numpy(), values, error, error, err_msg=f"{name} {format} {tensor}")
