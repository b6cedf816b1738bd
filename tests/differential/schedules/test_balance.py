"""``balance``: parts of whole rows with as many entries each."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
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


PRODUCT, ALL_CSR = "C(i,j) = A(i,k) * B(k,j)", dict.fromkeys("ABC", "csr")
GUSTAVSON = "reorder(i, k, j)\nprecompute(A(i,k) * B(k,j), j, jw, w)\n"


@pytest.mark.combinations(4, "assemble", "parts")
@pytest.mark.parametrize("parts", [1, 2, 3, 7, 64])
@pytest.mark.parametrize("assemble", ["", "assemble(C, Append)\n"])
def test_parts_with_as_many_products(parts: int, assemble: str) -> None:
    check(PRODUCT, ALL_CSR, f"{GUSTAVSON}{assemble}balance(i, i0, i1, A, {parts}, B)\n{THREADS}")


@pytest.mark.parametrize(
    ("expression", "formats", "before"),
    [
        (PRODUCT, {"A": "csr", "B": "csr"}, "reorder(i, k, j)\n"),
        ("y(i) = A(i,j) * B(j,k) * x(k)", {"A": "csr", "B": "csr"}, ""),
        ("D(i,l) = A(i,j,k) * B(j,l)", {"A": "dense, compressed, compressed", "B": "csr"}, ""),
        ("C(i,j) = A(i,k) * A(k,j)", {"A": "csr"}, "reorder(i, k, j)\n"),
    ],
)
def test_products_of_other_kernels(expression: str, formats: dict[str, str], before: str) -> None:
    weights = "A" if "B" not in formats else "B"
    check(expression, formats, f"{before}balance(i, i0, i1, A, 3, {weights})\n{THREADS}")


def test_products_are_counted_by_as_many_threads_as_the_loops_take() -> None:
    schedule = f"{GUSTAVSON}balance(i, i0, i1, A, 4, B)"
    for more, threads in (("", 0), (f"\n{THREADS}", 1)):
        source = hd.lower(PRODUCT, ALL_CSR, schedule + more).source
        assert source is not None
        counting = source.text[: source.text.index("A_products[i2 + 1]")]
        assert counting.count("#pragma omp parallel for") == threads
        assert source.text.count("search_at_least_int64(A_products, ") == 4  # two ends, to count and to fill


def test_reused_coordinates_are_filled_by_parts_with_as_many_products() -> None:
    a = scipy.sparse.random_array((40, 40), density=0.2, rng=np.random.default_rng(1), format="csr")
    kernel = hd.compile(PRODUCT, ALL_CSR, f"{GUSTAVSON}balance(i, i0, i1, A, 3, B)\n{THREADS}")
    kept = kernel.assemble(A=a, B=a)
    np.testing.assert_allclose(kept.compute(A=a, B=a).to_numpy(), (a @ a).toarray())
