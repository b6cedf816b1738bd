"""Sparse results: every kernel in every format that can be assembled, right and well-formed on every kind of operands.

A program with commands may be refused with ``schedule/append-…``, where its coordinates would come out of order; which
ones are is a part of the tests.
"""

from __future__ import annotations

import pytest

from tests.differential.check import check

MATRICES = (
    "csr",
    "csc",
    "dcsr",
    "dcsc",
    "csf : 1,0",
    "coo",
    "coo : 1,0",
    "compressed, dense",
    "compressed, dense : 1,0",
)
TENSORS = (
    "csf",
    "coo",
    "dense, dense, compressed",
    "dense, compressed, compressed",
    "dense, compressed, dense",
    "compressed, dense, compressed",
    "compressed, dense, dense",
    "compressed, compressed(nonunique), singleton",
    "compressed(nonunique), singleton, dense",
    "csf : 2,0,1",
    "dense, compressed, dense : 1,2,0",
)
KERNELS = [
    ("C(i,k) = A(i,j) * B(j,k)", {"A": "csr", "B": "csr"}),
    ("C(i,k) = A(i,j) * B(j,k)", {"A": "csc", "B": "dcsr"}),
    ("C(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "dcsr"}),
    ("C(i,j) = A(i,j) - B(i,j) + D(i,j)", {"A": "csr", "B": "csr", "D": "coo"}),
    ("C(i,j) = A(i,j) * B(i,j)", {"A": "csr", "B": "csr"}),
    ("C(i,j) = 2 * A(i,j)", {"A": "dcsr"}),
    ("C(i,j) = A(j,i)", {"A": "csr"}),
    ("C(i,j) = S(i,j) * A(i,k) * B(k,j)", {"S": "csr"}),
    ("C(i,j) = T(i,j,k) * x(k)", {"T": "csf"}),
    ("C(i,j) = T(i,k,l) * A(k,j) * B(l,j)", {"T": "csf"}),
    ("C(i,j) = x(i) * y(j)", {"x": "sparse"}),
    ("C(i,j) = max(A(i,j), B(i,j))", {"A": "csr", "B": "csr"}),
]
ORDER_THREE = [
    ("D(i,j,k) = A(i,j,k) + B(i,j,k)", {"A": "csf", "B": "csf"}),
    ("D(i,j,k) = T(k,j,i)", {"T": "csf"}),
    ("D(i,j,l) = T(i,j,k) * A(k,l)", {"T": "csf", "A": "csr"}),
    ("D(i,j,k) = A(i,j) * B(j,k)", {"A": "csr", "B": "csr"}),
]
ALL_CSR = {"A": "csr", "B": "csr", "C": "csr"}


@pytest.mark.combinations(4, "expression", "result")
@pytest.mark.parametrize("result", MATRICES)
@pytest.mark.parametrize(("expression", "formats"), KERNELS)
def test_matrices(expression: str, formats: dict[str, str], result: str) -> None:
    check(expression, {**formats, "C": result}, targets=("interpreter",))


@pytest.mark.combinations(4, "expression")
@pytest.mark.parametrize(("expression", "formats"), KERNELS)
@pytest.mark.parametrize("result", ["csr", "coo"])
def test_matrices_in_c(expression: str, formats: dict[str, str], result: str) -> None:
    check(expression, {**formats, "C": result}, targets=("c",))


@pytest.mark.combinations(4, "expression", "result")
@pytest.mark.parametrize("result", TENSORS)
@pytest.mark.parametrize(("expression", "formats"), ORDER_THREE)
def test_tensors_of_order_three(expression: str, formats: dict[str, str], result: str) -> None:
    check(expression, {**formats, "D": result}, targets=("interpreter",))


@pytest.mark.combinations(2)
@pytest.mark.parametrize("result", TENSORS[:8])
def test_tensors_of_order_three_in_c(result: str) -> None:
    check("D(i,j,k) = A(i,j,k) + B(i,j,k)", {"A": "csf", "B": "csf", "D": result}, targets=("c",))


@pytest.mark.parametrize(
    ("expression", "formats"),
    [
        ("y(i) = A(i,j) * x(j)", {"A": "dcsr", "y": "sparse"}),
        ("y(i) = a(i) + b(i)", {"a": "sparse", "b": "sparse", "y": "sparse"}),
        ("y(j) = A(i,j) * x(i)", {"A": "csr", "y": "sparse"}),
        ("E(i,j,k,l) = E1(i,j,k,l) + E2(i,j,k,l)", {"E1": "csf", "E2": "coo", "E": "csf"}),
        ("E(i,j,k,l) = E1(i,j,k,l) * A(k,l)", {"E1": "csf", "E": "compressed, dense, compressed, dense"}),
        ("E(i,j,k,l) = A(i,j) * B(k,l)", {"A": "csr", "B": "dcsr", "E": "dense, compressed, dense, compressed"}),
    ],
)
def test_vectors_and_order_four(expression: str, formats: dict[str, str]) -> None:
    check(expression, formats)


ADDITION, PRODUCT = "C(i,j) = A(i,j) + B(i,j)", "C(i,k) = A(i,j) * B(j,k)"
GUSTAVSON = "reorder(i, j, k)\nprecompute(A(i,j) * B(j,k), k, k, w)\n"
SDDMM = "C(i,j) = S(i,j) * A(i,k) * B(k,j)"


SCHEDULES = [
    (ADDITION, ALL_CSR, "parallelize(i, CPUThread, NoRaces)"),
    (ADDITION, ALL_CSR, "split(i, i0, i1, 3)\nparallelize(i0, CPUThread, NoRaces)"),
    (ADDITION, ALL_CSR, "divide(i, i0, i1, 4)\nparallelize(i0, CPUThread, NoRaces)"),
    (ADDITION, ALL_CSR, "split(j, j0, j1, 2)"),
    (ADDITION, ALL_CSR, "split(i, i0, i1, 2)\nsplit(i1, i2, i3, 2)\nassemble(C, Insert)"),
    (ADDITION, {**ALL_CSR, "C": "dcsr"}, "parallelize(i, CPUThread, NoRaces)"),
    (ADDITION, {**ALL_CSR, "C": "coo"}, "split(i, i0, i1, 3)\nparallelize(i0, CPUThread, NoRaces)"),
    (ADDITION, {**ALL_CSR, "C": "compressed, dense"}, "parallelize(i, CPUThread, NoRaces)"),
    ("C(i,j) = 2 * A(i,j)", {"A": "dcsr", "C": "coo"}, "fuse(i, j, f)"),
    ("C(i,j) = A(i,j) + B(i,j)", {"C": "coo"}, "fuse(i, j, f)\nsplit(f, f0, f1, 4)"),
    (PRODUCT, ALL_CSR, GUSTAVSON),
    (PRODUCT, ALL_CSR, GUSTAVSON + "assemble(C, Append)"),
    (PRODUCT, ALL_CSR, GUSTAVSON + "assemble(C, Insert)\nparallelize(i, CPUThread, NoRaces)"),
    (PRODUCT, ALL_CSR, GUSTAVSON + "split(i, i0, i1, 2)\nparallelize(i0, CPUThread, NoRaces)"),
    (PRODUCT, {**ALL_CSR, "C": "dcsr"}, GUSTAVSON + "parallelize(i, CPUThread, NoRaces)"),
    (PRODUCT, {**ALL_CSR, "C": "coo"}, GUSTAVSON + "parallelize(i, CPUThread, NoRaces)"),
    (PRODUCT, {**ALL_CSR, "A": "dcsr"}, GUSTAVSON + "pos(i, p, A)\nparallelize(p, CPUThread, NoRaces)"),
    (SDDMM, {"S": "csr", "C": "csr"}, "parallelize(i, CPUThread, NoRaces)"),
    (SDDMM, {"S": "csr", "C": "csr"}, "fuse(i, j, f)\npos(f, p, S)\nsplit(p, p0, p1, 4)\nreorder(p0, p1, k)"),
    (SDDMM, {"S": "csr", "C": "csr"}, "fuse(i, j, f)\npos(f, p, S)\nparallelize(p, CPUThread, NoRaces)"),
    (SDDMM, {"S": "dcsr", "C": "dcsr"}, "pos(i, p, S)\nsplit(p, p0, p1, 2)\nparallelize(p0, CPUThread, NoRaces)"),
    (SDDMM, {"S": "csr", "C": "csr"}, "assemble(C, Append)"),
    ("C(i,j) = T(i,j,k) * x(k)", {"T": "csf", "C": "dcsr"}, "parallelize(i, CPUThread, NoRaces)"),
    ("C(i,j) = T(i,j,k) * x(k)", {"T": "csf", "C": "dcsr"}, "fuse(i, j, f)\npos(f, p, T)\nsplit(p, p0, p1, 4)"),
    ("C(i,j) = T(i,j,k) * x(k)", {"T": "csf", "C": "csr"}, "split(i, i0, i1, 4)"),
]


@pytest.mark.combinations(2, "expression", "formats")
@pytest.mark.parametrize(("expression", "formats", "schedule"), SCHEDULES)
def test_schedules(expression: str, formats: dict[str, str], schedule: str) -> None:
    check(expression, formats, schedule)
