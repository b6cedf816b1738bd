"""Entries into rows by the runtime's own C: the arrays that NumPy's lexicographic sort gives."""

import numpy as np
import pytest

from heddle.runtime.native import native_helpers
from heddle.runtime.packing.row_conversions import row_transpose
from heddle.runtime.packing.row_conversions.row_sort import sorted_rows, sorted_transpose
from heddle.runtime.packing.row_conversions.row_transpose import transpose_rows

SHAPES = [(1, 1), (1, 500), (500, 1), (40, 70), (3, 3000), (100_000, 5), (30_000, 2_000_000)]


def entries(shape: tuple[int, int], index: str, dtype: str, count: int = 9000) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(shape[1])
    rows, columns = (rng.integers(0, size, count).astype(index) for size in shape)
    return rows, columns, rng.integers(0, 100, count).astype(dtype)


def expected(rows: np.ndarray, columns: np.ndarray, values: np.ndarray, size: int) -> tuple[np.ndarray, ...]:
    order = np.lexsort((columns, rows))
    return np.searchsorted(rows[order], np.arange(size + 1)), columns[order], values[order]


@pytest.fixture(params=[1, 2, 5])
def parts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """So many parts share the entries, however few these are."""
    monkeypatch.setattr(native_helpers, "threads", lambda _: request.param)
    found: int = request.param
    return found


@pytest.mark.combinations(4)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int16", "bool", "complex128"])
@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("shape", SHAPES)
def test_rows_ascend_and_equal_entries_keep_their_order(shape: tuple[int, int], index: str, dtype: str) -> None:
    given = entries(shape, index, dtype)
    found = sorted_rows(*given, shape)
    assert found is not None
    for array, wanted, kind in zip(found[0], expected(*given, shape[0]), (index, index, dtype), strict=True):
        np.testing.assert_array_equal(array, wanted)
        assert array.dtype == kind


@pytest.mark.parametrize("count", [9000, 50_000])
@pytest.mark.parametrize("shape", [*SHAPES, (5000, 5000), (1000, 900)])
def test_any_number_of_threads_makes_the_same_rows(shape: tuple[int, int], count: int, parts: int) -> None:
    """Few entries and many; rows of a few, of some ten and of hundreds of entries."""
    given = entries(shape, "int32", "float64", count)
    found = sorted_rows(*given, shape)
    assert found is not None
    for array, wanted in zip(found[0], expected(*given, shape[0]), strict=True):
        np.testing.assert_array_equal(array, wanted)


@pytest.mark.parametrize("shape", [(300, 7000), (7000, 300), (9000, 9000)])
def test_whether_coordinates_repeat_is_said(shape: tuple[int, int], parts: int) -> None:
    places = np.random.default_rng(4).choice(shape[0] * shape[1], 9000, replace=False)
    rows, columns = (part.astype(np.int32) for part in np.divmod(places, shape[1]))
    unique = sorted_rows(rows, columns, np.ones(9000), shape)
    rows[8000], columns[8000] = rows[11], columns[11]
    once = sorted_rows(rows, columns, np.ones(9000), shape)
    assert unique is not None
    assert once is not None
    assert (unique[1], once[1]) == (False, True)


@pytest.mark.parametrize("seed", range(60))
def test_the_same_column_on_both_sides_of_where_a_row_ends_is_no_repetition(seed: int) -> None:
    """Small enough for empty rows, rows that end with the column with which the next begins, and repetitions."""
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(1, 9)), int(rng.integers(1, 5)))
    places = rng.integers(0, shape[0] * shape[1], int(rng.integers(5, 13)))
    if seed % 2:
        places = rng.permutation(np.unique(places))
    rows, columns = (part.astype(np.int32) for part in np.divmod(places, shape[1]))
    found = sorted_rows(rows, columns, np.ones(places.size), shape)
    assert found is not None
    assert found[1] == (np.unique(places).size < places.size)


@pytest.mark.parametrize("length", [15, 16, 17, 32, 33])
def test_rows_about_as_long_as_vectors_with_equal_entries(length: int, parts: int) -> None:
    """Coordinates that repeat: those of a row are ranked among each other, equal ones by number."""
    rows = np.repeat(np.arange(2000, dtype=np.int32), length)
    columns = np.random.default_rng(length).integers(0, 12, rows.size).astype(np.int32)
    order = np.random.default_rng(5).permutation(rows.size)
    given = rows[order], columns[order], np.arange(float(rows.size))
    found = sorted_rows(*given, (2000, 12))
    assert found is not None
    assert found[1]
    for array, wanted in zip(found[0], expected(*given, 2000), strict=True):
        np.testing.assert_array_equal(array, wanted)


