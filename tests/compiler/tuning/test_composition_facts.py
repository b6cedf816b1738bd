"""What is known of a matrix before it is stored in parts agrees with what packing it makes."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.composite import Composite
from heddle.tuning.facts.composition import RANGES, Bucket, Diagonals, Tiles, composition_facts


def _skewed(rows: int, columns: int, seed: int = 0) -> scipy.sparse.csr_array:
    """A few long rows, many short ones, some empty."""
    rng = np.random.default_rng(seed)
    lengths = np.minimum(3 * rng.pareto(1.2, rows), columns).astype(np.int64)
    matrix = scipy.sparse.csr_array(
        (np.ones(lengths.sum()), (np.repeat(np.arange(rows), lengths), rng.integers(0, columns, lengths.sum()))),
        shape=(rows, columns),
    )
    matrix.sum_duplicates()
    return matrix


def _hyb(matrix: scipy.sparse.csr_array, ranges: int, bucket: int) -> Composite:
    packed = pack(matrix, f"hyb({ranges},{bucket})")
    assert isinstance(packed, Composite)
    return packed


@pytest.mark.parametrize("ranges", RANGES)
@pytest.mark.parametrize("bucket", [0, 3, 5])
def test_pieces_of_a_small_matrix_are_those_that_packing_makes(ranges: int, bucket: int) -> None:
    matrix = _skewed(50, 37)
    facts, packed = composition_facts(pack(matrix, "csr")), _hyb(matrix, ranges, bucket)
    assert facts.exact
    found = facts.pieces_of(ranges, bucket)
    assert found.ranges == ranges
    assert found.counts == tuple(part.stored // 2**b for b, part in enumerate(packed.parts))
    assert found.places == packed.stored
    assert facts.padding_of(ranges, bucket) == packed.padding


def test_pieces_of_a_large_matrix_are_estimated_from_rows_of_every_length() -> None:
    matrix = _skewed(20_000, 20_000)
    facts = composition_facts(pack(matrix, "csr"))
    assert not facts.exact
    assert facts.padding_of(1, 4) == _hyb(matrix, 1, 4).padding  # lengths of whole rows are exact
    for ranges in RANGES[1:]:
        packed = _hyb(matrix, ranges, 4)
        assert facts.padding_of(ranges, 4) == pytest.approx(packed.padding, rel=0.03)
        assert facts.pieces_of(ranges, 4).total == pytest.approx(
            sum(part.stored // 2**b for b, part in enumerate(packed.parts)), rel=0.05
        )


def test_rows_by_the_power_of_two_that_holds_them() -> None:
    rows = np.repeat(np.arange(5), [0, 1, 3, 4, 9])
    columns = np.concatenate([np.arange(length) for length in (0, 1, 3, 4, 9)])
    facts = composition_facts(pack(scipy.sparse.csr_array((np.ones(17), (rows, columns)), shape=(6, 9)), "csr"))
    assert facts.rows == (Bucket(1, 1), Bucket(0, 0), Bucket(2, 7), Bucket(0, 0), Bucket(1, 9))
    assert (facts.nonzeros, facts.longest, facts.mean) == (17, 9, 17 / 6)


def test_tiles_and_diagonals_that_a_person_counts() -> None:
    """Two tiles of 4 × 4 are full and one holds half; the main diagonal is stored whole, and of the first below it
    three of nine entries are in the tiles."""
    dense = np.zeros((10, 10))
    dense[0:4, 4:8] = dense[4:8, 0:4] = dense[0:2, 0:4] = 1
    np.fill_diagonal(dense, 1)
    facts = composition_facts(pack(dense, "csr"))
    full = [one for one in facts.tiles if one.size == 4]
    assert full[4] == Tiles(4, 16, 2.0, 32.0)
    assert full[2] == Tiles(4, 8, 3.0, 42.0)
    assert full[0].entries == facts.nonzeros
    assert facts.diagonals[-1] == Diagonals(90, 1, 10, 10.0)


def test_deep_diagonals_of_a_large_matrix() -> None:
    size = 100_000
    diagonals = [scipy.sparse.eye_array(size, k=offset) for offset in (0, 1, -7)]
    noise = scipy.sparse.random_array((size, size), density=3e-6, rng=np.random.default_rng(4), format="csr")
    facts = composition_facts(pack(scipy.sparse.csr_array(diagonals[0] + diagonals[1] + diagonals[2] + noise), "csr"))
    for depth in facts.diagonals:
        assert (depth.diagonals, depth.places) == (3, 3 * size - 8)
        assert depth.entries == pytest.approx(3 * size - 8, rel=0.02)


def test_blocks_in_a_large_matrix() -> None:
    blocks = scipy.sparse.random_array((4000, 4000), density=0.00125, rng=np.random.default_rng(5), format="csr")
    matrix = scipy.sparse.csr_array(scipy.sparse.kron(blocks, np.ones((8, 8))))
    facts = composition_facts(pack(matrix, "csr"))
    for one in facts.tiles:
        if one.size <= 8:
            assert one.tiles == pytest.approx(matrix.nnz / one.size**2, rel=0.001)
            assert one.entries == pytest.approx(matrix.nnz)


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0), (7, 3)])
def test_without_entries(shape: tuple[int, int]) -> None:
    facts = composition_facts(pack(scipy.sparse.csr_array(shape), "csr"))
    assert (facts.nonzeros, facts.longest, facts.rows) == (0, 0, ())
    assert facts.padding_of(4, 3) == 1.0
    assert all(one.tiles == one.entries == 0 for one in facts.tiles)
    assert all(one.places == 0 for one in facts.diagonals)


def test_one_row_that_no_sample_of_blocks_takes() -> None:
    """Four times as many entries as a sample has: its ranges are counted, its tiles are not looked at."""
    row = scipy.sparse.csr_array(np.ones((1, 1 << 19)))
    facts = composition_facts(pack(row, "csr"))
    assert facts.pieces_of(4, 5).counts == (0, 0, 0, 0, 0, 2.0**14)
    assert not facts.exact
    assert all(one.tiles == 0 for one in facts.tiles)
