"""Workspaces in every shape, and what may be done to the loops of producer and consumer afterwards."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from tests.differential.check import check

SPMV, SPMM = "y(i) = A(i,j) * x(j)", "C(i,k) = A(i,j) * B(j,k)"
MTTKRP = "A(i,j) = T(i,k,l) * C(k,j) * D(l,j)"


MATRIX_VECTOR = [
    "precompute(A(i,j) * x(j), j, j)",
    "precompute(A(i,j) * x(j), j, jw, products)",
    "precompute(x(j), j, j)",
    "precompute(A(i,j), j, j)",
    "precompute(A(i,j) * x(j), i, iw)",
    "precompute(A(i,j) * x(j), {i, j}, {iw, jw}, w)",
    "precompute(A(i,j) * x(j), i, iw)\nsplit(iw, i0, i1, 4)\nparallelize(i0, CPUThread, NoRaces)",
    "precompute(A(i,j) * x(j), i, iw)\nparallelize(i, CPUThread, NoRaces)",
    "split(i, i0, i1, 4)\nprecompute(A(i,j) * x(j), i1, iw)\nunroll(i1, 4)\nparallelize(i0, CPUThread, NoRaces)",
    "split(i, i0, i1, 4)\nprecompute(A(i,j) * x(j), {i0, i1}, {a, b})\nparallelize(a, CPUThread, NoRaces)",
    "divide(i, i0, i1, 3)\nprecompute(A(i,j) * x(j), i1, i1)",
    "bound(i, ib, 64, MaxConstraint)\nprecompute(A(i,j) * x(j), ib, ib)",
    "precompute(A(i,j) * x(j), j, jw, w)\nprecompute(x(jw), jw, jv, v)",
    "precompute(A(i,j) * x(j), i, iw, w)\nprecompute(A(iw,j), j, jw, v)",
    "precompute(A(i,j) * x(j), {i, j}, {i, j})\nprecompute(A(iw,jw) * x(jw), {iw, jw}, {iw, jw})",
]


@pytest.mark.combinations(4)
@pytest.mark.parametrize("formats", [{}, {"A": "csr"}, {"A": "csr", "x": "sparse"}, {"A": "coo"}, {"A": "ell"}])
@pytest.mark.parametrize("schedule", MATRIX_VECTOR)
def test_matrix_times_vector(formats: dict[str, str], schedule: str) -> None:
    targets = ("interpreter", "c") if formats == {"A": "csr"} else ("interpreter",)
    check(SPMV, formats, schedule, targets=targets)


@pytest.mark.combinations(4, "schedule", "formats")
@pytest.mark.parametrize("formats", [{"A": "csr"}, {"A": "csr", "B": "csr"}])
@pytest.mark.parametrize(
    "schedule",
    [
        "reorder(i, j, k)\nprecompute(A(i,j) * B(j,k), k, kw)",
        "reorder(i, j, k)\nprecompute(A(i,j) * B(j,k), {j, k}, {jw, kw})",
        "reorder(i, j, k)\nprecompute(B(j,k), k, kw)\nsplit(kw, k0, k1, 4)\nunroll(k1, 4)",
        "reorder(i, j, k)\nprecompute(B(j,k), k, kw)\nparallelize(k, CPUVector, NoRaces)",
        "reorder(i, j, k)\nprecompute(A(i,j) * B(j,k), k, kw)\nparallelize(i, CPUThread, NoRaces)\nunroll(k, 2)",
        "reorder(i, j, k)\nsplit(i, a, b, 2)\nprecompute(A(i,j) * B(j,k), k, kw)\nparallelize(a, CPUThread, NoRaces)",
        "reorder(i, j, k)\nsplit(j, j0, j1, 4)\nreorder(i, j0, j1, k)\nprecompute(A(i,j), {j0, j1}, {a, b})",
        "reorder(i, j, k)\nfuse(i, j, f)\nprecompute(A(i,j) * B(j,k), k, kw)",
    ],
)
def test_matrix_times_matrix(formats: dict[str, str], schedule: str) -> None:
    check(SPMM, formats, schedule, targets=("interpreter", "c") if "B" not in formats else ("interpreter",))


@pytest.mark.combinations(2)
@pytest.mark.parametrize(
    ("expression", "formats", "schedule"),
    [
        (MTTKRP, {"T": "csf"}, "reorder(i, k, l, j)\nprecompute(T(i,k,l) * D(l,j), j, jw)"),
        (MTTKRP, {"T": "csf"}, "reorder(i, k, l, j)\nprecompute(T(i,k,l) * C(k,j) * D(l,j), {l, j}, {lw, jw})"),
        (MTTKRP, {"T": "csf"}, "reorder(i, k, l, j)\nprecompute(T(i,k,l) * D(l,j), j, jw)\nsplit(j, a, b, 2)"),
        ("y(i) = b(i) + A(i,j) * x(j)", {"A": "csr", "b": "sparse"}, "precompute(A(i,j) * x(j), j, jw)"),
        ("y(i) = (A(i,j) + B(i,j)) * x(j)", {"A": "csr", "B": "dcsr"}, "precompute(A(i,j) + B(i,j), j, jw)"),
        ("y(i) = max(j, A(i,j) * x(j))", {"A": "csr"}, "precompute(A(i,j) * x(j), j, jw)"),
        ("C(i,j) = A(i,j) * B(i,j) + D(i,j)", {"A": "csr", "D": "dcsr"}, "precompute(A(i,j) * B(i,j), j, jw)"),
        ("C(i,j) = abs(A(i,j)) * B(i,j)", {"B": "csr"}, "precompute(abs(A(i,j)), {i, j}, {i, j})"),
        ("s = a(i) * b(i)", {"a": "sparse"}, "precompute(a(i) * b(i), i, iw)\nparallelize(i, CPUThread, Temporary)"),
    ],
)
def test_other_kernels(expression: str, formats: dict[str, str], schedule: str) -> None:
    check(expression, formats, schedule)


def test_a_workspace_that_lanes_fill_and_a_loop_reads_element_by_element_is_no_register() -> None:
    """Products by relation: lanes sum the neighbours' features, and each of them is multiplied by a row of weights."""
    rng = np.random.default_rng(6)
    a = (rng.random((3, 5, 7)) < 0.3) * rng.random((3, 5, 7))
    x, weights = rng.random((7, 8)), rng.random((3, 8, 8))
    schedule = """bound(k, kb, 8, MaxExact)
bound(l, lb, 8, MaxExact)
reorder(i, r, j, kb, lb)
precompute(A(r,i,j) * X(j,k), kb, kw, w)
parallelize(kw, CPUVector, NoRaces)
parallelize(lb, CPUVector, NoRaces)"""
    for target in ("interpreter", "c"):
        kernel = hd.compile(
            "Y(i,l) = A(r,i,j) * X(j,k) * W(r,k,l)",
            {"A": "dense, compressed, compressed : 1,0,2"},
            schedule,
            target=target,
        )
        found = kernel(A=a, X=x, W=weights).to_numpy()
        np.testing.assert_allclose(found, np.einsum("rij,jk,rkl->il", a, x, weights), rtol=1e-12)


