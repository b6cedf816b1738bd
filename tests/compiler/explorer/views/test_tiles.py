"""Cuts over the running example and over random data: equal area, equal work, and what is split across tiles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from heddle.explorer.views.data.tiles import MAX_LOADS, Cut, tiles_view
from heddle.explorer.views.data.tiles_schema import CutKind, TilesView, TilingView
from heddle.explorer.views.storage.storage_examples import example_entries
from heddle.plan.limits import MAX_DIMENSION as LARGEST
from heddle.runtime.tensors.coordinates import Entries


def example(kind: CutKind, size: int, dimension: int = 0, format: str = "csr") -> TilesView:
    return tiles_view("A", 2, format, example_entries(2, "float64"), "example", Cut(kind, dimension, size))


def tiling(view: TilesView) -> TilingView:
    assert view["ok"], view["diagnostics"]
    assert view["tiling"] is not None
    return view["tiling"]


@pytest.mark.parametrize(
    ("kind", "dimension", "size", "format", "loads", "straddling"),
    [
        ("nonzero-position", 0, 3, "csr", [3, 3, 1], [2, 3]),
        ("nonzero-position", 0, 3, "csc", [3, 3, 1], []),
        ("coordinate", 0, 2, "csr", [2, 5], []),
        ("coordinate", 1, 2, "csr", [3, 2, 2], [0, 2, 3]),
        ("row-position", 0, 2, "csr", [2, 5], []),
        ("row-position", 0, 2, "dcsr", [5, 2], []),
        ("row-position", 0, 2, "csc", [3, 2, 2], []),
    ],
)
def test_the_tiles_of_the_running_example(
    kind: CutKind, dimension: int, size: int, format: str, loads: list[int], straddling: list[int]
) -> None:
    view = tiling(example(kind, size, dimension, format))
    assert view["loads"] == loads
    assert view["straddling_first"] == straddling
    assert (view["tiles"], view["max"], view["mean"]) == (len(loads), max(loads), 7 / len(loads))


def test_a_row_that_two_tiles_share_is_named() -> None:
    view = tiling(example("nonzero-position", 3))
    assert (view["straddling"], view["straddling_first"]) == (2, [2, 3])


def scattered(shape: tuple[int, ...], nonzeros: int) -> Entries:
    rng = np.random.default_rng(5)
    cells = rng.choice(int(np.prod(shape)), nonzeros, replace=False)
    return Entries(shape, np.unravel_index(cells, shape), rng.random(nonzeros) + 1)


def test_a_coordinate_cut_is_the_real_histogram_and_many_tiles_are_grouped() -> None:
    entries = scattered((3000, 40), 5000)
    view = tiling(tiles_view("A", 2, "csr", entries, "", Cut("coordinate", 0, 2)))
    real = np.bincount(entries.columns[0] // 2, minlength=1500)
    assert (view["tiles"], view["group"]) == (1500, 3)
    assert view["loads"] == real.reshape(500, 3).max(axis=1).tolist()
    assert len(view["loads"]) <= MAX_LOADS
    assert (view["max"], view["mean"]) == (real.max(), 5000 / 1500)


def test_a_cut_of_positions_is_even() -> None:
    view = tiling(tiles_view("A", 2, "csr", scattered((300, 40), 5000), "", Cut("nonzero-position", 0, 64)))
    assert view["max"] == 64
    assert view["max"] / view["mean"] <= 1 + 64 / view["mean"]


def test_a_huge_dimension_costs_no_memory() -> None:
    entries = Entries((LARGEST, LARGEST), (np.array([0, LARGEST - 1]), np.array([5, 6])), np.ones(2))
    view = tiles_view("A", 2, "dcsr", entries, "", Cut("coordinate", 0, 1))
    found = tiling(view)
    assert (found["tiles"], found["max"], len(found["loads"])) == (LARGEST, 1, MAX_LOADS)
    assert view["raster"] is not None
    assert sum(map(sum, view["raster"]["counts"])) == 2


def test_the_raster_counts_all_and_the_window_is_the_densest_block() -> None:
    entries = scattered((500, 700), 3000)
    view = tiles_view("A", 2, "csr", entries, "", Cut("coordinate", 0, 10))
    raster, window = view["raster"], view["window"]
    assert raster is not None
    assert window is not None
    assert np.array(raster["counts"]).shape == (63, 64)
    assert np.sum(raster["counts"]) == 3000
    blocks: dict[tuple[int, int], int] = {}
    for row, column in zip(*entries.columns, strict=True):
        key = (int(row) // 32, int(column) // 32)
        blocks[key] = blocks.get(key, 0) + 1
    assert window["nonzeros"] == max(blocks.values()) == np.count_nonzero(np.array(window["values"]))
    assert window["shape"] == [32, 32]


def test_stored_zeros_are_no_work() -> None:
    entries = Entries((2, 2), (np.array([0, 1]), np.array([0, 1])), np.array([0.0, 3.0]))
    view = tiles_view("A", 2, "csr", entries, "", Cut("coordinate", 0, 1))
    assert (view["nonzeros"], tiling(view)["loads"]) == (1, [0, 1])


def test_nothing_at_all_is_cut_into_no_tiles_or_empty_ones() -> None:
    empty = Entries((3, 3), (np.empty(0, dtype=np.int64),) * 2, np.empty(0))
    assert tiling(tiles_view("A", 2, "csr", empty, "", Cut("nonzero-position", 0, 4)))["loads"] == []
    assert tiling(tiles_view("A", 2, "csr", empty, "", Cut("coordinate", 1, 2)))["loads"] == [0, 0]


@pytest.mark.parametrize(
    ("order", "format", "dimension", "code", "message"),
    [
        (3, "csf", 0, "tiles/order", "A has 3 dimensions in the expression, and 2 in its input"),
        (2, "csr", 2, "tiles/dimension", "A has no dimension 2; its dimensions are numbered from 0 to 1."),
        (2, "csx", 0, "format/unknown", "csx"),
    ],
)
def test_what_is_refused(order: int, format: str, dimension: int, code: str, message: str) -> None:
    view = tiles_view("A", order, format, example_entries(2, "float64"), "", Cut("coordinate", dimension, 1))
    diagnostic: Any = view["diagnostics"][0]
    assert (view["ok"], diagnostic["code"]) == (False, code)
    assert message in diagnostic["message"]
