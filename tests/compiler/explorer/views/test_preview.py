"""Previews: the raster, the degrees, and what is said of a pattern."""

from __future__ import annotations

import numpy as np
import pytest

from heddle.explorer.views.data.preview import degrees_of, gini, preview_view
from heddle.runtime.tensors.coordinates import Entries


def entries(shape: tuple[int, ...], *rows: tuple[int, ...]) -> Entries:
    table = np.array(rows, dtype=np.int64).reshape(len(rows), len(shape))
    return Entries(shape, tuple(table.T), np.ones(len(rows)))


def test_a_matrix() -> None:
    view = preview_view(entries((4, 6), (0, 0), (0, 5), (2, 1), (2, 1), (2, 2), (2, 3)), "mine")
    assert (view["ok"], view["source"], view["shape"], view["nonzeros"]) == (True, "mine", [4, 6], 5)
    assert view["raster"] == {
        "row_step": 1,
        "column_step": 1,
        "counts": [[1, 0, 0, 0, 0, 1], [0] * 6, [0, 1, 1, 1, 0, 0], [0] * 6],
    }
    rows = view["degrees"][0]
    assert (rows["size"], rows["empty"], rows["least"], rows["mean"], rows["most"]) == (4, 2, 0, 1.25, 3)
    assert rows["bins"] == [
        {"least": 0, "most": 0, "slices": 2},
        {"least": 1, "most": 1, "slices": 0},
        {"least": 2, "most": 3, "slices": 2},
    ]
    columns = preview_view(entries((2, 2), (0, 0), (1, 0), (1, 1)), "")["degrees"][0]
    assert (columns["empty"], columns["least"], columns["most"]) == (0, 1, 2)
    assert view["bandwidth"] == 5
    assert view["symmetric"] is None, "only square matrices can be"


@pytest.mark.parametrize(("cells", "symmetric"), [([(0, 1), (1, 0), (2, 2)], True), ([(0, 1), (2, 0)], False)])
def test_symmetry_of_the_pattern(cells: list[tuple[int, int]], symmetric: bool) -> None:
    assert preview_view(entries((3, 3), *cells), "")["symmetric"] is symmetric


def test_large_matrices_are_counted_in_bins() -> None:
    view = preview_view(entries((1000, 300), (0, 0), (7, 2), (999, 299)), "")
    raster = view["raster"]
    assert raster is not None
    assert (raster["row_step"], raster["column_step"]) == (8, 3)
    assert (len(raster["counts"]), len(raster["counts"][0])) == (125, 100)
    assert raster["counts"][0][0] == 2
    assert raster["counts"][-1][-1] == 1


def test_huge_dimensions_cost_nothing() -> None:
    view = preview_view(entries((2**40, 2**40), (5, 7), (2**40 - 1, 0)), "")
    assert view["degrees"][0]["empty"] == 2**40 - 2
    assert view["bandwidth"] == 2**40 - 1


def test_other_orders_and_nothing_at_all() -> None:
    vector = preview_view(entries((5,), (1,), (4,)), "")
    assert vector["raster"] == {"row_step": 1, "column_step": 1, "counts": [[0, 1, 0, 0, 1]]}
    cube = preview_view(entries((2, 3, 4), (0, 1, 2), (1, 1, 2)), "")
    assert cube["raster"] is not None
    assert cube["raster"]["counts"][1][2] == 2
    assert [one["most"] for one in cube["degrees"]] == [1, 2, 2]
    empty = preview_view(entries((0, 3)), "")
    assert (empty["nonzeros"], empty["bandwidth"], empty["degrees"][1]["bins"][0]["slices"]) == (0, 0, 3)


def test_gini() -> None:
    assert gini({5: 4}, 4) == 0
    assert gini({12: 1}, 4) == pytest.approx(0.75)
    assert gini({3: 2, 1: 1}, 5) == pytest.approx(18 / 35)
    assert degrees_of(np.array([0, 0, 0, 1]), 0, 2)["gini"] == pytest.approx(0.25)
