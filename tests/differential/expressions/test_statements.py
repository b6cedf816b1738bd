"""Several statements in one expression: interpreter = C = oracle, with schedules on the loops of each."""

from __future__ import annotations

import numpy as np
import pytest

import heddle as hd
from tests.differential.check import check


@pytest.mark.combinations(2, "schedule")
@pytest.mark.parametrize(
    ("expression", "formats", "schedule"),
    [
        ("t(i) = A(i,j) * x(j); y(i) = t(i) * b(i)", {"A": "csr"}, ""),
        ("t(i) = A(i,j) * x(j); y(i) = t(i) * b(i)", {"A": "csc"}, ""),
        ("t(i) = A(i,j) * x(j); y(i) = t(i) * b(i)", {"A": "dcsr", "b": "compressed"}, ""),
        (
            "t(i) = A(i,j) * x(j); y(i) = t(i) * b(i)",
            {"A": "csr"},
            "split(i, i0, i1, 4); parallelize(i0, CPUThread, NoRaces); parallelize(i2, CPUVector, NoRaces)",
        ),
        ("t(i) = A(i,j) * x(j); y(i) = t(i)", {"A": "csc"}, "parallelize(j, CPUThread, Atomics)"),
        (
            "t(i) = A(i,j) * x(j); y(i) = t(i)",
            {"A": "csr"},
            "fuse(i, j, f); pos(f, fp, A); split(fp, p0, p1, 4); parallelize(p0, CPUThread, Atomics)",
        ),
        ("t(i) = A(i,j) * x(j); y(i) = t(i)", {"A": "csr"}, "fuse(i, j, f); pos(f, fp, A)"),
        # The two-stage kernel of a graph convolution, and two sparse products after one another.
        ("h(i,d) = X(i,k) * W(k,d)\nY(i,d) = relu(A(i,j) * h(j,d))", {"A": "csr", "X": "csr"}, ""),
        ("u(j) = A(i,j) * x(i)\ny(i) = A(i,j) * u(j)", {"A": "csr"}, ""),
        # Sampled product first, then a product with what it gives; the row sums in between scale it.
        (
            "P(i,j) = M(i,j) * Q(i,k) * K(j,k); r(i) = P(i,j); Y(i,d) = P(i,j) * V(j,d) * r(i)",
            {"M": "csr"},
            "",
        ),
        # Scalars; reductions other than sums; a place where nothing is stored keeps what is neutral.
        ("n = A(i,j) * A(i,j); y(i) = A(i,j) * x(j) * n", {"A": "csr"}, "parallelize(i, CPUThread, ParallelReduction)"),
        ("m(i) = max(j, A(i,j)); y(i,j) = A(i,j) - m(i)", {"A": "csr"}, ""),
        ("t(i) = A(i,i); y(i) = t(i) + b(i)", {"A": "csr"}, ""),
        ("t(i) = a(i); y(i) = t(i) + b(i)", {"a": "compressed"}, ""),
        # What is not computed first is read from its own place, also when the result is sparse.
        ("t(j) = x(j) * z(j); C(i,j) = A(i,j) * t(j)", {"A": "csr", "C": "csr"}, ""),
        ("t(j) = x(j) * z(j); C(i,j) = A(i,j) * t(j) + B(i,j)", {"A": "csr", "B": "csr", "C": "csr"}, ""),
        (
            "t(j) = x(j) * z(j); c(i) = a(i) * t(i) + b(i)",
            {"a": "compressed", "b": "compressed", "c": "compressed"},
            "parallelize(j, CPUThread, NoRaces)",
        ),
        # A workspace for a part of a temporary.
        (
            "t(i,j) = A(i,k) * B(k,j); y(i) = t(i,j) * x(j)",
            {"A": "csr", "B": "csr"},
            "precompute(A(i,k) * B(k,j), j, jw, w)",
        ),
        # Blocks, parts and slots belong to the loops of a statement; a temporary has whole coordinates.
        ("t(i) = A(i,j) * x(j); y(i) = A(i,j) * t(j)", {"A": "bcsr(2,2)"}, ""),
        ("t(i) = A(i,j) * x(j); y(i) = B(i,j) * t(j)", {"A": "bcsr(2,3)", "B": "bcsr(3,2)"}, ""),
        ("t(j) = A(i,j) * x(i); y(i) = A(i,j) * t(j)", {"A": "sell(2)"}, ""),
        ("t(i) = A(i,j) * x(j); y(i) = t(i) * 2", {"A": "dia(2)"}, "parallelize(i2, CPUVector, NoRaces)"),
        ("t(i,k) = A(i,j) * D(j,k); C(i,k) = t(i,k) * D(i,k)", {"A": "csb(2,2)"}, ""),
        ("t(i) = A(i,j) * x(j); C(i,j) = A(i,j) * t(i)", {"A": "bcsr(2,2)", "C": "bcsr(2,2)"}, ""),
        (
            "t(i) = A(i,j) * x(j); y(i) = A(i,j) * t(j)",
            {"A": "bcsr(2,2)"},
            "parallelize(i_block, CPUThread, NoRaces); parallelize(i2_block, CPUThread, NoRaces)",
        ),
        # Equal variables of one temporary: t(i) and t(j) have one size.
        ("t(i) = a(i) * b(i); C(i,j) = t(i) * t(j) * A(i,j)", {"A": "csr"}, ""),
    ],
)
def test_programs(expression: str, formats: dict[str, str], schedule: str) -> None:
    check(expression, formats, schedule)


def test_a_temporary_has_the_dtype_of_what_it_computes() -> None:
    """Large sums are compared: in the result's dtype, which is bool, the temporary would hold 0 and 1 alone."""
    A, x = np.array([[3.0, 4.0], [1.0, 1.0]]), np.array([1.0, 2.0])
    kernel = hd.compile("t(i) = A(i,j) * x(j); y(i) = t(i) > 5", {"A": "csr"})
    assert kernel(A=A, x=x).to_numpy().tolist() == [True, False]
    narrow = hd.compile("t(i) = A(i,j) * x(j); y(i) = t(i) > 5", {"A": "csr"}, dtypes={"t": "float32"})
    assert "float* restrict t " in narrow.source


def test_a_workspace_of_a_part_has_the_dtype_of_the_part() -> None:
    A, x = np.array([[3.0, 4.0], [1.0, 1.0]]), np.array([1.0, 2.0])
    for expression in ("t(i) = A(i,j) * x(j); y(i) = t(i) > 5", "y(i) = sum(j, A(i,j) * x(j)) > 5"):
        kernel = hd.compile(expression, {"A": "csr"}, "precompute(A(i,j) * x(j), j, jw, w)")
        assert kernel(A=A, x=x).to_numpy().tolist() == [True, False], expression


def test_sizes_agree_through_a_temporary() -> None:
    """The size of k reaches y's operand b through t alone."""
    kernel = hd.compile("t(k) = a(k) * a(k); y(i) = t(i) * b(i)")
    with pytest.raises(hd.CompileError, match=r"a\(k\) has 3 entries but b\(i\) has 4 entries along i"):
        kernel(a=np.ones(3), b=np.ones(4))
    assert kernel(a=np.ones(3), b=np.ones(3)).shape == (3,)
