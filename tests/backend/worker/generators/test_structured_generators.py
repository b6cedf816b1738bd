"""Structure of the generated matrices and tensors, counted."""

from __future__ import annotations

import numpy as np
import pytest

from heddle.diagnostics import CompileError
from heddle.measuring.inputs.synthetic.generators import generate
from heddle.measuring.inputs.synthetic.structured_generators import STRUCTURED
from heddle.runtime.tensors.coordinates import Entries
from tests.backend.worker.generators.test_generators import made


def dense(given: dict[str, object], shape: tuple[int, ...]) -> np.ndarray:
    entries = made(given, shape)
    matrix = np.zeros(shape)
    matrix[entries.columns] = 1
    return matrix


def test_the_2d_stencil_is_the_grid_laplacian_s_pattern() -> None:
    matrix = dense({"generator": "stencil2d", "width": 3}, (6, 6))
    line = np.eye(3) + np.eye(3, k=1) + np.eye(3, k=-1)
    assert (matrix == np.block([[line, np.eye(3)], [np.eye(3), line]])).all()


def test_the_3d_stencil_has_seven_points_inside() -> None:
    matrix = dense({"generator": "stencil3d", "width": 3, "depth": 3}, (27, 27))
    assert matrix.sum(axis=1).max() == matrix[13].sum() == 7
    assert matrix[0].sum() == 4
    assert (matrix == matrix.T).all()


def test_blocks_are_full_and_on_their_grid() -> None:
    matrix = dense({"generator": "block", "size": 2, "blocks": 5}, (8, 8))
    tiles = matrix.reshape(4, 2, 4, 2).sum(axis=(1, 3))
    assert sorted(set(tiles.ravel())) == [0, 4]
    assert (tiles == 4).sum() == 5
    assert dense({"generator": "block-diagonal", "size": 2}, (5, 5)).sum() == 9


@pytest.mark.parametrize("c", [1, 1.01, 1.5])
def test_skewed_rows_keep_their_sum_and_follow_the_series(c: float) -> None:
    entries = made({"generator": "skew", "nnz": 2000, "c": c}, (200, 5000))
    lengths = np.sort(np.bincount(entries.columns[0], minlength=200))[::-1]
    assert lengths.sum() == 2000
    longest = 2000 * (c - 1) / c / (1 - c**-200) if c > 1 else 10
    assert abs(lengths[0] - longest) <= 1


def test_skewed_rows_stay_in_their_order_without_shuffling() -> None:
    entries = made({"generator": "skew", "nnz": 2000, "c": 1.01, "shuffle": 0}, (200, 5000))
    assert (np.diff(np.bincount(entries.columns[0], minlength=200)) <= 1).all()
    assert entries.columns[0][0] == 0
    shuffled = made({"generator": "skew", "nnz": 2000, "c": 1.01}, (200, 5000))
    assert np.diff(np.bincount(shuffled.columns[0], minlength=200)).max() > 1


def test_no_skewed_row_is_longer_than_the_matrix_is_wide() -> None:
    entries = made({"generator": "skew", "nnz": 2000, "c": 2}, (50, 100))
    assert np.bincount(entries.columns[0]).max() == 100


def test_a_dense_row_and_a_dense_column() -> None:
    assert (dense({"generator": "dense-row", "nnz": 20}, (9, 30)).sum(axis=1) == 30).sum() == 1
    assert (dense({"generator": "dense-column", "nnz": 20}, (30, 9)).sum(axis=0) == 30).sum() == 1


def test_hypersparse_leaves_most_rows_empty() -> None:
    entries = made({"generator": "hypersparse", "nnz": 40, "rows": 5}, (100_000, 50))
    assert np.unique(entries.columns[0]).size == 5
    assert entries.values.size == 40


def test_a_low_rank_tensor_without_noise_has_that_rank() -> None:
    entries = made({"generator": "low-rank", "nnz": 10**6, "rank": 2, "noise": 0}, (12, 10))
    matrix = np.zeros((12, 10))
    matrix[entries.columns] = entries.values
    assert np.linalg.matrix_rank(matrix) == 2
    noisy = generate("A", {"generator": "low-rank", "nnz": 10**6, "rank": 2, "noise": 0.1}, (12, 10), "float64")
    assert isinstance(noisy, Entries)
    matrix[noisy.columns] = noisy.values
    assert np.linalg.matrix_rank(matrix) == 10


@pytest.mark.parametrize("generator", STRUCTURED, ids=lambda generator: generator.name)
@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (1, 1)])
def test_tiny_shapes(generator: object, shape: tuple[int, int]) -> None:
    name = getattr(generator, "name", "")
    assert made({"generator": name}, shape).values.size <= 1


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"generator": "block", "size": 1000, "blocks": 1000}, "1,000 blocks of 1000 × 1000 are more than 30,000,000"),
        ({"generator": "block-diagonal", "size": 1000}, "blocks of 1000 × 1000 along this diagonal are more than"),
        ({"generator": "stencil2d"}, "This stencil has 10,000,000,000 rows of 5 entries, more than 30,000,000"),
        ({"generator": "low-rank"}, "The tensor has more than 2^62 cells"),
    ],
)
def test_what_is_too_large_is_refused(given: dict[str, object], text: str) -> None:
    with pytest.raises(CompileError) as caught:
        generate("A", given, (10_000_000_000, 10_000_000_000), "float64")
    assert text in str(caught.value)
