"""Parallel reductions into copies of the result: whole copies, slices, tiles, positions, other reductions."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
from tests.differential.check import check
from tests.errors.expect import refusal

SPMV, MTTKRP = "y(i) = A(i,j) * x(j)", "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)"
SPMM = "C(i,k) = A(i,j) * B(j,k)"
CSC, CSF = {"A": "csc"}, {"B": "csf"}
CASES = [
    (SPMV, CSC, "parallelize(j, CPUThread, Temporary)"),
    (SPMV, CSC, "parallelize(j, CPUThread, ParallelReduction)"),
    (SPMV, CSC, "split(j, j0, j1, 4); parallelize(j0, CPUThread, Temporary); unroll(j1, 2)"),
    (SPMV, CSC, "split(j, j0, j1, 4); parallelize(j1, CPUThread, Temporary)"),
    (SPMV, {"A": "csr"}, "fuse(i,j,f); pos(f,p,A); split(p,p0,p1,4); parallelize(p0, CPUThread, Temporary)"),
    (SPMV, {"A": "csr"}, "fuse(i,j,f); parallelize(f, CPUThread, Temporary)"),
    (SPMV, CSC, "bound(j, jb, 64, MaxConstraint); parallelize(jb, CPUThread, Temporary)"),
    (MTTKRP, CSF, "reorder(i,k,l,j); parallelize(k, CPUThread, Temporary)"),
    (MTTKRP, CSF, "reorder(i,k,l,j); parallelize(l, CPUThread, ParallelReduction); parallelize(j, CPUVector, NoRaces)"),
    (SPMM, CSC, "reorder(j,i,k); parallelize(j, CPUThread, Temporary); parallelize(k, CPUVector, NoRaces)"),
    (SPMM, {}, "reorder(j,i,k); parallelize(j, CPUThread, Temporary)"),
    ("y(i,j) = B(k,i,j) * c(k)", CSF, "parallelize(k, CPUThread, Temporary)"),
    ("y(k,j) = B(k,i,j) * c(i)", {}, "reorder(k,i,j); parallelize(i, CPUThread, Temporary)"),
]


@pytest.mark.combinations(2, "expression", "formats")
@pytest.mark.parametrize(("expression", "formats", "schedule"), CASES, ids=[f"{c[0]} {c[2]}" for c in CASES])
def test_copies(expression: str, formats: dict[str, str], schedule: str) -> None:
    check(expression, formats, schedule.replace(";", "\n"))


def test_copies_that_would_fill_the_memory_are_refused() -> None:
    kernel = hd.compile(SPMV, CSC, "parallelize(j, CPUThread, Temporary)")
    tall = scipy.sparse.csc_array(([1.0], ([5], [0])), shape=(2**24 + 1, 1))
    diagnostic = refusal(lambda: kernel(A=tall, x=np.ones(1)))
    assert diagnostic.code == "runtime/refused"
    assert diagnostic.message == (
        "the 8 copies of y that command 1 needs for its race strategy would have more than 134217728 elements. Use "
        "Atomics, or parallelize another loop."
    )
    assert diagnostic.location is not None
    assert diagnostic.location.command == 0


@pytest.mark.parametrize("operator", ["sum", "min", "max"])
def test_rows_that_a_loop_around_chooses_are_combined_apart(operator: str) -> None:
    """Each block of rows has copies of the whole result: the others' rows must not be overwritten."""
    schedule = "split(i, i0, i1, 2)\nreorder(i0, j, i1)\nparallelize(j, CPUThread, Temporary)"
    check(f"y(i) = {operator}(j, A(i,j) + x(j))", {}, schedule)
    check("y(i) = A(i,j) * x(j)", {"A": "bcsr(2,2)"}, "parallelize(j_inner, CPUThread, Temporary)")
