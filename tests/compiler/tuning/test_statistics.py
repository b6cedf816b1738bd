"""Statistics from packed arrays and from entries agree with what a person counts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse

from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.operands import as_entries, as_operand
from heddle.tuning.facts.statistics import Statistics, statistics_of

MATRIX = np.array([[1.0, 0, 0, 2], [0, 0, 0, 0], [0, 3, 0, 0]])
COUNTED = Statistics(
    (3, 4), nonzeros=3, rows=3, longest=2, empty=1, fibres=2, bandwidth=3, changes=2 / 3, longest_fibre=2, drift=0.2
)


@pytest.mark.parametrize("format", ["csr", "dcsr", "coo"])
def test_of_a_matrix(format: str) -> None:
    for operand in (pack(MATRIX, format), as_entries(MATRIX, "A")):
        found = statistics_of(operand)
        assert found.drift == pytest.approx(COUNTED.drift)
        assert replace(found, drift=COUNTED.drift) == COUNTED
    assert (COUNTED.mean, COUNTED.spread, COUNTED.fibre_length) == (1.0, 2.0, 1.5)


def test_scattered_entries_neither_follow_one_another_nor_lie_under_the_row_before() -> None:
    """Of the second row 40 lies under 35 and 41 follows it; 70 and 72 are apart. All of the last row follow each other,
    except for the first. The empty row does not count."""
    dense = np.zeros((4, 100))
    dense[0, [10, 35]] = dense[1, [40, 41, 70, 72]] = dense[3, 80:84] = 1
    for format in ("csr", "coo"):
        assert statistics_of(pack(dense, format)).scattered == 2 / 8
    assert statistics_of(as_entries(dense, "A")).scattered == 2 / 8
    assert statistics_of(pack(dense.T.copy(), "csc")).scattered == 2 / 8


def test_fibres_of_a_tensor_are_the_rows_that_entries_may_lie_under() -> None:
    rng = np.random.default_rng(3)
    i, k = np.repeat(np.arange(30), 40), np.tile(np.arange(40), 30)
    for innermost, scattered in ((rng.integers(0, 100_000, 1200), 1.0), (k // 4, 0.0)):
        mixed = rng.permutation(1200)
        tensor = Entries((30, 40, 100_000), (i[mixed], k[mixed], innermost[mixed]), np.ones(1200))
        assert statistics_of(tensor).scattered == pytest.approx(scattered, abs=0.05)
        assert statistics_of(pack((tensor.columns, tensor.values, tensor.shape), "csl")).scattered == pytest.approx(
            scattered, abs=0.05
        )


@pytest.mark.parametrize(("spread", "scattered"), [(5, 0.0), (3000, 1.0)])
def test_a_sample_of_many_rows_tells_bands_from_columns_anywhere(spread: int, scattered: float) -> None:
    rng = np.random.default_rng(0)
    rows = np.repeat(np.arange(3000), 4)
    columns = (rows + rng.integers(0, spread, rows.size)) % 3000
    matrix = scipy.sparse.csr_array((np.ones(rows.size), (rows, columns)), shape=(3000, 3000))
    packed, entries = pack(matrix, "csr"), as_entries(as_operand(matrix, "A"), "A")
    assert statistics_of(packed).scattered == pytest.approx(scattered, abs=0.05)
    assert statistics_of(entries).scattered == statistics_of(packed).scattered


@pytest.mark.combinations(2)
@pytest.mark.parametrize("rows", [100, 1_000_000])
def test_drift_tells_whether_rows_grow_longer(rows: int) -> None:
    """Half of the entries in rows of 1, half in rows of 3: a quarter of the sum of squares, and three quarters."""
    lengths = np.repeat([1, 3], [3 * rows, rows])
    for changed, drift in ((lengths, 0.5), (np.random.default_rng(0).permutation(lengths), 0.0)):
        pos = np.append(0, np.cumsum(changed))
        crd = np.arange(pos[-1]) - np.repeat(pos[:-1], changed)
        matrix = scipy.sparse.csr_array((np.ones(crd.size), crd, pos), shape=(4 * rows, 3))
        assert statistics_of(pack(matrix, "csr")).drift == pytest.approx(drift, abs=0.1 if rows == 100 else 0.01)


def test_columns_are_the_rows_of_csc() -> None:
    found = statistics_of(pack(MATRIX, "csc"))
    assert (found.rows, found.longest, found.empty, found.bandwidth) == (4, 1, 1, 3)


def test_fibres_of_a_tensor() -> None:
    cube = np.zeros((2, 3, 4))
    cube[0, 1, :3] = 1
    cube[1, 0, 2] = cube[1, 2, 0] = 1
    for operand in (pack(cube, "csf"), as_entries(cube, "B")):
        found = statistics_of(operand)
        assert (found.nonzeros, found.rows, found.longest, found.fibres) == (5, 2, 3, 3)
        assert (found.longest_fibre, found.bandwidth) == (3, None)


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (3, 3), (0, 2, 2)])
def test_of_nothing(shape: tuple[int, ...]) -> None:
    columns = tuple(np.zeros(0, dtype=np.int32) for _ in shape)
    found = statistics_of(Entries(shape, columns, np.zeros(0)))
    assert (found.nonzeros, found.longest, found.empty, found.spread) == (0, 0, shape[0], 1.0)
    assert (found.fibres, found.longest_fibre, found.drift) == (0, 0, 0.0)
    if len(shape) == 2:
        packed = statistics_of(pack(np.zeros(shape), "csr"))
        assert (packed.nonzeros, packed.longest, packed.empty, packed.spread) == (0, 0, shape[0], 1.0)
