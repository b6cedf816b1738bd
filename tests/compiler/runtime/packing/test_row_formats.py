"""CSR and CSC into ELL, DCSR and blocks on their own positions: the same arrays as the general way makes."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import heddle as hd
from heddle.diagnostics import CompileError, Diagnostic
from heddle.runtime.native import native_helpers, toolchain
from heddle.runtime.packing import paths

SHAPES = [(120, 90), (123, 91), (5, 900), (900, 5), (1, 6000)]


def matrix(shape: tuple[int, int], dtype: str = "float64") -> Any:
    """Some 5,000 entries, some of them zeros, and empty rows and columns at both ends where there is room."""
    rng = np.random.default_rng(shape[0])
    dense = np.where(rng.random(shape) < 0.8, rng.integers(1, 9, shape), 0)
    dense[shape[0] // 2 : shape[0] // 2 + shape[0] // 9] = 0
    dense[: shape[0] // 60] = 0
    made = sp.csr_array(dense.astype(dtype))
    made.data[::50] = 0
    return made


def both_ways(operand: Any, format: str, monkeypatch: pytest.MonkeyPatch) -> tuple[hd.Tensor, hd.Tensor]:
    """By the first path that fits, and by the last, which packs everything."""
    direct = hd.pack(operand, format)
    with monkeypatch.context() as patch:
        patch.setattr(paths, "PATHS", paths.PATHS[-1:])
        return direct, hd.pack(operand, format)


def assert_same(direct: hd.Tensor, general: hd.Tensor) -> None:
    hd.validate(direct)
    assert direct.format == general.format
    for role, array in general.arrays().items():
        np.testing.assert_array_equal(direct.arrays()[role], array, str(role))
        assert direct.arrays()[role].dtype == array.dtype


@pytest.mark.combinations(4)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("source", "format"),
    [
        ("csr", "ell"),
        ("csr", "dcsr"),
        ("csr", "dia"),
        ("csc", "dcsc"),
        ("csc", "dense, padded : 1,0"),
        ("csc", "dense, offset : 1,0"),
    ],
)
def test_padded_rows_and_rows_that_hold_something(
    source: str, format: str, shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for fill in (0, 3):
        packed = hd.pack(matrix(shape), source, fill=fill)
        direct, general = both_ways(packed, format, monkeypatch)
        assert_same(direct, general)
        assert direct.fill == fill


@pytest.mark.parametrize("format", ["ell", "dcsr", "dia", "dia(8)", "sell-runs(8)"])
def test_a_matrix_without_entries(format: str) -> None:
    for shape in ((0, 3), (3, 0), (3, 4)):
        made = hd.convert(hd.pack(np.zeros(shape), "csr"), format)
        hd.validate(made)
        np.testing.assert_array_equal(made.to_numpy(), np.zeros(shape))


@pytest.mark.combinations(4)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "format", ["bcsr(4,4)", "bcsr(3,2)", "bcsr(1,7)", "bcsr(64,1)", "bcsr(65,2)", "bcsr(8)", "bcsr(65)"]
)
def test_blocks(format: str, shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    for dtype in ("float64", "int8", "complex128"):
        rows = matrix(shape, dtype)
        for operand in (rows, hd.pack(rows, "csr")):
            assert_same(*both_ways(operand, format, monkeypatch))


@pytest.mark.combinations(4, "format", "shape")
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("format", ["dia", "dia(8)", "sell-runs(8)", "sorted(24), slots, dense(8), runs"])
def test_diagonals_are_the_same_with_and_without_a_compiler(
    format: str, shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Diagonals of which some rows lack an entry, next to rows that have none in common."""
    band = sp.diags_array([1.0, 2.0, 3.0], offsets=[-1, 0, 4], shape=(200, shape[1])).tocsr()
    band.data[::7] = 0
    band.eliminate_zeros()
    rows = sp.csr_array(sp.vstack([band, matrix(shape), band]))
    compiled = hd.convert(hd.pack(rows, "csr"), format)
    np.testing.assert_array_equal(compiled.to_numpy(), rows.toarray())
    monkeypatch.setattr(native_helpers, "moving", lambda *_: None)
    assert_same(compiled, hd.convert(hd.pack(rows, "csr"), format))


