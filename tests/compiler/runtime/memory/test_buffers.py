"""Result memory is aligned and comes back to the pool with its last view."""

import sys

import numpy as np
import pytest

from heddle.diagnostics import CompileError
from heddle.runtime.memory import allocation_limit
from heddle.runtime.memory.buffers import BufferPool, Memory, aligned_copy


def test_buffers_are_aligned_and_typed() -> None:
    pool = BufferPool()
    for count in (0, 1, 7, 1000, 100_000):
        array = pool.empty(count, "float32")
        assert array.shape == (count,)
        assert array.dtype == np.float32
        assert array.ctypes.data % 64 == 0
        assert array.flags.writeable


def test_memory_returns_when_the_last_view_is_gone() -> None:
    pool = BufferPool()
    array = pool.empty(1000, "float64")
    address = array.ctypes.data
    view = array[10:].reshape(-1, 10)
    del array
    assert pool.held_bytes == 0
    del view
    assert pool.held_bytes >= 8000
    assert pool.empty(990, "float64").ctypes.data == address


def test_two_live_buffers_never_share_memory() -> None:
    pool = BufferPool()
    arrays = [pool.empty(100, "float64") for _ in range(10)]
    for number, array in enumerate(arrays):
        array.fill(number)
    assert [array[0] for array in arrays] == list(range(10))


def test_arrays_that_are_made_together_are_aligned_apart_and_return_together() -> None:
    pool = BufferPool()
    arrays = pool.allocate_together((5, "int32"), (0, "float64"), (1000, np.dtype("int64")), (3, "complex128"))
    assert [(array.size, array.dtype.name) for array in arrays] == [
        (5, "int32"),
        (0, "float64"),
        (1000, "int64"),
        (3, "complex128"),
    ]
    assert all(array.ctypes.data % 64 == 0 for array in arrays)
    ends = [array.ctypes.data + array.nbytes for array in arrays]
    # Compiled loops may read a vector past the end.
    assert all(end + 64 <= array.ctypes.data for end, array in zip(ends, arrays[1:], strict=False))
    last = arrays[-1]
    del arrays
    assert pool.held_bytes == 0
    del last
    assert pool.held_bytes >= 8000


def test_the_pool_is_bounded() -> None:
    pool = BufferPool(limit=10_000)
    arrays = [pool.empty(500, "float64") for _ in range(10)]
    arrays.clear()
    assert 0 < pool.held_bytes <= 10_000


def test_aligned_copy_keeps_values() -> None:
    array = np.arange(101.0)[1:]
    copy = aligned_copy(array)
    assert copy.ctypes.data % 64 == 0
    np.testing.assert_array_equal(copy, array)
    assert aligned_copy(copy) is copy


def test_a_buffer_larger_than_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allocation_limit, "_physical_memory", lambda: 1 << 30)
    with pytest.raises(
        CompileError, match=r"200,000,000 values of type float64 need 1\.5 GiB, but at most 1\.0 GiB are"
    ):
        BufferPool().empty(200_000_000, "float64")


def test_no_buffer_is_larger_than_an_index_can_count(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MemoryError):
        Memory(sys.maxsize)
    monkeypatch.setattr(sys, "maxsize", (1 << 31) - 1)
    assert allocation_limit.memory_limit() < 1 << 31
