"""What a part makes of coordinates: each is counted again here, and its order is that of the places."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from heddle.explorer.views.composition.composition import composition_view
from heddle.explorer.views.composition.composition_schema import RemappingView
from heddle.explorer.views.composition.places import key_of, places_of
from heddle.explorer.views.composition.remapping import remapping_of
from heddle.explorer.views.storage.storage_examples import example_entries
from heddle.formats.levels.kinds import LEVEL_KINDS
from heddle.formats.parser import parse_format
from heddle.runtime.packing.pack import pack
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.tensor import Tensor

EXAMPLE = example_entries(2, "float64")
MAPPED = (
    *("dia", "dia(2)", "ell", "ell(4)", "csr", "csc", "coo", "dcsr", "dense", "dense, bitmap", "dense, ragged"),
    *("bcsr(2,2)", "bcsr(4)", "dbsr(2,3)", "srbcrs(2,2)", "csb(2,3)", "sell(2)", "sell-runs(2)", "pieces(2)"),
    *("parts(2), dense, compressed : 0,0,1", "parts(3, even), compressed, compressed : 0,0,1"),
    "parts(2), parts(2), compressed(nonunique), padded(2) : 0,1,0,1",
    *("hyb(2,1)", "hyb(1,2)", "hyb(2,1,3)", "hyb(1,1,whole)", "dia where depth >= 50 + csr"),
)
SHAPES = ((4, 6), (1, 7), (9, 2), (13, 5), (3, 3))


def scattered(shape: tuple[int, int]) -> Entries:
    """Rows of at most four entries, which every format here holds."""
    rng = np.random.default_rng(5)
    found = {(row, int(column)) for row in range(shape[0]) for column in rng.integers(0, shape[1], rng.integers(0, 5))}
    rows, columns = (np.array(column, dtype=np.int64) for column in zip(*sorted(found), strict=True))
    return Entries(shape, (rows, columns), rng.integers(1, 9, rows.size).astype(float))


def remapped(text: str, entries: Entries = EXAMPLE) -> list[RemappingView]:
    stored = composition_view("A", len(entries.shape), text, entries, "here", 2)["stored"]
    assert stored is not None
    found = [part["remapping"] for part in stored["parts"]]
    return [one for one in found if one is not None]


@pytest.mark.parametrize("text", MAPPED)
@pytest.mark.parametrize("shape", SHAPES)
def test_places_are_in_the_order_of_the_new_coordinates_which_lead_back(text: str, shape: tuple[int, int]) -> None:
    entries = scattered(shape)
    views = remapped(text, entries)
    assert views
    for view in views:
        assert view["in_order"]
        assert view["exact"]
        assert sorted(view["coordinates"]) == view["coordinates"]
        assert len({tuple(one) for one in view["coordinates"]}) == len(view["entries"])
        for target, values in zip(view["targets"], zip(*view["coordinates"], strict=True), strict=False):
            assert all(0 <= value - target["least"] < target["length"] for value in values)
    numbers = sorted(number for view in views for number in view["entries"])
    assert numbers == list(range(entries.values.size))


@pytest.mark.parametrize("shape", SHAPES)
def test_diagonals_shear_the_grid(shape: tuple[int, int]) -> None:
    entries = scattered(shape)
    (view,) = remapped("dia", entries)
    rows, columns = (column.tolist() for column in entries.columns)
    expected = [[rows[number], columns[number] - rows[number]] for number in view["entries"]]
    assert view["coordinates"] == expected
    assert [target["formula"] for target in view["targets"]] == ["{0}", "{1} − {0}"]
    assert view["inverse"] == ["{0}", "{0} + d"]


@pytest.mark.parametrize("shape", SHAPES)
def test_slots_count_the_entries_of_their_row(shape: tuple[int, int]) -> None:
    entries = scattered(shape)
    (view,) = remapped("ell", entries)
    met: Counter[int] = Counter()
    expected = []
    for row in entries.columns[0].tolist():
        expected.append([row, met[row]])
        met[row] += 1
    assert view["coordinates"] == expected
    assert [target["formula"] for target in view["targets"]] == ["{0}", "#{0}"]


def test_blocks_divide_and_keep_the_remainder() -> None:
    (view,) = remapped("bcsr(2,3)")
    for number, (block_row, block_column, row, column) in zip(view["entries"], view["coordinates"], strict=True):
        at = [int(one[number]) for one in EXAMPLE.columns]
        assert [block_row, block_column] == [at[0] // 2, at[1] // 3]
        assert [row, column] == [at[0] % 2, at[1] % 3]
    assert view["inverse"] == ["{0}₁ · 2 + {0}₀", "{1}₁ · 3 + {1}₀"]


def test_pieces_are_numbered_and_looked_up() -> None:
    first, second = remapped("hyb(2,1)")
    assert first["coordinates"] == [[0, 0], [1, 0], [2, 0]]
    assert second["coordinates"] == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert second["inverse"] == ["crd[p]", "crd[p, s]"]


@pytest.mark.parametrize("text", ["dense, hashed", "sell(2,4)", "compressed(unordered), compressed", "coo-perm"])
def test_places_in_another_order_have_none(text: str) -> None:
    assert remapped(text) == []


def test_every_kind_says_what_its_places_are_ordered_by_and_which_axis_it_is() -> None:
    by = {name: None if kind.ordered_by is None else kind.ordered_by.name for name, kind in LEVEL_KINDS.items()}
    coordinates = ("dense", "compressed", "singleton", "ragged", "chunks", "bitmap", "parts")
    assert by == {
        **dict.fromkeys(coordinates, "COORDINATES"),
        **dict.fromkeys(("padded", "slots"), "SLOTS"),
        **dict.fromkeys(("offset", "diagonals"), "DIAGONALS"),
        **dict.fromkeys(("optional", "shifted", "runs"), "PARENTS"),
        **dict.fromkeys(("hashed", "sorted", "referenced", "relayed"), None),
    }
    assert {name: kind.axis for name, kind in LEVEL_KINDS.items() if kind.axis is not None} == {
        **dict.fromkeys(("dense", "parts"), "dense_fixed"),
        "ragged": "dense_variable",
        **dict.fromkeys(("padded", "singleton"), "sparse_fixed"),
        **dict.fromkeys(("compressed", "chunks"), "sparse_variable"),
    }


def test_tensors_of_other_orders() -> None:
    for order, text in ((1, "sparse"), (3, "csf"), (3, "csl")):
        (view,) = remapped(text, example_entries(order, "float64"))
        assert view["in_order"]
        assert view["exact"]


def test_an_order_that_is_wrong_is_noticed() -> None:
    """What the page says of the order is checked, not assumed."""
    packed = pack(example_entries(2, "float64"), parse_format("csr", 2, "A"), dtype="float64", name="A")
    assert isinstance(packed, Tensor)
    rows, columns = packed.levels
    assert columns.crd is not None
    order = np.arange(packed.vals.size)
    order[:2] = 1, 0
    part = replace(packed, levels=(rows, replace(columns, crd=columns.crd[order])), vals=packed.vals[order])
    view = remapping_of(part, places_of(part, EXAMPLE, key_of(EXAMPLE)), EXAMPLE)
    assert view is not None
    assert view["exact"]
    assert len(view["entries"]) == EXAMPLE.values.size
    assert not view["in_order"]
