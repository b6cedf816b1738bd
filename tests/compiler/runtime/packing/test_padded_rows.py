"""From padded formats and sums of parts straight to compressed rows: what the general way gives, in memory for them."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import heddle as hd
from heddle.runtime.native import native_helpers
from heddle.runtime.storage import padded_rows
from heddle.runtime.storage.padded_rows import compressed_rows
from heddle.runtime.storage.unpack import to_coordinates
from heddle.runtime.tensors.composite import Composite
from heddle.runtime.tensors.tensor import LevelArrays, Tensor

FORMATS = (
    "bcsr(4,4)",
    "bcsr(3,2)",
    "bcsr(2)",
    "sell(8)",
    "sell(2,4)",
    "ell",
    "pieces(4)",
    "dcsr",
    "hyb(2,2)",
    "hyb(1,2,whole)",
    "ell where length <= 2 + csr",
)
DTYPES = ("float64", "float32", "int8", "int64", "bool", "complex64", "complex128")


@pytest.fixture(autouse=True, scope="module")
def few_places() -> Iterator[None]:
    """However few there are, C converts them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(padded_rows, "_LEAST", 0)
        yield


@st.composite
def matrices(draw: st.DrawFn) -> sp.csr_array:
    """With empty rows, rows of one column, full rows, and stored zeros; of -0.0 and NaN where the dtype has them."""
    shape = draw(st.tuples(st.integers(1, 30), st.integers(1, 30)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    taken = rng.random(shape) < draw(st.sampled_from((0.02, 0.3, 1.0))) * rng.integers(0, 2, (shape[0], 1))
    rows, columns = np.nonzero(taken)
    dtype = draw(st.sampled_from(DTYPES))
    values = rng.integers(0, 2 if dtype == "bool" else 4, rows.size).astype(dtype)
    if values.size and dtype in ("float64", "float32", "complex64", "complex128"):
        values[rng.integers(0, values.size, 3)] = (-0.0, np.nan, 5)
    return sp.csr_array((values, (rows, columns)), shape)


def by_general_way(tensor: Tensor) -> dict[tuple[int, int], bytes]:
    parts = tensor.parts if isinstance(tensor, Composite) else (tensor,)
    return {
        (int(row), int(column)): value.tobytes()
        for part in parts
        for (rows, columns), values in [to_coordinates(part)]
        for row, column, value in zip(rows, columns, values, strict=True)
    }


@settings(max_examples=120, deadline=None)
@given(matrices(), st.sampled_from(FORMATS))
def test_rows_hold_what_coordinates_say(matrix: sp.csr_array, format: str) -> None:
    """Bit for bit, stored zeros of padded rows included and those of blocks not, columns in order."""
    tensor = hd.pack(matrix, format)
    parts = tensor.parts if isinstance(tensor, Composite) else (tensor,)
    rows = compressed_rows(parts)
    assert rows is not None
    row = np.repeat(np.arange(matrix.shape[0]), np.diff(rows.pos))
    assert (np.diff(row * 31 + rows.crd) > 0).all()
    found = {(int(r), int(c)): value.tobytes() for r, c, value in zip(row, rows.crd, rows.values, strict=True)}
    wanted = by_general_way(tensor)
    assert found == wanted
    for other in ("csr", "csc"):
        converted = hd.convert(tensor, other)
        hd.validate(Tensor(converted.shape, converted.format, converted.dtype, converted.levels, converted.vals))
        assert by_general_way(converted) == wanted
    coo = tensor.to_scipy()
    assert isinstance(coo, sp.coo_array)
    assert {(int(r), int(c)): v.tobytes() for r, c, v in zip(coo.row, coo.col, coo.data, strict=True)} == wanted


def test_fills_stay_and_zeros_are_entries_beside_them() -> None:
    array = np.full((20, 30), 2.0)
    array[::3, ::4] = np.arange(56.0).reshape(7, 8)
    for format in ("sell(8)", "ell", "bcsr(4,4)"):
        tensor = hd.convert(hd.pack(array, format, fill=2.0), "csr")
        assert tensor.fill == 2.0
        np.testing.assert_array_equal(tensor.to_numpy(), array)


def test_pieces_in_any_order_are_put_in_order() -> None:
    """As somebody may store them who makes the arrays."""
    layout = hd.pack(np.eye(3), "pieces(2)").format
    levels = (
        LevelArrays(np.array([0, 3], np.int32), np.array([1, 0, 1], np.int32)),
        LevelArrays(crd=np.array([7, 9, 2, 9, 1, 3], np.int32), extra={"width": np.array([2], np.int32)}),
    )
    rows = compressed_rows([Tensor((3, 9), layout, "float64", levels, np.arange(6.0))])
    assert rows is not None
    assert rows.pos.tolist() == [0, 1, 4, 4]
    assert rows.crd.tolist() == [2, 1, 3, 7]
    assert rows.values.tolist() == [2, 4, 5, 0]


@pytest.mark.parametrize("format", ["bcsr(4,4)", "sell(8)", "sell(8,64)", "hyb(2,3)", "ell"])
def test_memory_is_that_of_the_result(format: str) -> None:
    """One of sixteen places of a block is taken: neither coordinates nor values of places are copied."""
    size = 16_000
    rows = np.repeat(np.arange(size), 3)
    columns = (rows * 5 + np.tile([0, 4000, 8000], size)) % size
    tensor = hd.pack(sp.csr_array((np.ones(rows.size), (rows, columns)), (size, size)), format)
    hd.convert(tensor, "csr")
    tracemalloc.start()
    converted = hd.convert(tensor, "csr")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert converted.nnz == rows.size
    assert peak < 1.6 * converted.nbytes


def test_other_formats_and_no_compiler_leave_it_to_the_general_way(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = sp.csr_array(sp.random_array((30, 40), density=0.2, rng=np.random.default_rng(1)))
    for format in ("sell-runs(8)", "dia(8)", "csb(4,4)", "coo", "hyb(2,1,3)"):
        tensor = hd.pack(matrix, format)
        assert compressed_rows(tensor.parts if isinstance(tensor, Composite) else (tensor,)) is None
        np.testing.assert_array_equal(hd.convert(tensor, "csr").to_numpy(), matrix.toarray())
    assert compressed_rows(()) is None
    monkeypatch.setattr(native_helpers, "moving", lambda *_: None)
    for format in FORMATS:
        np.testing.assert_array_equal(hd.convert(hd.pack(matrix, format), "csr").to_numpy(), matrix.toarray())
