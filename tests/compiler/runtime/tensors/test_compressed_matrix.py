"""CSR, CSC and BSR whose arrays SciPy did not check: every mistake is found, on any number of threads and without C."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import heddle as hd
from heddle.runtime.native import native_helpers
from heddle.runtime.tensors.interop import compressed_matrix
from heddle.runtime.tensors.interop.compressed_matrix import look_at_rows

SHAPE = (3, 4)


def random_rows(rng: np.random.Generator, index: str) -> tuple[np.ndarray, np.ndarray, int]:
    """``pos``, ``crd`` and the size of rows that are often in order, and often broken at one element."""
    rows, size = int(rng.choice([0, 1, 2, 7, 300, 3000])), int(rng.choice([0, 1, 5, 400, 2**31 - 1, 2**40]))
    lengths = rng.integers(0, min(size, rng.choice([1, 3, 40, 400])) + 1, rows)
    if rows and rng.random() < 0.2:
        lengths[rng.integers(rows)] = min(size, 9000)
    pos = np.concatenate(([0], np.cumsum(lengths)))
    crd = np.concatenate([np.arange(length) for length in lengths]) if rows else np.zeros(0)
    pos, crd = pos.astype(index), crd.astype(index)
    extreme = np.iinfo(index)
    match rng.integers(6):
        case 0 if crd.size:
            crd[rng.integers(crd.size)] = rng.choice([-1, min(size, extreme.max), extreme.min, extreme.max])
        case 1 if crd.size:
            crd[rng.integers(crd.size)] = 0
        case 2:
            pos[rng.integers(pos.size)] = rng.choice([-1, 0, 1, crd.size, crd.size + 1, extreme.min, extreme.max])
        case 3 if crd.size > 1:
            place = rng.integers(1, crd.size)
            crd[[place - 1, place]] = crd[[place, place - 1]]
        case _:
            pass
    return pos, crd, size


def mistakes_in(pos: np.ndarray, crd: np.ndarray, size: int) -> int:
    """What :func:`look_at_rows` should say, row by row."""
    positions = [int(position) for position in pos]
    if positions[0] != 0 or positions[-1] != crd.size or sorted(positions) != positions:
        return 1
    rows = [crd[first:last].tolist() for first, last in pairwise(positions)]
    outside = any(not 0 <= coordinate < size for row in rows for coordinate in row)
    unordered = any(sorted(set(row)) != row for row in rows)
    return 2 * outside + 4 * unordered


@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_mistake_is_found(index: str, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compressed_matrix, "_LEAST_SHARED", 0)
    monkeypatch.setattr(native_helpers, "threads", lambda _: threads)
    rng = np.random.default_rng(threads)
    seen = set()
    for _ in range(120):
        pos, crd, size = random_rows(rng, index)
        expected = mistakes_in(pos, crd, size)
        assert look_at_rows(pos, crd, size) == expected
        assert compressed_matrix._look_by_numpy(pos, crd, size) == expected
        seen.add(expected)
    assert seen >= {0, 1, 4, 6}


def csr() -> Any:
    return sp.csr_array((np.arange(4.0) + 1, np.array([1, 3, 0, 2]), np.array([0, 2, 2, 4])), shape=SHAPE)


def bsr() -> Any:
    return sp.bsr_array((np.ones((2, 1, 2)), np.array([0, 1]), np.array([0, 1, 1, 2])), shape=SHAPE)


def edited(build: Callable[[], Any], **arrays: object) -> Any:
    matrix = build()
    for name, array in arrays.items():
        setattr(matrix, name, array)
    return matrix


MALFORMED = [
    (csr, {"indptr": np.array([0, 3, 2, 4])}, "indptr decreases from 3 to 2 at element 2, expected positions that"),
    (csr, {"indptr": np.array([0, 10**9, 2, 4])}, "indptr decreases from 1000000000 to 2 at element 2"),
    (csr, {"indptr": np.array([0, 1, 2, 9])}, "indptr ends at 9, expected the number of entries, of which 4 are there"),
    (csr, {"indptr": np.array([0, 1, 2, -1])}, "indptr ends at -1"),
    (csr, {"indptr": np.array([1, 2, 2, 4])}, "indptr starts with 1, expected 0"),
    (csr, {"indptr": np.array([0, 2, 4])}, "indptr has 3 elements, expected 4"),
    (csr, {"indptr": np.array([0.0, 2, 2, 4])}, "indptr is of type float64, expected integers"),
    (csr, {"indptr": np.array([[0, 2, 2, 4]])}, "indptr has 2 dimensions, expected one dimension"),
    (csr, {"indices": np.array([1.5, 3, 0, 2])}, "indices is of type float64, expected integers"),
    (csr, {"indices": np.array([1, 3, 0])}, "indptr ends at 4, expected the number of entries, of which 3 are there"),
    (csr, {"data": np.ones(3)}, "data has 3 elements and indices 4, expected as many of both"),
    (csr, {"data": np.ma.array(np.ones(4), mask=[0, 1, 0, 0])}, "data is a masked array, expected an array without"),
    (bsr, {"indices": np.array([0, 2])}, "indices holds the block column 2, expected coordinates from 0 to 1"),
    (bsr, {"indptr": np.array([0, 2, 1, 2])}, "indptr decreases from 2 to 1 at element 2"),
    (bsr, {"data": np.ones((3, 1, 2))}, "data has 3 blocks and indices 2, expected as many of both"),
    (bsr, {"data": np.ones((2, 2))}, "data has the shape (2, 2), expected blocks, behind one another"),
    (bsr, {"data": np.ones((2, 1, 3))}, "its blocks are 1 × 3, expected blocks that divide 3 × 4"),
]


@pytest.mark.parametrize(("build", "arrays", "message"), MALFORMED)
def test_malformed_arrays_are_refused_everywhere(
    build: Callable[[], Any], arrays: dict[str, np.ndarray], message: str
) -> None:
    matrix = edited(build, **arrays)
    kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": "csr"})
    takers: list[Callable[[], object]] = [
        lambda: hd.pack(matrix, "csr", name="A"),
        lambda: hd.pack(matrix, "hyb(1,2)", name="A"),
        lambda: kernel(A=matrix, x=np.ones(4)),
        lambda: kernel.bind(A=matrix, x=np.ones(4)),
    ]
    for take in takers:
        with pytest.raises(hd.OperandError) as caught:
            take()
        (diagnostic,) = caught.value.diagnostics
        assert diagnostic.code == "runtime/malformed-matrix"
        assert f"The arrays of A are not those of a {matrix.format} matrix: {message}" in diagnostic.message
        assert diagnostic.hint == ("SciPy does not look at the arrays that a matrix is made of; A.check_format() does.")


@pytest.mark.parametrize("format", ["csr", "csc"])
@pytest.mark.parametrize("wrong", [-1, 10**8])
def test_a_coordinate_outside_is_refused_everywhere(format: str, wrong: int) -> None:
    matrix = csr().asformat(format)
    matrix.indices[2] = wrong
    dimension, size = (2, 4) if format == "csr" else (1, 3)
    kernel = hd.compile("y(i) = A(i,j) * x(j)", formats={"A": format})
    for take in (lambda: hd.pack(matrix, "bcsr(2,2)", name="A"), lambda: kernel(A=matrix, x=np.ones(4))):
        with pytest.raises(hd.OperandError) as caught:
            take()
        (diagnostic,) = caught.value.diagnostics
        assert diagnostic.code == "runtime/coordinate-out-of-range"
        assert diagnostic.message == (
            f"Entry 2 of A has coordinate {wrong} in dimension {dimension}, which has the size {size}."
        )


def test_flags_of_scipy_are_neither_believed_nor_set() -> None:
    kernel = hd.compile("C(i,j) = A(i,j) + B(i,j)", formats={"A": "csr", "B": "csr", "C": "csr"})
    matrix, other = csr(), sp.csr_array(np.eye(3, 4))
    before = set(vars(matrix))
    for indices in ([1, 3, 0, 2], [3, 1, 2, 0], [1, 1, 0, 2]):
        matrix.indices[:] = indices
        expected = matrix.toarray() + other.toarray()
        np.testing.assert_array_equal(kernel(A=matrix, B=other).to_numpy(), expected)
        np.testing.assert_array_equal(hd.pack(matrix, "csc").to_numpy(), matrix.toarray())
    assert set(vars(matrix)) == before
    matrix.has_canonical_format = True
    matrix.indices[:] = [3, 1, 2, 0]
    np.testing.assert_array_equal(kernel(A=matrix, B=other).to_numpy(), matrix.toarray() + other.toarray())


@pytest.mark.parametrize("index", ["int32", "int64", "uint32", "uint64", "int16", ">i4"])
def test_indices_of_any_integers(index: str) -> None:
    matrix = csr()
    matrix.indices, matrix.indptr = matrix.indices.astype(index), matrix.indptr.astype(index)
    expected = csr().toarray()
    np.testing.assert_array_equal(hd.pack(matrix, "csr").to_numpy(), expected)
    strided = np.repeat(matrix.indices, 2)[::2]
    strided.flags.writeable = False
    matrix.indices = strided
    np.testing.assert_array_equal(hd.pack(matrix, "csc").to_numpy(), expected)


def test_longer_arrays_than_entries_hold_them_in_front() -> None:
    matrix = csr()
    matrix.indptr[-1] = 3
    matrix.indices[3] = 99
    expected = csr().toarray()
    expected[2, 2] = 0
    np.testing.assert_array_equal(hd.pack(matrix, "csr").to_numpy(), expected)


def test_blocks_and_rows_of_one_dimension_become_entries() -> None:
    for operand in (bsr(), sp.bsr_array(np.arange(24.0).reshape(4, 6), blocksize=(2, 3))):
        np.testing.assert_array_equal(hd.pack(operand, "csr").to_numpy(), operand.toarray())
    row = sp.csr_array(np.array([0.0, 2, 0, 3]))
    np.testing.assert_array_equal(hd.pack(row, "sparse").to_numpy(), [0, 2, 0, 3])
    row.indices[1] = 4
    with pytest.raises(hd.OperandError, match="Entry 1 of x has coordinate 4 in dimension 1, which has the size 4"):
        hd.pack(row, "sparse", name="x")