def test_columns_beyond_32_bits() -> None:
    shape = (50, 2**45)
    for count in (1000, 9000):
        given = entries(shape, "int64", "float64", count)
        found = sorted_rows(*given, shape)
        assert found is not None
        np.testing.assert_array_equal(found[0][1], expected(*given, 50)[1])


def test_one_row_with_nearly_everything_and_strided_operands(parts: int) -> None:
    rows, columns, values = entries((1000, 4000), "int32", "float64", 40_000)
    rows[::7] = 3
    rows[1::2] = 3
    found = sorted_rows(rows[::2], columns[::2], values[::2], (1000, 4000))
    assert found is not None
    for array, wanted in zip(found[0], expected(rows[::2], columns[::2], values[::2], 1000), strict=True):
        np.testing.assert_array_equal(array, wanted)


@pytest.mark.parametrize("count", [0, 1])
def test_hardly_any_entries(count: int, parts: int) -> None:
    found = sorted_rows(*entries((4, 4), "int32", "float64", count), (4, 4))
    assert found is not None
    pos, crd, values = found[0]
    assert pos[-1] == crd.size == values.size == count
    for transpose in (transpose_rows, sorted_transpose):
        turned = transpose(pos, crd, values, 4)
        assert turned is not None
        assert turned[0][-1] == turned[1].size == turned[2].size == count


@pytest.mark.combinations(4, "parts", "shape", "dtype", "far")
@pytest.mark.parametrize("far", [True, False])
@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "int8"])
@pytest.mark.parametrize("shape", [(300, 7000), (1, 9000), (9000, 1), (20_000, 100), (50, 30_000)])
def test_transposed_rows_are_those_that_sorting_gives(
    shape: tuple[int, int], dtype: str, far: bool, parts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entries that are put directly where they belong, prefetched or not, and those that go by buckets."""
    monkeypatch.setattr(row_transpose, "_CACHED_BYTES", -1 if far else 1 << 60)
    rows, columns, values = entries(shape, "int32", dtype)
    made = sorted_rows(rows, columns, values, shape)
    assert made is not None
    wanted = expected(columns, rows, values, shape[1])
    for transpose in (transpose_rows, sorted_transpose):
        found = transpose(*made[0], shape[1])
        assert found is not None
        for array, right in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(array, right)
        assert found[2].dtype == dtype


@pytest.mark.parametrize("shape", [(0, 5), (5, 0)])
def test_a_matrix_without_rows_or_columns_is_transposed(shape: tuple[int, int]) -> None:
    found = transpose_rows(np.zeros(shape[0] + 1, np.int32), np.empty(0, np.int32), np.empty(0), shape[1])
    assert found is not None
    np.testing.assert_array_equal(found[0], np.zeros(shape[1] + 1))


def test_far_columns_go_by_buckets_and_others_directly(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []
    moving = native_helpers.moving

    def recording(text: str, name: str, itemsize: int, index: str) -> object:
        taken.append(name)
        return moving(text, name, itemsize, index)

    monkeypatch.setattr(native_helpers, "moving", recording)
    pos, values = np.arange(20_001, dtype=np.int32), np.ones(20_000)
    near = np.arange(20_000, dtype=np.int32) % 5000
    far = np.random.default_rng(1).integers(0, 1 << 20, 20_000).astype(np.int32)
    transpose_rows(pos, near, values, 5000)
    assert "sort" not in taken
    transpose_rows(pos, far, values, 1 << 20)
    assert "sort" in taken


def test_threads_share_only_what_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_helpers, "moving", lambda *_: lambda: 8)
    assert [native_helpers.threads(entries) for entries in (0, 40_000, 70_000, 10**9)] == [1, 1, 2, 8]
    monkeypatch.setattr(native_helpers, "moving", lambda *_: None)
    assert native_helpers.threads(10**9) == 1


def test_without_a_compiler_there_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_helpers, "moving", lambda *_: None)
    given = entries((4, 4), "int32", "float64")
    assert sorted_rows(*given, (4, 4)) is None
    assert transpose_rows(np.array([0, 0], np.int32), given[0][:0], given[2][:0], 3) is None