@pytest.mark.parametrize("target", ["interpreter", "c"])
@pytest.mark.parametrize(
    "schedule",
    [
        "precompute(W(x) * I(i_x), i, iw, t)",
        "split(i, i0, i1, 4); reorder(i0, x, i1); precompute(W(x) * I(i_x), i1, iw, t); "
        "parallelize(iw, CPUVector, NoRaces)",
        "precompute(I(i_x), {i, x}, {iw, xw}, t)",
    ],
)
def test_a_part_is_read_at_coordinates_that_are_computed(schedule: str, target: str) -> None:
    """The producer's loops have other names, which the formulas of its coordinates follow."""
    text = "def f(float(N) I, float(K) W) -> (O) { O(i) +=! W(x) * I(i+x) }"
    kernel = hd.compile(text, language="comprehension", schedule=schedule, target=target)
    image, weights = np.arange(13, dtype="float32"), np.array([1, 2, 4], dtype="float32")
    np.testing.assert_array_equal(kernel(I=image, W=weights).to_numpy(), np.correlate(image, weights))


@pytest.mark.parametrize("target", ["interpreter", "c"])
def test_rows_that_an_operand_names_are_added_up_in_registers(target: str) -> None:
    text = "def lut(float(E,D) T, int(B,L) I) -> (O) { O(i,j) +=! T(I(i,k),j) }"
    tile = "split(j, j0, j1, 8); reorder(i, j0, k, j1); precompute(T(I_i_k,j), j1, jw, w)"
    schedule = f"{tile}; parallelize(jw, CPUVector, NoRaces)"
    kernel = hd.compile(text, language="comprehension", schedule=schedule, target=target)
    table, rows = np.arange(33, dtype="float32").reshape(3, 11), np.array([[2, 0, 2], [1, 1, 0]], dtype="int32")
    np.testing.assert_array_equal(kernel(T=table, I=rows).to_numpy(), table[rows].sum(1))
