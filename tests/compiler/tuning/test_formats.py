"""Formats that the rules offer for the matrix of an SpMV: by what they pad, with reasons."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

from compiler.plan import plan_from_arguments
from compiler.runtime.coordinates import Entries
from compiler.tuning.formats import FormatOffer, suggest_formats
from compiler.tuning.machine import this_machine
from compiler.tuning.padding import padding_of

SPMV = "y(i) = A(i,j) * x(j)"
ROWS = this_machine().lanes(8)
pytestmark = pytest.mark.skipif(ROWS < 4, reason="too few vector lanes for formats that pad")


def entries(matrix: scipy.sparse.coo_array) -> Entries:
    return Entries(matrix.shape, matrix.coords, matrix.data)


def band(rows: int, diagonals: int) -> scipy.sparse.coo_array:
    offsets = range(-(diagonals // 2), diagonals - diagonals // 2)
    return scipy.sparse.diags_array([1.0] * diagonals, offsets=offsets, shape=(rows, rows)).tocoo()


def even(rows: int, length: int) -> scipy.sparse.coo_array:
    columns = np.random.default_rng(1).permuted(np.tile(np.arange(rows), (rows, 1)), axis=1)[:, :length]
    return scipy.sparse.coo_array((np.ones(rows * length), (np.repeat(np.arange(rows), length), columns.ravel())))


def skewed(rows: int) -> scipy.sparse.coo_array:
    lengths = np.where(np.arange(rows) % ROWS == 0, 40, 2)
    columns = np.concatenate([np.arange(length) * 7 % rows for length in lengths])
    return scipy.sparse.coo_array((np.ones(columns.size), (np.repeat(np.arange(rows), lengths), columns)))


def offered(matrix: scipy.sparse.coo_array, format: str = "csr", **changes: str) -> tuple[FormatOffer, ...]:
    plan = plan_from_arguments(changes.get("expression", SPMV), {"A": format}, target=changes.get("target", "c"))
    return suggest_formats(plan, {"A": entries(matrix)})


def test_a_band_is_offered_diagonals() -> None:
    (offer,) = offered(band(1000, 5))
    assert (offer.tensor, offer.format) == ("A", f"dia({ROWS})")
    assert offer.reason.startswith("5 diagonals hold all entries of A, with 1.0")


def test_even_rows_are_offered_slices() -> None:
    (offer,) = offered(even(400, 6))
    assert (offer.tensor, offer.format) == ("A", f"sell({ROWS})")
    assert offer.places == 1.0


@pytest.mark.parametrize(
    ("matrix", "changes"),
    [
        (skewed(800), {}),
        (band(100, 5), {}),
        (band(1000, 5), {"format": "dcsr"}),
        (band(1000, 5), {"target": "opencl"}),
        (band(1000, 5), {"expression": "y(j) = A(i,j) * x(i)"}),
        (band(1000, 5), {"expression": "C(i,k) = A(i,j) * B(j,k)"}),
        (band(1000, 5), {"expression": "y(i) = A(i,j) * x(j) + b(i)"}),
    ],
    ids=["skewed", "small", "other format", "other target", "by columns", "other kernel", "no product"],
)
def test_nothing_is_offered_where_no_rule_knows(matrix: scipy.sparse.coo_array, changes: dict[str, str]) -> None:
    assert offered(matrix, **changes) == ()


def test_an_offer_that_conflicts_with_another_tensor_is_not_made() -> None:
    plan = plan_from_arguments(SPMV, {"A": "csr", "y": "dense, dense(3) : 0,0"})
    assert suggest_formats(plan, {"A": entries(band(1000, 5))}) == ()


@pytest.mark.parametrize("height", [1, 3, 8])
def test_padding_counts_what_is_stored(height: int) -> None:
    matrix = scipy.sparse.random_array((29, 17), density=0.2, rng=np.random.default_rng(3)).tocoo()
    dense, blocks = matrix.toarray() != 0, -(-29 // height)
    lengths = np.concatenate([dense.sum(axis=1), np.zeros(blocks * height - 29, dtype=int)])
    slots = lengths.reshape(blocks, height).max(axis=1).sum()
    distances = {column - row for row, column in zip(*matrix.coords, strict=True)}
    found = padding_of(*matrix.coords, matrix.shape, height)
    assert found.sliced == slots * height / matrix.nnz
    assert found.diagonals == len(distances)
    assert found.diagonal == len(distances) * blocks * height / matrix.nnz


def test_a_matrix_without_entries_has_no_padding() -> None:
    empty = np.zeros(0, dtype=np.int64)
    assert padding_of(empty, empty, (5, 5), 8).diagonals == 0
