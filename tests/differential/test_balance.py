"""``balance``: parts of whole rows with as many entries each (DESIGN §3.4)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse

import compiler as hd
from tests.differential.check import check

THREADS = "parallelize(i0, CPUThread, NoRaces)"
SPMV = "y(i) = A(i,j) * x(j)"


@pytest.mark.parametrize("parts", [1, 2, 3, 7, 64])
def test_spmv(parts: int) -> None:
    check(SPMV, {"A": "csr"}, f"balance(i, i0, i1, A, {parts})\n{THREADS}")


@pytest.mark.parametrize(
    ("expression", "formats", "before"),
    [
        ("C(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "dcsr"}, ""),
        ("C(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "csr", "C": "csr"}, ""),
        ("C(i,j) = A(i,k) * B(k,j)", {"A": "csr", "B": "csr", "C": "csr"}, "precompute(A(i,k) * B(k,j), j, jw, w)\n"),
        ("C(i,k) = A(i,j) * B(j,k)", {"A": "csr"}, "reorder(i, j, k)\n"),
        ("A2(i,l) = A(i,j,k) * x(j) * B(k,l)", {"A": "dense, compressed, compressed"}, ""),
    ],
)
def test_kernels(expression: str, formats: dict[str, str], before: str) -> None:
    check(expression, formats, f"{before}balance(i, i0, i1, A, 3)\n{THREADS}")


def test_rows_of_a_part_are_cut_further() -> None:
    check(
        SPMV,
        {"A": "csr"},
        f"balance(i, i0, i1, A, 4)\nsplit(i1, i2, i3, 2)\npos(j, p, A)\nsplit(p, p0, p1, 3)\n{THREADS}",
    )


def test_parts_have_as_many_entries_and_share_no_row() -> None:
    """One long row among short ones, empty rows at both ends: no part has more than its share and one row."""
    lengths = np.array([0, 0, 1, 2, 40, 1, 3, 2, 0, 5, 1, 0])
    columns = np.concatenate([np.arange(length) for length in lengths])
    pos = np.concatenate([[0], np.cumsum(lengths)])
    matrix = scipy.sparse.csr_matrix((np.ones(len(columns)), columns, pos), shape=(12, 40))
    kernel = hd.compile(SPMV, {"A": "csr"}, f"balance(i, i0, i1, A, 3)\n{THREADS}")
    x = np.arange(40.0)
    np.testing.assert_array_equal(kernel(A=matrix, x=x).to_numpy(), matrix @ x)
    cuts = [int(np.searchsorted(pos[:12], part * pos[-1] // 3 + part // 3)) for part in range(4)]
    assert cuts[0] == 0
    assert cuts[-1] == 12
    shares = [pos[end] - pos[begin] for begin, end in itertools.pairwise(cuts)]
    assert sum(shares) == pos[-1]
    assert max(shares) <= pos[-1] // 3 + lengths.max()
