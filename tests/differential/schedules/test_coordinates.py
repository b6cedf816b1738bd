"""coord: back from positions to coordinates, alone and between other commands."""

from __future__ import annotations

import pytest

from tests.differential.check import check

SPMV, MTTKRP = "y(i) = A(i,j) * x(j)", "A(i,j) = B(i,k,l) * C(k,j) * D(l,j)"
CSR, TILES = {"A": "csr"}, "pos(j, p, A); split(p, p0, p1, 4)"
CASES = [
    (SPMV, CSR, "pos(j, p, A); coord(p, jc)"),
    (SPMV, {"A": "dcsr"}, "pos(i, p, A); coord(p, ic); split(ic, i0, i1, 3); parallelize(i0, CPUThread, NoRaces)"),
    (SPMV, {"A": "csc"}, "pos(i, p, A); coord(p, ic); parallelize(ic, CPUThread, NoRaces)"),
    (SPMV, CSR, f"{TILES}; coord(p1, jc)"),
    (SPMV, CSR, f"{TILES}; coord(p1, jc); split(jc, j0, j1, 2)"),
    (SPMV, CSR, f"{TILES}; split(p1, q0, q1, 2); coord(q1, jc); unroll(jc, 4)"),
    (SPMV, CSR, "pos(j, p, A); divide(p, p0, p1, 3); split(p1, q0, q1, 2); coord(q1, jc); divide(jc, j0, j1, 2)"),
    (SPMV, {"A": "csr", "x": "compressed"}, f"{TILES}; coord(p1, jc)"),
    (SPMV, CSR, "split(j, j0, j1, 4); pos(j1, p, A); coord(p, jc)"),
    (SPMV, CSR, "pos(j, p, A); coord(p, jc); parallelize(jc, CPUVector, ParallelReduction)"),
    (MTTKRP, {"B": "csf"}, "reorder(i,k,l,j); pos(k,p,B); split(p,p0,p1,2); coord(p1,kc); pos(l,q,B); coord(q,lc)"),
]


@pytest.mark.combinations(2, "expression", "formats")
@pytest.mark.parametrize(("expression", "formats", "schedule"), CASES, ids=[case[2] for case in CASES])
def test_coord(expression: str, formats: dict[str, str], schedule: str) -> None:
    check(expression, formats, schedule.replace("; ", "\n").replace(";", "\n"))


def test_equal_parts_of_a_row_begin_where_the_row_does() -> None:
    check(SPMV, CSR, "pos(j, p, A)\ndivide(p, p0, p1, 3)")
