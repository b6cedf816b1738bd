"""Rows cut into pieces by compiled C: array for array what packing in parts makes, and what a plain loop makes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

import heddle as hd
from heddle.formats.composed.macros import Hyb, hyb_of
from heddle.formats.parser import parse_format
from heddle.runtime.native import native_helpers
from heddle.runtime.packing.convert import is_kept, stored_as
from heddle.runtime.packing.in_parts import divide
from heddle.runtime.packing.paths import stored_as_requested
from heddle.runtime.packing.request import Request
from heddle.runtime.packing.row_conversions.row_chunks import in_pieces
from heddle.runtime.storage.validate import validate
from heddle.runtime.tensors.composite import Composite, parts_of
from heddle.runtime.tensors.tensor import LevelArrays, Tensor

FORMATS = (
    "hyb(1,0)",
    "hyb(1,3)",
    "hyb(3,2)",
    "hyb(8,5)",
    "hyb(800,4)",
    "hyb(1,3,5)",
    "hyb(8,3,64)",
    "hyb(1,3,whole)",
    "hyb(1,6,7,whole)",
)


def skewed(shape: tuple[int, int], dtype: str = "float64", seed: int = 0) -> Tensor:
    """Compressed rows: some empty, one full, most short; explicit zeros and NaN among the values."""
    rng = np.random.default_rng(seed)
    rows, columns = shape
    lengths = np.minimum(3 * rng.pareto(0.9, rows), columns).astype(np.int64)
    lengths[rows // 2] = columns
    crd = [np.sort(rng.choice(columns, length, replace=False)) for length in lengths]
    values = rng.integers(-5, 6, int(lengths.sum())).astype(dtype)
    if values.dtype.kind in "fc":
        values[::17] = np.nan
    pos = np.append(0, np.cumsum(lengths)).astype(np.int32)
    matrix = scipy.sparse.csr_array((values, np.concatenate(crd).astype(np.int32), pos), shape=shape)
    return hd.pack(matrix, "csr")


def in_numpy(rows: Tensor, text: str) -> Composite:
    """The parts as the general way makes them, which asks every entry for every part."""
    made = divide(Request(rows, parse_format(text, 2, "A"), rows.dtype, rows.fill, "A"), stored_as_requested)
    assert isinstance(made, Composite)
    return made


def in_c(rows: Tensor, text: str) -> Composite:
    made = in_pieces(Request(rows, parse_format(text, 2, "A"), rows.dtype, rows.fill, "A"))
    assert made is not None
    return made


def assert_same(made: Tensor, expected: Tensor) -> None:
    assert (made.shape, made.format, made.dtype, made.fill) == (
        expected.shape,
        expected.format,
        expected.dtype,
        expected.fill,
    )
    ours, theirs = made.arrays(), expected.arrays()
    assert ours.keys() == theirs.keys()
    for role, array in ours.items():
        assert array.dtype == theirs[role].dtype, role
        assert array.tobytes() == theirs[role].tobytes(), role


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("text", FORMATS)
def test_array_for_array_what_the_general_way_makes(text: str, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_helpers, "threads", lambda _: threads)
    rows = skewed((1500, 700))
    made, expected = in_c(rows, text), in_numpy(rows, text)
    for part, other in zip(made.parts, expected.parts, strict=True):
        validate(part)
        assert_same(part, other)


@pytest.mark.parametrize("text", ["hyb(5,3)", "hyb(1,2,3,whole)"])
@pytest.mark.parametrize("dtype", ["int8", "int16", "float32", "complex128"])
def test_for_values_of_every_size(dtype: str, text: str) -> None:
    rows = skewed((400, 500), dtype)
    for part, other in zip(in_c(rows, text).parts, in_numpy(rows, text).parts, strict=True):
        assert_same(part, other)


def test_of_wide_indices_and_another_fill() -> None:
    """The rows have 64-bit indices because there are more columns than 32 bits count; what is not stored is 7."""
    narrow = skewed((900, 900))
    pos, crd = narrow.levels[1].pos, narrow.levels[1].crd
    assert pos is not None
    assert crd is not None
    shape = (900, 2**33)
    levels = (LevelArrays(), LevelArrays(pos.astype(np.int64), crd.astype(np.int64) * 2**23))
    rows = Tensor(shape, narrow.format, "float64", levels, narrow.vals, 7.0)
    for text in ("hyb(4,3)", "hyb(4,3,5)"):
        made = in_c(rows, text)
        assert made.wide
        for part, other in zip(made.parts, in_numpy(rows, text).parts, strict=True):
            assert_same(part, other)


@pytest.mark.parametrize("ranges", [2, 3, 7, 64, 65, 4096])
def test_columns_up_to_the_last_that_32_bits_count(ranges: int) -> None:
    """Rows that have an entry for each range and rows that have not, at the ends of the ranges."""
    columns, rng = 2**31 - 1, np.random.default_rng(1)
    width = -(-columns // ranges)
    ends = np.arange(0, columns, width)
    near = np.unique(np.clip(np.concatenate([ends - 1, ends, ends + 1, [columns - 1]]), 0, columns - 1))
    picked = [near if row % 7 == 0 else np.sort(rng.choice(near, 4, replace=False)) for row in range(1500)]
    pos = np.append(0, np.cumsum([one.size for one in picked])).astype(np.int32)
    values = rng.random(pos[-1])
    levels = (LevelArrays(), LevelArrays(pos, np.concatenate(picked).astype(np.int32)))
    rows = Tensor((1500, columns), parse_format("csr", 2, "A"), "float64", levels, values)
    for text in (f"hyb({ranges},2)", f"hyb({ranges},2,3)"):
        for part, other in zip(in_c(rows, text).parts, in_numpy(rows, text).parts, strict=True):
            assert_same(part, other)


def _pieces(matrix: Any, ranges: int, widest: int) -> list[list[tuple[int, int, list[int], list[float]]]]:
    """By bucket (range, row, columns, values) of each piece, in the order of range, row, place. Forty lines that share
    nothing with the runtime."""
    buckets: dict[int, list[tuple[int, int, list[int], list[float]]]] = {}
    cut = max(1, -(-matrix.shape[1] // ranges))
    for number in range(ranges):
        for row in range(matrix.shape[0]):
            places = range(matrix.indptr[row], matrix.indptr[row + 1])
            here = [p for p in places if number * cut <= matrix.indices[p] < (number + 1) * cut]
            for start in range(0, len(here), widest):
                piece = here[start : start + widest]
                width = 1
                while width < len(piece):
                    width *= 2
                columns, values = [int(matrix.indices[p]) for p in piece], [float(matrix.data[p]) for p in piece]
                buckets.setdefault(width, []).append((number, row, columns, values))
    widths, width = [], 1
    while width <= widest:
        widths.append(width)
        width *= 2
    return [buckets.get(width, []) for width in widths]


@pytest.mark.parametrize(("ranges", "bucket"), [(1, 0), (1, 4), (3, 2), (50, 3)])
def test_piece_for_piece_what_a_plain_loop_makes(ranges: int, bucket: int) -> None:
    rows = skewed((700, 300), "float32")
    matrix: Any = rows.to_scipy()
    for part, pieces in zip(
        in_c(rows, f"hyb({ranges},{bucket})").parts, _pieces(matrix, ranges, 2**bucket), strict=True
    ):
        width = part.format.levels[1].parameter
        assert width is not None
        outer, inner = part.levels
        np.testing.assert_array_equal(outer.crd, [row for _, row, _, _ in pieces])
        padded = [[*columns, *[300] * (width - len(columns))] for _, _, columns, _ in pieces]
        np.testing.assert_array_equal(inner.crd, np.array(padded, np.int32).ravel())
        stored = [[*values, *[0.0] * (width - len(values))] for _, _, _, values in pieces]
        np.testing.assert_array_equal(part.vals, np.array(stored, np.float32).ravel())


@pytest.mark.parametrize("text", FORMATS)
def test_numbers_are_read_off_the_parts(text: str) -> None:
    composition = parse_format(text, 2, "A").composition
    assert composition is not None
    found = hyb_of(composition)
    words = text[4:-1].split(",")
    rows = next((int(word) for word in words[2:] if word != "whole"), None)
    assert found == Hyb(int(words[0]), int(words[1]), rows, words[-1] == "whole")


def test_a_sum_that_is_written_out_is_cut_as_fast() -> None:
    written = "b = pieces(1) where piece(1,2) == 1 + pieces(2) where piece(1,2) in 2..2"
    rows = skewed((900, 300))
    made, expected = in_c(rows, written), in_c(rows, "hyb(1,1)")
    for part, other in zip(made.parts, expected.parts, strict=True):
        assert_same(part, other)
    for unlike in (
        "pieces(1) where piece(1,2) == 1 + csr",
        "ell(4) where length <= 4 + csr",
        "dia where depth > 9 + csr",
    ):
        composition = parse_format(unlike, 2, "A").composition
        assert composition is not None
        assert hyb_of(composition) is None


def test_few_entries_and_more_ranges_than_work_are_left_to_the_general_way() -> None:
    few = skewed((20, 30))
    request = Request(few, parse_format("hyb(1,3)", 2, "A"), few.dtype, 0, "A")
    assert in_pieces(request) is None
    rows = skewed((1500, 700))
    assert in_pieces(request._replace(operand=rows, format=parse_format("hyb(4096,3,4096)", 2, "A"))) is None
    assert parts_of(hd.convert(few, "hyb(1,3)"))[0].stored == parts_of(in_numpy(few, "hyb(1,3)"))[0].stored


def test_a_second_packing_of_the_rows_costs_nothing() -> None:
    rows = skewed((900, 300))
    format = parse_format("hyb(2,3)", 2, "A")
    assert not is_kept(rows, format)
    assert stored_as(rows, format) is stored_as(rows, format)
    assert is_kept(rows, format)
