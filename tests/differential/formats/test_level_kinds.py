"""Kernels over operands of every level kind: the interpreter and the compiled C give what NumPy gives."""

from __future__ import annotations

import pytest

from tests.differential.check import check

MATRICES = (
    "coo",
    "coo : 1,0",
    "compressed(nonunique, unordered), singleton(unordered)",
    "dense, compressed(unordered)",
    "ell",
    "ell : 1,0",
    "dia",
    "dia : 1,0",
    "dense, bitmap",
    "bitmap, compressed",
    "compressed, bitmap",
    "dense, hashed",
    "hashed, hashed",
    "hashed, compressed",
    "compressed, padded",
)
TENSORS = (
    "coo",
    "coo : 2,0,1",
    "compressed(nonunique), singleton, dense",
    "compressed(nonunique), singleton, compressed",
    "compressed(nonunique), compressed, compressed",
    "dense, compressed(nonunique), singleton",
    "compressed, compressed(nonunique), singleton",
    "dense, padded, compressed",
    "padded, hashed, dense",
    "bitmap, dense, padded",
    "hashed, compressed, bitmap",
)
FUSED = "fuse(i,j,f)\npos(f,p,A)"
MERGED = ("csr", "coo", "dia")
"""Ordered formats that a matrix is merged with."""


def ordered(formats: tuple[str, ...]) -> list[str]:
    return [text for text in formats if "unordered" not in text]


@pytest.mark.combinations(4, "expression", "text")
@pytest.mark.parametrize("text", MATRICES)
@pytest.mark.parametrize(
    "expression", ["y(i) = A(i,j) * x(j)", "y(j) = A(i,j) * x(i)", "C(i,j) = A(i,j)", "s = A(i,j)"]
)
def test_a_matrix_alone(expression: str, text: str) -> None:
    check(expression, {"A": text})


@pytest.mark.combinations(4, "expression", "text")
@pytest.mark.parametrize("text", ordered(MATRICES))
@pytest.mark.parametrize("expression", ["y(i) = x(i) + A(i,i)", "y(i) = A(i,i) * x(i)"])
def test_a_matrix_beside_vectors(expression: str, text: str) -> None:
    check(expression, {"A": text})
    check(expression, {"A": text, "x": "sparse"})


@pytest.mark.combinations(8, "expression", "text", "other")
@pytest.mark.parametrize("other", MERGED)
@pytest.mark.parametrize("text", ["coo", "ell", "dia", "dense, bitmap", "hashed, compressed", "compressed, padded"])
@pytest.mark.parametrize(
    "expression", ["C(i,j) = A(i,j) + B(i,j)", "C(i,j) = A(i,j) * B(i,j) - A(i,j)", "C(i,k) = A(i,j) * B(j,k)"]
)
def test_two_matrices(expression: str, text: str, other: str) -> None:
    check(expression, {"A": text, "B": other})
    check(expression, {"A": other, "B": text})


@pytest.mark.combinations(6, "expression", "text")
@pytest.mark.parametrize("text", TENSORS)
@pytest.mark.parametrize(
    "expression",
    ["C(i,j) = T(i,j,k) * x(k)", "C(i,j) = T(i,k,l) * A(k,j) * B(l,j)", "y(i) = T(i,k,k)", "D(i,j,k) = T(i,j,k)"],
)
def test_tensors_of_order_three(expression: str, text: str) -> None:
    check(expression, {"T": text})


@pytest.mark.combinations(2, "expression", "formats")
@pytest.mark.parametrize(
    ("expression", "formats", "schedule"),
    [
        ("y(i) = A(i,j) * x(j)", {"A": "coo"}, "fuse(i,j,f)"),
        ("y(i) = A(i,j) * x(j)", {"A": "coo"}, "fuse(i,j,f)\npos(f,p,A)"),
        (
            "y(i) = A(i,j) * x(j)",
            {"A": "coo"},
            f"{FUSED}\nsplit(p,p0,p1,8)\nparallelize(p0,CPUThread,Atomics)",
        ),
        ("y(i) = A(i,j) * x(j)", {"A": "coo"}, "split(i,i0,i1,4)"),
        ("y(i) = A(i,j) * x(j)", {"A": "coo"}, "split(i,i0,i1,4)\nparallelize(i0,CPUThread,NoRaces)"),
        ("y(i) = A(i,j) * x(j)", {"A": "coo"}, "pos(j,p,A)\nsplit(p,p0,p1,4)"),
        ("y(i) = A(i,j) * x(j)", {"A": MATRICES[2]}, "fuse(i,j,f)\npos(f,p,A)\nparallelize(p,CPUThread,Atomics)"),
        ("y(i) = A(i,j) * x(j)", {"A": "ell"}, FUSED),
        ("y(i) = A(i,j) * x(j)", {"A": "ell"}, "pos(j,p,A)\nsplit(p,p0,p1,4)"),
        ("y(i) = A(i,j) * x(j)", {"A": "ell"}, "split(j,j0,j1,4)"),
        ("y(i) = A(i,j) * x(j)", {"A": "ell"}, "parallelize(j,CPUVector,ParallelReduction)"),
        ("y(i) = A(i,j) * x(j)", {"A": "ell"}, "parallelize(i,CPUThread,NoRaces)\nunroll(j,4)"),
        ("y(i) = A(i,j) * x(j)", {"A": "ell", "x": "sparse"}, "mergeby(j,Gallop)"),
        ("y(i) = A(i,j) * x(j)", {"A": "dia"}, FUSED + "\nsplit(p,p0,p1,8)\nparallelize(p0,CPUThread,Atomics)"),
        ("y(i) = A(i,j) * x(j)", {"A": "dia"}, "pos(j,p,A)\nsplit(p,p0,p1,4)\nunroll(p1,4)"),
        ("y(i) = A(i,j) * x(j)", {"A": "dia"}, "split(j,j0,j1,4)"),
        ("y(i) = A(i,j) * x(j)", {"A": "dense, bitmap"}, "split(j,j0,j1,4)\nparallelize(i,CPUThread,NoRaces)"),
        ("y(i) = A(i,j) * x(j)", {"A": "bitmap, compressed"}, FUSED),
        ("y(i) = A(i,j) * x(j)", {"A": "dense, hashed"}, "reorder(j,i)"),
        ("C(i,j) = T(i,j,k) * x(k)", {"T": "coo"}, "pos(i,p,T)"),
        ("C(i,j) = T(i,j,k) * x(k)", {"T": "coo"}, "fuse(i,j,f)\npos(f,p,T)\nparallelize(p,CPUThread,Atomics)"),
        ("C(i,j) = T(i,j,k) * x(k)", {"T": "coo"}, "fuse(i,j,f)\nfuse(f,k,g)\npos(g,p,T)"),
        ("C(i,j) = T(i,j,k) * x(k)", {"T": TENSORS[5]}, "parallelize(i,CPUThread,NoRaces)"),
    ],
)
def test_schedules(expression: str, formats: dict[str, str], schedule: str) -> None:
    check(expression, formats, schedule)
