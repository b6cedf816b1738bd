"""Entries into rows by the runtime's own C: the arrays that NumPy's lexicographic sort gives."""

import numpy as np
import pytest

from compiler.runtime import own_c
from compiler.runtime.row_sort import sorted_rows, transposed

SHAPES = [(1, 1), (1, 500), (500, 1), (40, 70), (3, 3000), (100_000, 5), (30_000, 2_000_000)]


def entries(shape: tuple[int, int], index: str, dtype: str, count: int = 9000) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(shape[1])
    rows, columns = (rng.integers(0, size, count).astype(index) for size in shape)
    return rows, columns, rng.integers(0, 100, count).astype(dtype)


def expected(rows: np.ndarray, columns: np.ndarray, values: np.ndarray, size: int) -> tuple[np.ndarray, ...]:
    order = np.lexsort((columns, rows))
    return np.searchsorted(rows[order], np.arange(size + 1)), columns[order], values[order]


@pytest.mark.parametrize("dtype", ["float64", "float32", "int16", "bool", "complex128"])
@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("shape", SHAPES)
def test_rows_ascend_and_equal_entries_keep_their_order(shape: tuple[int, int], index: str, dtype: str) -> None:
    given = entries(shape, index, dtype)
    found = sorted_rows(*given, shape)
    assert found is not None
    for array, wanted, kind in zip(found, expected(*given, shape[0]), (index, index, dtype), strict=True):
        np.testing.assert_array_equal(array, wanted)
        assert array.dtype == kind


def test_columns_beyond_32_bits() -> None:
    shape = (50, 2**45)
    given = entries(shape, "int64", "float64")
    found = sorted_rows(*given, shape)
    assert found is not None
    np.testing.assert_array_equal(found[1], expected(*given, 50)[1])


def test_one_row_with_nearly_everything_and_strided_operands() -> None:
    rows, columns, values = entries((1000, 4000), "int32", "float64", 40_000)
    rows[::7] = 3
    rows[1::2] = 3
    found = sorted_rows(rows[::2], columns[::2], values[::2], (1000, 4000))
    assert found is not None
    for array, wanted in zip(found, expected(rows[::2], columns[::2], values[::2], 1000), strict=True):
        np.testing.assert_array_equal(array, wanted)


@pytest.mark.parametrize("count", [0, 1])
def test_hardly_any_entries(count: int) -> None:
    found = sorted_rows(*entries((4, 4), "int32", "float64", count), (4, 4))
    assert found is not None
    assert found[0][-1] == found[1].size == found[2].size == count


def test_transposing_twice_gives_the_same_rows() -> None:
    rows = sorted_rows(*entries((300, 7000), "int32", "float64"), (300, 7000))
    assert rows is not None
    turned = transposed(*rows, 7000)
    assert turned is not None
    assert turned[0].size == 7001
    back = transposed(*turned, 300)
    assert back is not None
    for array, wanted in zip(back, rows, strict=True):
        np.testing.assert_array_equal(array, wanted)


def test_without_a_compiler_there_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_c, "moving", lambda *_: None)
    given = entries((4, 4), "int32", "float64")
    assert sorted_rows(*given, (4, 4)) is None
    assert transposed(np.array([0, 0], np.int32), given[0][:0], given[2][:0], 3) is None