@pytest.mark.combinations(4, "format", "shape", "dtype", "threads")
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "complex128"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("format", ["sell(8)", "sell(8,64)", "sell(3,900)", "sell-runs(32)"])
def test_slices_are_the_same_with_and_without_a_compiler(
    format: str, shape: tuple[int, int], dtype: str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With rows longer than what is written at once, and slices that the shape cuts."""
    monkeypatch.setattr(native_helpers, "threads", lambda _: threads)
    for fill in (0, 3):
        rows = hd.pack(matrix(shape, dtype), "csr", fill=fill)
        compiled = hd.convert(rows, format)
        with monkeypatch.context() as patch:
            patch.setattr(native_helpers, "moving", lambda *_: None)
            assert_same(compiled, hd.convert(rows, format))


@pytest.mark.parametrize("format", ["sell(8)", "sell(8,64)", "sell-runs(8)"])
def test_slices_of_mostly_empty_rows(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    coordinates = (rng.integers(0, 100_003, 5000), rng.integers(0, 90_000, 5000))
    rows = hd.pack((coordinates, np.arange(5000) + 1.0, (100_003, 90_000)), "csr")
    compiled = hd.convert(rows, format)
    monkeypatch.setattr(native_helpers, "moving", lambda *_: None)
    assert_same(compiled, hd.convert(rows, format))


@pytest.mark.parametrize("format", ["bcsr(4,4)", "bcsr(8)", "bcsr(3,5)"])
@pytest.mark.parametrize("rows", [100_003, 2000])
def test_blocks_of_mostly_empty_rows(format: str, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of blocks with one entry, also in the last one, which the shape cuts, and with none."""
    rng = np.random.default_rng(2)
    coordinates = (
        np.append(rng.integers(0, rows - 20, 5000), rows - 1),
        np.append(rng.integers(0, 90_001, 5000), 90_000),
    )
    packed = hd.pack((coordinates, np.arange(5001) + 1.0, (rows, 90_001)), "csr")
    assert_same(*both_ways(packed, format, monkeypatch))


def test_runs_of_columns_that_32_bits_can_just_count() -> None:
    """The numbers of diagonals go beyond 32 bits there: they take the way that counts with 64."""
    last = 2**31 - 1
    rows, columns = np.repeat(np.arange(3000), 2), np.tile([5, last - 1], 3000)
    packed = hd.pack(((rows, columns), np.arange(6000) + 1.0, (3000, last)), "csr")
    made = hd.convert(packed, "sell-runs(8)")
    hd.validate(made)
    back = hd.convert(made, "csr")
    np.testing.assert_array_equal(back.levels[1].crd, packed.levels[1].crd)
    np.testing.assert_array_equal(back.vals, packed.vals)


def test_blocks_at_the_last_column_that_32_bits_can_count(monkeypatch: pytest.MonkeyPatch) -> None:
    last = 2**31 - 1
    rows = np.repeat(np.arange(3000), 2)
    columns = np.tile([5, last - 1], 3000)
    operand = hd.pack(((rows, columns), np.arange(6000) + 1.0, (3000, last)), "csr")
    assert_same(*both_ways(operand, "bcsr(4,4)", monkeypatch))


def test_blocks_of_a_matrix_out_of_order_and_of_one_outside_its_shape() -> None:
    rows = matrix((120, 90))
    rows.indices[:2] = rows.indices[:2][::-1].copy()
    rows.has_sorted_indices = rows.has_canonical_format = False
    np.testing.assert_array_equal(hd.pack(rows, "bcsr(4,4)").to_numpy(), rows.toarray())
    outside = matrix((120, 90))
    outside.indices[outside.indptr[3] - 1] = 1000
    with pytest.raises(CompileError, match="has coordinate 1000 in dimension 2, which has the size 90"):
        hd.pack(outside, "bcsr(4,4)")


def test_without_a_compiler_everything_is_packed_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> toolchain.Toolchain:
        raise CompileError(Diagnostic(code="runtime/no-c-compiler", message="No C compiler works on this machine."))

    monkeypatch.setattr(native_helpers, "moving", native_helpers.moving.__wrapped__)  # nothing is remembered
    monkeypatch.setattr(toolchain, "discover", none)
    rows = matrix((123, 91))
    coordinates = rows.tocoo().coords
    order = np.random.default_rng(1).permutation(rows.nnz)
    shuffled = (tuple(column[order] for column in coordinates), rows.data[order], rows.shape)
    for operand, format in ((rows, "bcsr(4,4)"), (shuffled, "csr"), (rows, "csc")):
        np.testing.assert_array_equal(hd.pack(operand, format).to_numpy(), rows.toarray())
