"""The storage picture: the arrays of the oracles, and a tree that says the same as they do."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heddle.explorer.views.storage import storage
from heddle.explorer.views.storage.storage import storage_view
from heddle.explorer.views.storage.storage_examples import example_entries
from heddle.explorer.views.storage.storage_schema import StorageView, StoredTensorView
from heddle.formats.presets import presets_for
from heddle.formats.printer import format_text
from heddle.runtime.tensors.coordinates import Entries

ORACLES = {
    "csr": {"A2_pos": [0, 2, 2, 5, 7], "A2_crd": [0, 2, 0, 3, 5, 1, 4], "A_vals": [6, 9, 5, 7, 1, 2, 8]},
    "csc": {"A2_pos": [0, 2, 3, 4, 5, 6, 7], "A2_crd": [0, 2, 3, 0, 2, 3, 2], "A_vals": [6, 5, 2, 9, 7, 8, 1]},
    "dcsr": {
        "A1_pos": [0, 3],
        "A1_crd": [0, 2, 3],
        "A2_pos": [0, 2, 5, 7],
        "A2_crd": [0, 2, 0, 3, 5, 1, 4],
        "A_vals": [6, 9, 5, 7, 1, 2, 8],
    },
}
"""Worked out by hand."""


def example(format: str, order: int = 2) -> StorageView:
    return storage_view("A", order, format, example_entries(order, "float64"), "running example")


def stored(view: StorageView) -> StoredTensorView:
    assert view["diagnostics"] == []
    assert view["stored"] is not None
    return view["stored"]


def paths(tensor: StoredTensorView) -> list[tuple[int, ...]]:
    """The coordinates on the way from the root to each leaf, by dimension."""
    parents: dict[int, tuple[tuple[int, int], ...]] = {0: ()}
    for level in tensor["levels"]:
        nodes = zip(level["node_positions"], level["node_parents"], level["node_coordinates"], strict=True)
        parents = {position: (*parents[parent], (level["dimension"], at)) for position, parent, at in nodes}
    return [tuple(at for _, at in sorted(path)) for _, path in sorted(parents.items())]


@pytest.mark.parametrize("format", ORACLES)
def test_the_running_example_has_the_arrays_of_the_oracles(format: str) -> None:
    tensor = stored(example(format))
    assert {array["name"]: array["values"] for array in tensor["arrays"]} == ORACLES[format]
    assert tensor["whole"] is True
    assert tensor["entries"] == tensor["stored"] == 7
    assert tensor["bytes"] == sum(array["bytes"] for array in tensor["arrays"])


def test_a_node_says_its_parent_so_that_empty_rows_have_none_below() -> None:
    rows, columns = stored(example("csr"))["levels"]
    assert rows["node_coordinates"] == [0, 1, 2, 3]
    assert columns["node_parents"] == [0, 0, 2, 2, 2, 3, 3]
    assert columns["node_coordinates"] == [0, 2, 0, 3, 5, 1, 4]


def test_padding_is_told_from_entries() -> None:
    tensor = stored(example("dense"))
    assert tensor["stored"] == 24
    entries = [(tuple(leaf["coordinates"]), leaf["value"]) for leaf in tensor["leaves"] if leaf["entry"]]
    assert entries == [((0, 0), 6), ((0, 2), 9), ((2, 0), 5), ((2, 3), 7), ((2, 5), 1), ((3, 1), 2), ((3, 4), 8)]
    zero = Entries((1, 2), (np.array([0]), np.array([1])), np.array([0.0]))
    explicit = stored(storage_view("A", 2, "dense", zero, ""))
    assert [leaf["entry"] for leaf in explicit["leaves"]] == [False, True]


@pytest.mark.parametrize("order", [0, 1, 2, 3, 4])
def test_every_preset_shows_every_entry_of_the_example_once(order: int) -> None:
    entries = example_entries(order, "float64")
    wanted = sorted(zip(*(column.tolist() for column in entries.columns), entries.values.tolist(), strict=True))
    formats = [format_text(preset.instance(order)) for preset in presets_for(order)] if order else ["dense"]
    for format in formats:
        tensor = stored(example(format, order))
        found = [(*leaf["coordinates"], leaf["value"]) for leaf in tensor["leaves"] if leaf["entry"]]
        assert sorted(found) == wanted, format


@pytest.mark.parametrize(
    "format",
    [
        "parts(3), dense, compressed : 0,0,1",
        "parts(2,even), parts(3), compressed(nonunique), padded(2) : 0,1,0,1",
        "dense, dense, compressed(2), compressed(3) : 0,1,0,1",
        "dense, compressed, padded(3,3) : 0,1,1",
        "dense, ragged",
    ],
)
def test_cut_dimensions_and_ragged_rows_show_every_entry_once(format: str) -> None:
    entries = example_entries(2, "float64")
    tensor = stored(example(format, 2))
    found = [(*leaf["coordinates"], leaf["value"]) for leaf in tensor["leaves"] if leaf["entry"]]
    wanted = zip(*(column.tolist() for column in entries.columns), entries.values.tolist(), strict=True)
    assert sorted(found) == sorted(wanted)
    starts = [array for array in tensor["arrays"] if array["role"] == "starts"]
    assert [array["size"] for array in starts] == ([3] if "even" in format else [])
    assert tensor["levels"][0]["further"] == (["even"] if "even" in format else [])


def test_the_examples_have_the_size_that_the_course_names() -> None:
    cube = example_entries(3, "int32")
    assert (cube.shape, cube.values.size, cube.dtype) == ((8, 8, 8), 40, np.dtype("int32"))
    assert len(set(zip(*cube.columns, strict=True))) == 40


def test_each_element_says_what_it_belongs_to() -> None:
    arrays = {array["name"]: array["indexed_by"] for array in stored(example("dcsr"))["arrays"]}
    assert arrays == {
        "A1_pos": "segments",
        "A1_crd": "positions",
        "A2_pos": "segments",
        "A2_crd": "positions",
        "A_vals": "positions",
    }
    sorted_rows = next(array for array in stored(example("sell(2,8)"))["arrays"] if array["name"] == "A1_rows")
    assert sorted_rows["indexed_by"] == "places"
    assert sorted(sorted_rows["values"]) == list(range(sorted_rows["size"]))


def test_footprints_compare_the_presets_and_name_the_chosen_one() -> None:
    rows = {row["format"]: row for row in example("compressed, dense")["footprints"]}
    assert {"csr": 104, "csc": 112, "dcsr": 120, "dense": 192}.items() <= {
        name: row["bytes"] for name, row in rows.items()
    }.items()
    assert [name for name, row in rows.items() if row["chosen"]] == ["compressed, dense"]
    assert rows["compressed, dense"]["stored"] == 18
    assert rows["csr"]["arrays"][0] == {"name": "A2_pos", "bytes": 20}


def test_large_tensors_show_their_first_positions_and_a_raster() -> None:
    count = 5000
    places = np.random.default_rng(1).choice(1000 * 500, count, replace=False)
    entries = Entries((1000, 500), np.unravel_index(places, (1000, 500)), np.ones(count))
    tensor = stored(storage_view("A", 2, "csr", entries, ""))
    assert tensor["whole"] is False
    assert len(tensor["leaves"]) == storage.PART
    assert all(leaf["entry"] for leaf in tensor["leaves"])
    rows = tensor["levels"][0]
    assert rows["positions"] == 1000
    assert len(rows["node_positions"]) < 20
    sizes = {array["name"]: (array["size"], len(array["values"])) for array in tensor["arrays"]}
    assert sizes["A_vals"] == sizes["A2_crd"] == (count, storage.PART)
    assert sizes["A2_pos"] == (1001, len(rows["node_positions"]) + 1)
    density = tensor["density"]
    assert density is not None
    assert (density["row_step"], density["column_step"]) == (32, 16)
    assert sum(map(sum, density["counts"])) == count
    wanted = int(((entries.columns[0] < 32) & (entries.columns[1] < 16)).sum())
    assert density["counts"][0][0] == wanted


def test_a_raster_of_a_cube_adds_up_its_slices_and_one_of_a_vector_has_one_row() -> None:
    cube = Entries((50, 20, 20), (np.array([0, 7, 7]), np.array([3, 3, 0]), np.array([4, 4, 0])), np.ones(3))
    density = stored(storage_view("B", 3, "csf", cube, ""))["density"]
    assert density is not None
    assert (density["row_dimension"], density["column_dimension"]) == (1, 2)
    assert (density["counts"][3][4], density["counts"][0][0]) == (2, 1)
    vector = Entries((5000,), (np.array([4999]),), np.ones(1))
    density = stored(storage_view("x", 1, "sparse", vector, ""))["density"]
    assert density is not None
    assert density["row_dimension"] is None
    assert len(density["counts"]) == 1
    assert density["counts"][0][-1] == 1


@pytest.mark.parametrize(
    ("format", "code", "message"),
    [
        ("csx", "format/unknown", "there is no format `csx` (format of A); did you mean csr?"),
        ("csf : 0", "format/bad-order", "`0` is not an order of the dimensions of A, which has 2 dimensions"),
        ("dense, zeroless", "storage/unknown-kind", "A has a zeroless level, which cannot be packed yet."),
    ],
)
def test_a_format_that_is_none_is_refused_with_its_reason(format: str, code: str, message: str) -> None:
    view = example(format)
    assert (view["ok"], view["stored"]) == (False, None)
    assert [(one["code"], one["message"]) for one in view["diagnostics"]] == [(code, message)]
    assert "compressed" in [kind["name"] for kind in view["kinds"]]


def test_data_that_is_too_large_is_refused_before_it_is_packed() -> None:
    huge = Entries((1 << 20, 1 << 20), (np.array([1]), np.array([1])), np.ones(1))
    view = storage_view("A", 2, "dense", huge, "")
    assert view["diagnostics"][0]["code"] == "storage/too-large"
    assert view["diagnostics"][0]["message"] == (
        "A has 1,099,511,627,776 stored values, too many to show how they are stored."
    )
    footprint = next(row for row in view["footprints"] if row["format"] == "dense")
    assert footprint["bytes"] == 8 << 40
    many = Entries((storage.MAX_ENTRIES + 1,), (np.arange(storage.MAX_ENTRIES + 1),), np.ones(storage.MAX_ENTRIES + 1))
    assert storage_view("x", 1, "sparse", many, "")["diagnostics"][0]["code"] == "storage/too-large"


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_tree_leads_to_the_coordinates_that_the_arrays_store(data: st.DataObject) -> None:
    order = data.draw(st.integers(1, 3))
    shape = tuple(data.draw(st.integers(0, 4)) for _ in range(order))
    cells = data.draw(st.sets(st.integers(0, max(prod(shape) - 1, 0)))) if prod(shape) else set()
    columns = (
        np.unravel_index(np.array(sorted(cells), dtype=np.int64), shape) if cells else (np.array([], int),) * order
    )
    kinds = [data.draw(st.sampled_from(["dense", "compressed"])) for _ in range(order)]
    dimensions = data.draw(st.permutations(range(order)))
    format = f"{', '.join(kinds)} : {','.join(map(str, dimensions))}"
    entries = Entries(shape, columns, np.arange(1.0, len(cells) + 1))
    tensor = stored(storage_view("A", order, format, entries, ""))
    assert paths(tensor) == [tuple(leaf["coordinates"]) for leaf in tensor["leaves"]]
    found = {tuple(leaf["coordinates"]): leaf["value"] for leaf in tensor["leaves"] if leaf["entry"]}
    assert found == dict(zip(zip(*(c.tolist() for c in columns), strict=True), entries.values.tolist(), strict=True))
    assert [level["positions"] for level in tensor["levels"]] == [
        len(one["node_positions"]) for one in tensor["levels"]
    ]
