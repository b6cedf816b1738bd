"""Entries of tensors by the runtime's own C: what NumPy's lexicographic sort gives, and the levels made of it."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import heddle as hd
from heddle.formats.format import Format, Level
from heddle.runtime.native import native_helpers
from heddle.runtime.packing import listed_levels
from heddle.runtime.tensors import coordinate_sort, coordinates
from heddle.runtime.tensors.coordinate_sort import sort_coordinates
from heddle.runtime.tensors.coordinates import Entries, sort_and_sum

LARGE = 2**31 + 7


@pytest.fixture(autouse=True, scope="module")
def few_entries() -> Iterator[None]:
    """However few there are, C sorts them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coordinate_sort, "_LEAST", 0)
        patch.setattr(listed_levels, "_LEAST", 0)
        yield


@st.composite
def tensors(draw: st.DrawFn) -> Entries:
    """Columns of either width, strided, read-only; some in order, some with few values, so that entries repeat."""
    order = draw(st.integers(1, 5))
    shape = tuple(draw(st.sampled_from((1, 2, 5, 300, 4096, 70_000, LARGE, 2**40))) for _ in range(order))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    count, most = draw(st.sampled_from((2, 3, 17, 40, 1000, 9000))), draw(st.sampled_from((2, 50, 2**62)))
    columns = [np.minimum(rng.integers(0, size, count), rng.integers(0, most, count)) for size in shape]
    if draw(st.booleans()):
        places = np.lexsort(columns[::-1])
        columns = [column[places] for column in columns]
    stored = []
    for column, size in zip(columns, shape, strict=True):
        index = draw(st.sampled_from(("int32", "int64"))) if size < 2**31 else "int64"
        strided = np.zeros(2 * count, index)
        strided[::2] = column
        column = draw(st.sampled_from((strided[::2], column.astype(index))))
        column.flags.writeable = False
        stored.append(column)
    dtype = draw(st.sampled_from(("float64", "float32", "int8", "complex128", "bool")))
    return Entries(shape, tuple(stored), rng.integers(0, 2 if dtype == "bool" else 5, count).astype(dtype))


@settings(max_examples=60, deadline=None)
@given(tensors(), st.sampled_from((1, 3)))
def test_entries_are_in_the_order_that_numpy_sorts_them_into(entries: Entries, threads: int) -> None:
    order, index = tuple(range(len(entries.shape))), "int32" if max(entries.shape) < 2**31 else "int64"
    wanted = coordinates._sort_and_sum_by_numpy(entries, order, list(entries.shape), index)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native_helpers, "threads", lambda _: threads)
        made = sort_and_sum(entries, order)
    for column, right in zip(made.columns, wanted.columns, strict=True):
        np.testing.assert_array_equal(column, right)
        assert column.dtype == right.dtype
    np.testing.assert_array_equal(made.values, wanted.values)
    assert made.values.dtype == entries.values.dtype


@settings(max_examples=40, deadline=None)
@given(tensors(), st.sampled_from(("coo", "csf")))
def test_levels_of_lists_are_those_of_the_general_way(entries: Entries, format: str) -> None:
    operand = entries.columns, entries.values, entries.shape
    tensor = hd.pack(operand, format)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(listed_levels, "_LEAST", 1 << 62)
        wanted = hd.pack(operand, format)
    assert tensor.format == wanted.format
    for name, array in wanted.arrays().items():
        np.testing.assert_array_equal(tensor.arrays()[name], array)
        assert tensor.arrays()[name].dtype == array.dtype
    hd.validate(hd.Tensor(tensor.shape, tensor.format, tensor.dtype, tensor.levels, tensor.vals))


def test_levels_in_another_order_than_dimensions() -> None:
    rng = np.random.default_rng(3)
    shape = (30, 40, 50)
    columns = [rng.integers(0, size, 5000) for size in shape]
    tensor = hd.pack((columns, np.ones(5000), shape), Format((Level("compressed"),) * 3, (2, 0, 1)))
    array = np.zeros(shape)
    np.add.at(array, tuple(columns), 1.0)
    np.testing.assert_array_equal(tensor.to_numpy(), array)


def test_equal_entries_are_summed_in_the_order_in_which_they_came() -> None:
    """Which rounds otherwise in another order."""
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 4, 20_000) for _ in range(3)]
    values = rng.random(20_000) * 10.0 ** rng.integers(-8, 9, 20_000)
    made = sort_coordinates(columns, [4, 4, 4], values, "int32")
    assert made is not None
    assert made.repeated
    np.testing.assert_array_equal(made.values, values[np.lexsort(columns[::-1])])


def test_entries_in_order_are_not_moved() -> None:
    columns = [np.repeat(np.arange(100, dtype=np.int32), 50), np.tile(np.arange(50, dtype=np.int32), 100)]
    values = np.ones(5000)
    made = sort_coordinates(columns, [100, 50], values, "int32")
    assert made is not None
    assert made.values is values
    assert all(stored is column for stored, column in zip(made.columns, columns, strict=True))
    assert not made.repeated


def test_what_does_not_fit_into_two_words_is_left_to_numpy() -> None:
    columns = [np.arange(50)[::-1]] * 3
    assert sort_coordinates(columns, [2**43] * 3, np.ones(50), "int64") is None
    made = sort_and_sum(Entries((2**43,) * 3, tuple(columns), np.arange(50.0)), (0, 1, 2))
    np.testing.assert_array_equal(made.values, np.arange(50.0)[::-1])


def test_without_a_compiler_numpy_sorts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_helpers, "moving", lambda *_: None)
    columns = [np.arange(50)[::-1]] * 3
    assert sort_coordinates(columns, [50] * 3, np.ones(50), "int32") is None
    assert hd.pack((columns, np.ones(50), (50,) * 3), "csf").nnz == 50


@pytest.mark.parametrize("format", ["coo", "csf"])
@pytest.mark.parametrize("size", [1 << 14, 1 << 22, 2**40])
def test_memory_is_that_of_keys_values_and_their_copy(format: str, size: int) -> None:
    """At most 2.8 times the result, whatever the size of the dimensions; no column and no permutation of 64 bits."""
    rng = np.random.default_rng(1)
    count = 120_000
    operand = tuple(rng.integers(0, size, count) for _ in range(3)), rng.random(count), (size,) * 3
    hd.pack(operand, format)  # compiles what sorts it
    tracemalloc.start()
    tensor = hd.pack(operand, format)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2.8 * tensor.nbytes


def test_columns_of_an_operand_are_not_gathered_into_one_array(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [np.arange(9000) % size for size in (7, 11, 13)]
    copied: list[int] = []
    ndim = np.ndim

    def recording(operand: Any) -> int:
        if not isinstance(operand, np.ndarray):
            copied.append(1)
        return int(ndim(operand))

    monkeypatch.setattr(np, "ndim", recording)
    hd.pack((columns, np.ones(9000), (7, 11, 13)), "coo")
    assert not copied
