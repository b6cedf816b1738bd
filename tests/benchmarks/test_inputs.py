"""The inputs of the benchmarks are what their names say, and are the same each time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from benchmarks.suite import kernels, matrices, tensors
from benchmarks.suite.matrices import MATRICES, Matrix
from benchmarks.suite.tensors import TENSORS, SparseTensor

GENERATED = [matrix for matrix in MATRICES if not matrix.real]


@pytest.mark.parametrize("matrix", MATRICES, ids=lambda matrix: matrix.name)
def test_matrices_are_canonical_and_of_the_size_asked_for(matrix: Matrix) -> None:
    made = matrices.load(matrix, 20_000, "float32")
    assert made.has_canonical_format
    assert (made.dtype, made.indices.dtype, made.indptr.dtype) == (np.float32, np.int32, np.int32)
    assert made.data.min() > 0
    assert matrix.real or 8_000 < made.nnz < 40_000
    again = matrices.load(matrix, 20_000, "float32")
    np.testing.assert_array_equal(made.indices, again.indices)
    np.testing.assert_array_equal(made.data, again.data)


def test_the_smaller_stand_ins_have_as_many_entries_as_the_graphs() -> None:
    assert [matrices.load(matrices.BY_NAME[name], 0, "float32").nnz for name in ("cora", "citeseer", "pubmed")] == [
        pytest.approx(known, rel=0.02) for known in (10_556, 9_104, 88_648)
    ]


def lengths(name: str) -> Any:
    return np.diff(matrices.load(matrices.BY_NAME[name], 20_000, "float64").indptr)


def test_structures() -> None:
    assert lengths("stencil-2d").max() == 5
    assert lengths("stencil-3d").max() == 27
    assert lengths("banded").max() == 9
    assert lengths("dense-row").max() == lengths("dense-row").size
    assert lengths("dense-column").max() == 6
    assert np.count_nonzero(lengths("hypersparse") == 0) > 0.8 * lengths("hypersparse").size
    assert lengths("short-wide").size == 64
    assert lengths("rmat").max() > 10 * lengths("rmat").mean()
    assert lengths("uniform").max() < 5 * lengths("uniform").mean()
    assert (lengths("blocks") % 4 == 0).all()


@pytest.mark.parametrize("tensor", TENSORS, ids=lambda tensor: tensor.name)
def test_tensors_are_sorted_and_without_duplicates(tensor: SparseTensor) -> None:
    made = tensors.load(tensor, 5_000, "float64")
    assert len(made.shape) == tensor.order
    key = np.ravel_multi_index(made.columns, made.shape)
    assert (np.diff(key) > 0).all()
    assert made.values.min() > 0


def test_a_product_that_may_not_fit_is_left_out_with_the_reason() -> None:
    matrix = matrices.load(matrices.BY_NAME["dense-column"], 120_000, "float64")
    with pytest.raises(kernels.LeftOutError, match=r"would add \d+ million products"):
        kernels.BY_NAME["spgemm"].operands(matrix, "float64")
