"""From blocks and sums of parts back to coordinates: in memory for the entries, not for all that blocks pad."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

import heddle as hd


def test_memory_grows_with_entries() -> None:
    """One of sixteen places of each block is taken."""
    size = 4000
    places = np.arange(0, size, 4)
    matrix = sp.coo_array((np.ones(places.size), (places, places[::-1])), (size, size)).tocsr()
    tensor = hd.pack(matrix, "bcsr(4,4)")
    tensor.to_coo()  # compiles what unpacks it
    tracemalloc.start()
    columns, values = tensor.to_coo()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert values.size == places.size
    assert peak < 1.5 * tensor.vals.nbytes
    assert sorted(zip(*columns, strict=True)) == sorted(zip(places, places[::-1], strict=True))


@pytest.mark.parametrize("fill", [0.0, 2.0, float("nan")])
@pytest.mark.parametrize("shape", [(13, 17), (1, 30), (24, 24)])
@pytest.mark.parametrize("format", ["bcsr(4,4)", "bcsr(2,3)", "sell(2,4)", "hyb(1,3)", "csb(2,3)", "dense"])
def test_every_value_comes_back(format: str, shape: tuple[int, int], fill: float) -> None:
    if format in ("hyb(1,3)", "dense") and fill != 0:
        pytest.skip("sums of parts and dense tensors have the fill 0")
    rng = np.random.default_rng(7)
    array = np.where(rng.random(shape) < 0.2, rng.integers(-3, 9, shape).astype(float), fill)
    np.testing.assert_array_equal(hd.pack(array, format, fill=fill).to_numpy(), array)
    tensor = hd.pack(array, format, fill=fill)
    columns, values = tensor.to_coo()
    again = np.full(shape, fill)
    again[columns] = values
    np.testing.assert_array_equal(again, array)
    expected = np.count_nonzero(~np.isnan(array)) if np.isnan(fill) else np.count_nonzero(array != fill)
    assert values.size == expected


def test_sums_of_parts_come_back_in_order() -> None:
    matrix = sp.random(50, 40, 0.3, format="csr", random_state=np.random.default_rng(1))
    columns, values = hd.pack(matrix, "hyb(2,3)").to_coo()
    keys = columns[0] * 40 + columns[1]
    assert (np.diff(keys) > 0).all()
    np.testing.assert_array_equal(values, matrix.sorted_indices().data)
